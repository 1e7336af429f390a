"""Spearman's rank correlation."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Floats, Ints, changes, starts_at, sums
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure


@measure(
    "spearman",
    aliases=("spearmanr", "spearman_rho", "rho"),
    span=(-1.0, 1.0),
    wants_relevant=False,
    handles_ties=True,
    question="agreement",
    title="Spearman's rank correlation",
    no_sql=NoSql.SCORES,
)
def spearman_correlation(hits: Hits) -> Derivation:
    """Spearman's rank correlation between scores and grades.

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
    x, y = (ranks_from_mean(values, seen.query, len(hits)) for values in (predicted(seen), seen.grade))
    spread = np.sqrt(sums(x * x, seen.query, len(hits)) * sums(y * y, seen.query, len(hits)))
    return Derivation.of_hits(seen, x * y, Working("{}*{}", x, y), spread, "spread of both rankings")


def predicted(seen: Ranking) -> Floats:
    """The values the system ordered by, higher is better: scores, or ranks from the end if there are none."""
    return -seen.rank.astype(np.float64) if seen.score is None else seen.score


def shared_ranks(values: Floats, query: Ints) -> Floats:
    """The rank of each value in its query, highest first; ties share their mean rank."""
    order = np.lexsort((-values, query))
    starts = starts_at(changes(query[order], values[order]))
    middle = (starts[:-1] + starts[1:] - 1) / 2
    ranks = np.empty(len(values))
    ranks[order] = np.repeat(middle, np.diff(starts))
    return ranks


def ranks_from_mean(values: Floats, query: Ints, n_queries: int) -> Floats:
    """The rank of each value in its query, minus the mean rank of the query."""
    ranks = shared_ranks(values, query)
    mean = sums(ranks, query, n_queries) / np.maximum(np.bincount(query, minlength=n_queries), 1)
    from_mean: Floats = ranks - mean[query]
    return from_mean
