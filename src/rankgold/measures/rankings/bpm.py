"""Bejeweled player model, static and dynamic."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.core.derivation import Derivation
from rankgold.core.hits import Hits
from rankgold.core.segments import Floats
from rankgold.core.user_models import looks
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Above, AtLeast, AtMost, Cutoff, Examples
from rankgold.measures.rankings.err import Top
from rankgold.measures.rankings.inst import gain_per_look

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


Patience = Annotated[float, AtLeast(1), "the rank at which the reader stops, before it is adapted", Examples(2)]
OnGoal = Annotated[float, AtLeast(0), AtMost(1e6), "how much a document changes the gain that is wanted", Examples(0)]
OnPatience = Annotated[
    float, AtLeast(0), AtMost(1e6), "how much a document changes the rank to stop at", Examples(0, 3)
]
Middle = Annotated[float, AtLeast(0), AtMost(1), "the gain of a document that changes nothing", Examples(0.2)]


@measure(
    "bpm_dynamic",
    scale="max",
    monotone=False,
    question="first",
    title="Dynamic Bejeweled player model",
    no_sql=NoSql.GRADES,
)
def dynamic_bejeweled_player_model(
    hits: Hits,
    *,
    t: Wanted = 1,
    patience: Patience = 10,
    hb: OnGoal = 1,
    hc: OnPatience = 1,
    middle: Middle = 0.5,
    max: Top = None,
) -> Derivation:
    """Gain per document viewed, for a reader who adapts a target gain and a last rank to what was seen.

        BPM = gained / rank at the first rank where  gained >= t + hb * surprise  or  rank >= patience + hc * surprise

    where `gained` adds up the gains down to a rank, and `surprise` adds up gain - middle over the documents above it. A
    gain is a grade as a share of the highest. Good documents make the reader want more and wait longer, bad ones make
    the reader modest and impatient. A reader looks at 1,000 documents at most.

    Use it where readers are known to adapt. With hb = hc = 0 it is bpm, which is easier to explain.

    Grades 0, 0, 1, 1: after two documents without gain the reader wants 1 - 2 * 0.5 = 0 and stops at rank 3: 1/3.

    >>> dynamic_bejeweled_player_model(one_query([0, 0, 1, 1])).values.round(4)
    array([0.3333])

    Zhang and others 2017, Evaluating web search with a Bejeweled player model, doi:10.1145/3077136.3080841.
    """

    def go_on(gains: Floats, rank: Floats) -> Floats:
        surprise = np.zeros_like(gains)
        np.cumsum(gains[:, :-1] - middle, axis=1, out=surprise[:, 1:])
        wants_more = np.cumsum(gains, axis=1) < t + hb * surprise
        return (wants_more & (rank < patience + hc * surprise)).astype(np.float64)

    return gain_per_look(hits, None, max, lambda seen: looks(seen, go_on))
