"""Kendall's rank correlation."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Floats, OrderCounts, changes, count_of_kind, starts_at, sums
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.rankings.spearman import predicted


@measure(
    "kendall",
    aliases=("kendalltau", "kendall_tau", "kendall_tau_b", "tau"),
    span=(-1.0, 1.0),
    wants_relevant=False,
    handles_ties=True,
    question="agreement",
    title="Kendall's rank correlation",
    no_sql=NoSql.SCORES,
)
def kendall_correlation(hits: Hits) -> Derivation:
    """Kendall's tau-b between scores and grades: agreeing pairs minus disagreeing pairs, normalised.

        tau-b = (agreeing - disagreeing pairs)  /  sqrt(pairs not tied in score * pairs not tied in grade)

    Without ties it is the share of agreeing pairs less the share of disagreeing ones. Only judged documents that were
    retrieved take part. A document's term counts its pairs with the documents below it.

    Use it like spearman, where a value that can be read as a share of pairs is wanted; it reacts less to a single
    document that is far off. It weighs the bottom of the list as much as the top.

    Scores 5, 4, 3 for grades 3, 1, 2: two pairs agree, one does not: (2 - 1) / 3 = 1/3.

    >>> kendall_correlation(one_query([3, 1, 2])).values.round(4)
    array([0.3333])

    Kendall 1938, A new measure of rank correlation, doi:10.1093/biomet/30.1-2.81; for ties, Kendall 1945, The
    treatment of ties in ranking problems, doi:10.1093/biomet/33.3.239.
    """
    seen = hits.system.single
    score = predicted(seen)
    below = count_below(seen, score)
    term = (below.lower_after - below.higher_after).astype(np.float64)
    norm = np.sqrt(_untied(score, seen) * _untied(seen.grade, seen))
    return Derivation.of_hits(seen, term, Working("{}", term), norm, "pairs that are not tied")


def count_below(seen: Ranking, score: Floats) -> OrderCounts:
    """For each document, how many documents of its query with a lower score have a lower or a higher grade.

    Scores fall within a query, so these are the documents after it, less those that are tied with it.
    """
    grade = np.unique(seen.grade, return_inverse=True)[1]
    return OrderCounts.of(grade, seen.starts) - OrderCounts.of(grade, starts_at(changes(seen.query, score)))


def _untied(values: Floats, seen: Ranking) -> Floats:
    """The number of untied pairs of each query. Each pair is counted twice, once per document."""
    others = seen.sizes[seen.query] - count_of_kind(seen.query, values)
    return sums(others, seen.query, seen.n_queries) / 2
