"""Spearman's rank correlation."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.metric import measure
from rankgold.hits import Contributions, Hits, Ranking, Working
from rankgold.kernels.segments import Floats, Ints, sums


@measure(
    "spearman",
    aliases=("spearmanr", "spearman_rho", "rho"),
    span=(-1.0, 1.0),
    monotone=False,
    wants_relevant=False,
    handles_ties=True,
    question="agreement",
    title="Spearman's rank correlation",
)
def spearman_correlation(hits: Hits) -> Contributions:
    """How well the order of the scores agrees with the order of the grades, over the whole list.

        rho = sum over documents of (x - mean x)(y - mean y)  /  sqrt(sum (x - mean x)^2 * sum (y - mean y)^2)

    where x is a document's rank by score and y its rank by grade, tied ones sharing the mean of their ranks. Without
    ties this is 1 - 6 sum d^2 / (n (n^2 - 1)), with d = x - y. Only judged documents that were retrieved take part.

    Use it to compare two complete orderings of the same items: a ranking with a reference ranking, scores with
    ratings. It weighs the bottom of the list as much as the top, so it is a poor guide to search results.

    Scores 5, 4, 3 for grades 3, 1, 2: d = 0, 1, 1, so 1 - 6 * 2 / (3 * 8) = 1/2.

    >>> spearman_correlation(one_query([3, 1, 2])).values
    array([0.5])

    Spearman 1904, The proof and measurement of association between two things, doi:10.2307/1412159.
    """
    seen = hits.system.single
    x = _from_mean(shared_ranks(predicted(seen), seen.query), seen)
    y = _from_mean(shared_ranks(seen.grade, seen.query), seen)
    spread = np.sqrt(_sum(x * x, seen) * _sum(y * y, seen))
    return Contributions(x * y, seen, spread, Working("{}*{}", x, y), "spread of both rankings")


def predicted(seen: Ranking) -> Floats:
    """What the system ordered by, higher for better: its scores, or where there are none its ranks from the end."""
    return -seen.rank.astype(np.float64) if seen.score is None else seen.score


def shared_ranks(values: Floats, query: Ints) -> Floats:
    """The rank of each value in its query, from the highest, tied ones sharing the mean of theirs."""
    order = np.lexsort((-values, query))
    changed = np.ones(len(values), dtype=bool)
    changed[1:] = (values[order][1:] != values[order][:-1]) | (query[order][1:] != query[order][:-1])
    tied_group = np.cumsum(changed) - 1
    bounds = np.append(np.flatnonzero(changed), len(values))
    middle = (bounds[:-1] + bounds[1:] - 1) / 2
    ranks = np.empty(len(values))
    ranks[order] = middle[tied_group]
    return ranks


def _from_mean(ranks: Floats, seen: Ranking) -> Floats:
    with np.errstate(invalid="ignore"):
        return ranks - (_sum(ranks, seen) / seen.count)[seen.query]


def _sum(values: Floats, seen: Ranking) -> Floats:
    return sums(values, seen.query, seen.n_queries)
