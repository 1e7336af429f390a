"""Bejeweled player model."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.declaration.facts import NoSql
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Above, Cutoff, Examples
from rankgold.derivation import Derivation
from rankgold.hits import Hits
from rankgold.kernels.readers import looks
from rankgold.kernels.segments import Floats
from rankgold.measures.err import Top
from rankgold.measures.inst import gain_per_look

Wanted = Annotated[
    float, Above(0), "the total gain at which the reader stops, in documents of the highest grade", Examples(3)
]


@measure("bpm", aliases=("bejeweled_player_model",), scale="max", monotone=False, question="first", no_sql=NoSql.GRADES)
def bejeweled_player_model(hits: Hits, *, k: Cutoff = None, t: Wanted = 1, max: Top = None) -> Derivation:
    """Expected gain per document viewed, for a reader who stops after a total gain of t or at rank k.

        BPM@k = gained / rank at the first rank where  gained >= t  or  rank = k

    where `gained` adds up the gains down to a rank, and a gain is a grade as a share of the highest. A reader looks at
    1,000 documents at most, and those after the end of a list count as looks without gain.

    Use it where readers need a known amount, and give up at a known rank. With one grade and t = 1 it is the reciprocal
    rank, and with a very high t it is precision at k.

    Grades 1, 2, so gains of 1/2 and 1: at rank 1 the reader has gained 1/2, at rank 2 enough: 3/2 / 2 = 3/4.

    >>> bejeweled_player_model(one_query([1, 2])).values
    array([0.75])

    Zhang and others 2017, Evaluating web search with a Bejeweled player model, doi:10.1145/3077136.3080841.
    """

    def go_on(gains: Floats, rank: Floats) -> Floats:
        return (np.cumsum(gains, axis=1) < t).astype(np.float64)

    return gain_per_look(hits, k, max, lambda seen: looks(seen, go_on))
