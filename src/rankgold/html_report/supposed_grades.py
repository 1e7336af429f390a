"""Hits, and documents that are not judged, in; the values out that measures would have if each were judged relevant.

Each document makes a query of its own: a copy of its query with one more judgement. The copies are measured together,
by the same measures as everything else.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.hits import Hits, Ranking
from rankgold.kernels.segments import Bools, Floats, Ints, positions, starts_of
from rankgold.policy import Policy
from rankgold.scoring.values import decide

_AT_ONCE = 20_000


def can_suppose(policy: Policy, measure: Measure) -> bool:
    """Whether one more judgement leaves the ranks of all others as they are, and ranks are all that counts."""
    metric = measure.metric
    by_rank = not metric.over_subtopics and not metric.handles_ties
    return policy.ties != "average" and policy.unjudged != "condensed" and by_rank


def supposed_values(
    hits: Hits, measures: list[Measure], query: Ints, rank: Ints, grade: float
) -> dict[Measure, Floats]:
    """The value of each measure for `query[i]`, if the document at `rank[i]` had this grade; rank 0: not retrieved."""
    parts: dict[Measure, list[Floats]] = {measure: [] for measure in measures}
    for first in range(0, len(query), _AT_ONCE):
        copies = _copies(hits, query[first : first + _AT_ONCE], rank[first : first + _AT_ONCE], grade)
        for measure, values in parts.items():
            values.append(decide(measure, copies, measure(copies)).values)
    return {measure: np.concatenate(values) if values else np.zeros(0) for measure, values in parts.items()}


def _copies(hits: Hits, query: Ints, rank: Ints, grade: float) -> Hits:
    system = _with_row(hits.system.whole, query, rank, grade, rank > 0)
    ideal = _with_row(hits.ideal.whole, query, np.zeros_like(rank), grade, np.ones(len(rank), dtype=bool))
    return replace(
        hits,
        queries=list(range(len(query))),
        system=system,
        ideal=ideal.in_best_order(),
        returned=hits.returned[query],
        max_grade=max(hits.max_grade, grade),
        lists=None,
    )


def _with_row(ranking: Ranking, query: Ints, rank: Ints, grade: float, is_there: Bools) -> Ranking:
    """A copy of the rows of each of these queries, with one more row where `is_there`."""
    sizes = ranking.sizes[query]
    starts = starts_of(sizes)
    rows = np.repeat(ranking.starts[query], sizes) + positions(starts)
    added = np.flatnonzero(is_there)
    copy = np.concatenate((np.repeat(np.arange(len(query)), sizes), added))
    ranks = np.concatenate((ranking.rank[rows], rank[added]))
    grades = np.concatenate((ranking.grade[rows], np.full(len(added), grade)))
    documents = np.concatenate((ranking.row[rows], np.zeros(len(added), dtype=np.int64)))
    order = np.lexsort((ranks, copy))
    return Ranking(copy[order], ranks[order], grades[order], len(query), documents[order])
