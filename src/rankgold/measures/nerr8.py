"""Nearly ERR with a cutoff."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgold.declaration.facts import NoSql
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation
from rankgold.hits import Hits
from rankgold.kernels.readers import deepest_rank, looks_until_satisfied
from rankgold.kernels.segments import Floats
from rankgold.measures.err import Top
from rankgold.measures.inst import gain_per_look

GoOn = Callable[[Floats], Floats]
"""Ranks -> the chances to go on from a document without a gain."""


@measure("nerr8", scale="max", question="first", title="Nearly ERR with a cutoff", no_sql=NoSql.GRADES)
def nearly_err_8(hits: Hits, *, k: Cutoff = None, max: Top = None) -> Derivation:
    """Expected gain per document viewed, for a reader who stops once satisfied, or after rank k.

        NERR8 = sum over hits of  gain * looks / total looks,   with
        chance to go on from a rank = 1 - gain

    where `looks` is the chance that the reader gets to a rank, the product of the chances to go on from all ranks
    above. A gain is a grade as a share of the highest, and the chance to be satisfied. A reader looks at k documents at
    most, and at 1,000 without a cutoff.

    Use it like err, to compare with other gains per document such as rbp and inst: err is none, since it divides by the
    rank. For one grade it is the reciprocal rank.

    Grades 1, 2, so gains of 1/2 and 1: the looks are 1, 1/2 and then 0: (1/2 + 1/2) / (3/2) = 2/3.

    >>> nearly_err_8(one_query([1, 2])).values.round(4)
    array([0.6667])

    Azzopardi, Mackenzie and Moffat 2021, ERR is not C/W/L: exploring the relationship between expected reciprocal rank
    and other metrics, doi:10.1145/3471158.3472239.
    """
    return gain_until_satisfied(hits, k, max, np.ones_like)


def gain_until_satisfied(hits: Hits, k: int | None, max: float | None, go_on: GoOn) -> Derivation:
    """Expected gain per document viewed, for a reader who stops once satisfied."""
    chances = go_on(np.arange(1.0, deepest_rank(k) + 1))
    return gain_per_look(hits, k, max, lambda seen: looks_until_satisfied(seen, chances))
