"""Compatibility with an ideal ranking."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import SMALLEST_GRADE, Hits, Ranking
from rankgold.core.segments import Floats, Ints, count_above, earlier_of_kind
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Above, Below, Examples


def weight_of_depths(p: float, first: Ints, last: Ints) -> Floats:
    """The sum of p^(d - 1) / d over the depths d from `first` to `last`.

    A document that two lists share down to depth d adds 1/d to their agreement there. With p = 0.5, one that they share
    from depth 2 to depth 3 adds 0.5/2 + 0.25/3.
    """
    depth = np.arange(1, int(last.max(initial=0)) + 1)
    until = np.concatenate(([0.0], np.cumsum(p ** (depth - 1.0) / depth)))
    weight: Floats = until[last] - until[np.minimum(first - 1, last)]
    return weight


Patience = Annotated[float, Above(0), Below(1), "how slowly the weight falls with depth", Examples(0.5, 0.8)]
Norm = Annotated[
    Literal["ideal", "depth"],
    "what the overlap is divided by: that of the ideal ranking with itself, or the weight of all depths",
]


@measure("compat", aliases=("compatibility",), suffix="p", question="grades", no_sql=NoSql.GRADES)
def compatibility(hits: Hits, *, p: Patience = 0.95, norm: Norm = "ideal") -> Derivation:
    """The rank-biased overlap with the ideal ranking, divided by the highest possible overlap.

        compat = sum over relevant hits of  w(max(rank, ideal rank))  /  the same sum of the ideal ranking
        with  w(m) = sum over depths d from m to the end of  p^(d - 1) / d

    The ideal ranking has the relevant documents by grade, and documents of the same grade in the order of the system's
    ranking, which is the best case for it. A hit counts from the depth on at which both rankings have it. The end is
    that of the system's list, or of the ideal one if that is longer. A grade above 0 is relevant.

    Use it where grades are levels of preference, and only their order means something: the best answer, the second
    best, and so on. It needs no gain for a grade. Where grades are gains, use ndcg.

    Grades 1, 0, 2 in ranked order, p = 0.95: the ideal ranking has the last document first and the first one second.
    They count from depths 3 and 2: (0.3008 + 0.7758) / (1.7758 + 0.7758) = 0.4219.

    >>> compatibility(one_query([1, 0, 2])).values.round(4)
    array([0.4219])

    Clarke, Vtyurina and Smucker 2021, Assessing top-k preferences, doi:10.1145/3451161.
    """
    found, best = (_relevant(ranking.top(None)) for ranking in (hits.system, hits.ideal))
    depth = np.maximum(hits.returned, best.sizes)
    higher = count_above(best.grade, best.starts, found.query, found.grade)
    ideal_rank = higher + earlier_of_kind(found.query, found.grade) + 1
    overlap = _overlap(found, np.maximum(found.rank, ideal_rank), depth, p)
    if norm == "depth":
        weights = (1 - p**depth) / (1 - p)
        return replace(overlap, norm=weights, norm_is="the weight of all depths")
    ideal = _overlap(best, best.rank, depth, p)
    return replace(overlap, norm=ideal.sums, norm_is="the sum of the ideal ranking", ideal=ideal)


def _relevant(ranking: Ranking) -> Ranking:
    return ranking.keep(ranking.grade >= SMALLEST_GRADE)


def _overlap(ranking: Ranking, first: Ints, depth: Ints, p: float) -> Derivation:
    """The weight of all depths from `first` on."""
    weight = weight_of_depths(p, first, depth[ranking.query])
    return Derivation.of_hits(ranking, weight, Working("{}", weight), 1.0, "1")
