"""Nearly ERR: with a cutoff, with falling patience, with persistence, with a goal."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgold.core.derivation import Derivation
from rankgold.core.hits import Hits
from rankgold.core.segments import Floats
from rankgold.core.user_models import deepest_rank, looks_until_satisfied
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff
from rankgold.measures.rankings.err import Top
from rankgold.measures.rankings.inst import Goal, gain_per_look
from rankgold.measures.rankings.rbp import Persistence

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


@measure("nerr9", scale="max", question="first", title="Nearly ERR with falling patience", no_sql=NoSql.GRADES)
def nearly_err_9(hits: Hits, *, k: Cutoff = None, max: Top = None) -> Derivation:
    """Expected gain per document viewed, for a reader who stops if satisfied, else with probability 1/(rank + 1).

        NERR9 = sum over hits of  gain * looks / total looks,   with
        chance to go on from a rank = rank / (rank + 1) * (1 - gain)

    where `looks` is the chance that the reader gets to a rank, the product of the chances to go on from all ranks
    above. A gain is a grade as a share of the highest, and the chance to be satisfied. A reader looks at k documents at
    most, and at 1,000 without a cutoff.

    Use it like err, to compare with other gains per document such as rbp and inst. The looks of a reader who is never
    satisfied are 1/rank, as in err.

    Grades 1, 2, so gains of 1/2 and 1: the looks are 1, 1/2 * 1/2 and then 0: (1/2 + 1/4) / (5/4) = 3/5.

    >>> nearly_err_9(one_query([1, 2])).values.round(4)
    array([0.6])

    Azzopardi, Mackenzie and Moffat 2021, ERR is not C/W/L: exploring the relationship between expected reciprocal rank
    and other metrics, doi:10.1145/3471158.3472239.
    """
    return gain_until_satisfied(hits, k, max, lambda rank: rank / (rank + 1))


@measure("nerr10", scale="max", question="first", title="Nearly ERR with persistence", no_sql=NoSql.GRADES)
def nearly_err_10(hits: Hits, *, p: Persistence = 0.9, max: Top = None) -> Derivation:
    """Expected gain per document viewed, for a reader who stops once satisfied, else continues with probability p.

        NERR10 = sum over hits of  gain * looks / total looks,   with
        chance to go on from a rank = p * (1 - gain)

    where `looks` is the chance that the reader gets to a rank, the product of the chances to go on from all ranks
    above. A gain is a grade as a share of the highest, and the chance to be satisfied. A reader looks at 1,000
    documents at most.

    Use it where readers want one good answer and their patience is known. It is rbp with readers who stop when they are
    satisfied.

    Grades 1, 2, so gains of 1/2 and 1: the looks are 1, 0.9 * 1/2 and then 0: (0.5 + 0.45) / 1.45 = 0.6552.

    >>> nearly_err_10(one_query([1, 2])).values.round(4)
    array([0.6552])

    Azzopardi, Mackenzie and Moffat 2021, ERR is not C/W/L: exploring the relationship between expected reciprocal rank
    and other metrics, doi:10.1145/3471158.3472239.
    """
    return gain_until_satisfied(hits, None, max, lambda rank: np.full_like(rank, p))


@measure("nerr11", scale="max", question="first", title="Nearly ERR with a goal", no_sql=NoSql.GRADES)
def nearly_err_11(hits: Hits, *, t: Goal = 1, max: Top = None) -> Derivation:
    """Expected gain per document viewed, for a reader who wants a gain of t and stops once satisfied.

        NERR11 = sum over hits of  gain * looks / total looks,   with
        chance to go on from a rank = ((rank + 2 t - 1) / (rank + 2 t))^2 * (1 - gain)

    where `looks` is the chance that the reader gets to a rank, the product of the chances to go on from all ranks
    above. A gain is a grade as a share of the highest, and the chance to be satisfied. A reader looks at 1,000
    documents at most.

    Use it where readers want one good answer, and searches differ in how long it takes. It is insq with readers who
    stop when they are satisfied.

    Grades 1, 2, so gains of 1/2 and 1: the looks are 1, (2/3)^2 * 1/2 and then 0: (1/2 + 2/9) / (11/9) = 13/22.

    >>> nearly_err_11(one_query([1, 2])).values.round(4)
    array([0.5909])

    Azzopardi, Mackenzie and Moffat 2021, ERR is not C/W/L: exploring the relationship between expected reciprocal rank
    and other metrics, doi:10.1145/3471158.3472239.
    """
    return gain_until_satisfied(hits, None, max, lambda rank: ((rank + 2 * t - 1) / (rank + 2 * t)) ** 2)
