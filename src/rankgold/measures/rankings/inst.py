"""INST, a reader with a goal who adapts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.core.segments import Floats
from rankgold.core.user_models import GainsAtRanks, deepest_rank, looks_for_goal
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import AtLeast, AtMost, Examples
from rankgold.measures.rankings.err import Top
from rankgold.measures.rankings.rbp import gains_on_scale

Looks = Callable[[GainsAtRanks], tuple[Floats, Floats]]
Goal = Annotated[
    float, AtLeast(0.5), AtMost(1e6), "the gain that the reader wants, in documents of the highest grade", Examples(3)
]


@measure("inst", scale="max", question="order", title="INST", no_sql=NoSql.GRADES)
def inst(hits: Hits, *, t: Goal = 1, max: Top = None) -> Derivation:
    """Expected gain per document viewed, for a reader who wants a total gain of t and stops sooner the closer they get.

        INST = sum over hits of  gain * looks / total looks,   with
        chance to go on from a rank = ((rank + 2 t - gained - 1) / (rank + 2 t - gained))^2

    where `looks` is the chance that the reader gets to a rank, the product of the chances to go on from all ranks
    above, and `gained` adds up the gains down to a rank. A gain is a grade as a share of the highest. A reader looks at
    1,000 documents at most, and those after the end of a list count as looks without gain.

    Use it where searches differ in how many documents they need: t is 1 for a fact, and 10 for a survey. Values with
    different t cannot be compared.

    Grades 1, 0, 1: the chances to go on are (1/2)^2, (2/3)^2 and (2/3)^2, so the looks are 1, 1/4, 1/9 and fewer below,
    1.5362 in total: (1 + 1/9) / 1.5362 = 0.7233.

    >>> inst(one_query([1, 0, 1])).values.round(4)
    array([0.7233])

    Moffat, Bailey, Scholer and Thomas 2015, INST: an adaptive metric for information retrieval evaluation,
    doi:10.1145/2838931.2838938.
    """
    return gain_per_look(hits, None, max, lambda seen: looks_for_goal(seen, 2 * t))


def gain_per_look(hits: Hits, k: int | None, max: float | None, looks: Looks) -> Derivation:
    """The gain per document viewed: `looks` gives the chance of each document, and the total for each query."""
    depth = deepest_rank(k)
    found, gains = gains_on_scale(hits, depth, max)
    chance, number = looks(GainsAtRanks(gains, found.query, found.rank, len(hits), depth))
    total = number[found.query]
    # Averaged ties take the mean of values, so each order has its own total.
    return Derivation.of_hits(found, gains * chance / total, Working("{}*{}/{}", gains, chance, total), 1.0, "1")
