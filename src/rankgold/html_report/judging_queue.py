"""Hits and a pool in, unjudged documents out: what measures would become if one were relevant, and which matter most.

A judgement matters if it would change the difference between runs. Its effect on a query is the widest gap between
what it would add to one run and to another; with a single run, what it would add to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.html_report.collection import Collection
from rankgold.html_report.pool import Pool
from rankgold.html_report.supposed_grades import can_suppose, supposed_values
from rankgold.kernels.segments import Floats, Ints
from rankgold.scoring.scores import Scores

_QUEUE = 100
# Of more candidates, those in the first ranks only: judgements further down hardly matter.
_MANY, _FIRST_RANKS = 100_000, 10


@dataclass(frozen=True, slots=True, eq=False)
class SupposedJudgements:
    """Unjudged documents, and the values of their queries if they were relevant."""

    rows: Ints
    """The rows of the pool."""
    grade: float
    values: dict[str, list[Floats]]
    """Label -> for each run, the value for each document."""
    queue: dict[str, tuple[Ints, Floats]]
    """Label -> the documents whose judgement matters most, as positions in `rows`, and their effects."""
    left_out: int
    """How many unjudged documents of the lists are not among the rows."""

    def to_columns(self) -> dict[str, Any]:
        return {
            "rows": self.rows,
            "grade": self.grade,
            "values": self.values,
            "queue": {label: {"place": place, "effect": effect} for label, (place, effect) in self.queue.items()},
        }


def supposed_judgements(
    collection: Collection, pool: Pool, scores: Scores, values: dict[str, list[Floats]], most: int
) -> SupposedJudgements | None:
    """At most so many values: of the queries where a judgement matters most. None where they cannot be worked out."""
    measures = {label: m for label, m in scores.measures.items() if can_suppose(collection.policy, m)}
    candidates: Ints = np.flatnonzero(np.isnan(pool.grade) & pool.is_listed)
    if not measures or not len(candidates):
        return None
    grade = max(1.0, *(measure.threshold for measure in measures.values()))
    n_listed, query = len(candidates), pool.query
    if len(candidates) * len(pool.ranks) * len(measures) > most:
        if len(candidates) > _MANY:
            first = np.any([(rank > 0) & (rank <= _FIRST_RANKS) for rank in pool.ranks], axis=0)
            candidates = candidates[first[candidates]]
        label = next(iter(measures))
        main = _values_of(collection, pool, {label: measures[label]}, candidates, grade)
        effect = _effects(main[label], [column[query[candidates]] for column in values[label]])
        candidates = _of_best_queries(candidates, query[candidates], effect, most // (len(pool.ranks) * len(measures)))
    supposed = _values_of(collection, pool, measures, candidates, grade)
    queue: dict[str, tuple[Ints, Floats]] = {}
    for label, columns in supposed.items():
        effect = _effects(columns, [column[query[candidates]] for column in values[label]])
        best = np.argsort(-effect, kind="stable")[:_QUEUE]
        best = best[effect[best] > 1e-12]
        queue[label] = (best, effect[best])
    return SupposedJudgements(candidates, grade, supposed, queue, n_listed - len(candidates))


def _values_of(
    collection: Collection, pool: Pool, measures: dict[str, Measure], rows: Ints, grade: float
) -> dict[str, list[Floats]]:
    query = pool.query[rows]
    by_run = [
        supposed_values(hits, list(measures.values()), query, rank[rows], grade)
        for hits, rank in zip(collection.hits, pool.ranks, strict=True)
    ]
    return {label: [found[measure] for found in by_run] for label, measure in measures.items()}


def _effects(supposed: list[Floats], now: list[Floats]) -> Floats:
    changes = np.nan_to_num(np.array([then - value for then, value in zip(supposed, now, strict=True)]))
    effect: Floats = np.abs(changes[0]) if len(changes) == 1 else changes.max(axis=0) - changes.min(axis=0)
    return effect


def _of_best_queries(rows: Ints, query: Ints, effect: Floats, most: int) -> Ints:
    """The rows of the queries with the largest effects, all rows of each, so many at most."""
    largest = np.zeros(int(query.max(initial=0)) + 1)
    np.maximum.at(largest, query, effect)
    counts = np.bincount(query, minlength=len(largest))
    order = np.argsort(-largest, kind="stable")
    kept = order[np.cumsum(counts[order]) <= most]
    return rows[np.isin(query, kept)]
