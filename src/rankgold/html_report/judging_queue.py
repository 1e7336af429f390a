"""Hits and a pool in, unjudged documents out: what measures would become if one were relevant, and which matter most.

A judgement matters if it would change the differences between runs: its effect is that of `judge_next`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.ids import to_polars
from rankgold.declaration.metric import Measure
from rankgold.html_report.named_documents import Pool
from rankgold.html_report.report_data import ReportData
from rankgold.judging.judged_values import values_if_judged
from rankgold.judging.next_documents import effect_on_runs
from rankgold.judging.open_documents import OpenRun, open_runs
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
    collection: ReportData, pool: Pool, scores: Scores, values: dict[str, list[Floats]], baseline: int | None, most: int
) -> SupposedJudgements | None:
    """At most `most` values, for the queries where a judgement matters most; None if not applicable."""
    candidates: Ints = np.flatnonzero(np.isnan(pool.grade) & pool.is_listed)
    if not len(candidates) or collection.policy.unjudged == "condensed":
        return None
    measures = scores.measures
    grade = max(1.0, *(measure.threshold for measure in measures.values()))
    opened = _OpenPool.of(collection, pool)
    n_listed, query = len(candidates), pool.query

    def effects(label: str, supposed: list[Floats]) -> Floats:
        """How much the judgement of each candidate would change the differences between the runs."""
        now = [column[query[candidates]] for column in values[label]]
        changes = [np.nan_to_num(then) - np.nan_to_num(value) for then, value in zip(supposed, now, strict=True)]
        return effect_on_runs(changes, baseline)

    if len(candidates) * len(pool.ranks) * len(measures) > most:
        if len(candidates) > _MANY:
            first = np.any([(rank > 0) & (rank <= _FIRST_RANKS) for rank in pool.ranks], axis=0)
            candidates = candidates[first[candidates]]
        label = next(iter(measures))
        effect = effects(label, opened.values({label: measures[label]}, candidates, grade)[label])
        candidates = _of_best_queries(candidates, query[candidates], effect, most // (len(pool.ranks) * len(measures)))
    supposed = opened.values(measures, candidates, grade)
    queue: dict[str, tuple[Ints, Floats]] = {}
    for label, columns in supposed.items():
        effect = effects(label, columns)
        best = np.argsort(-effect, kind="stable")[:_QUEUE]
        best = best[effect[best] > 0]
        queue[label] = (best, effect[best])
    return SupposedJudgements(candidates, grade, supposed, queue, n_listed - len(candidates))


@dataclass(frozen=True, slots=True, eq=False)
class _OpenPool:
    """The runs with documents that can be given a grade, and where the rows of the pool are among these."""

    runs: tuple[OpenRun, ...]
    place: Ints

    @classmethod
    def of(cls, collection: ReportData, pool: Pool) -> _OpenPool:
        runs = open_runs(replace(collection.request, progress=None))
        number = {query: i for i, query in enumerate(collection.queries)}
        report_number = np.array([number[str(query)] for query in runs[0].hits.queries], dtype=np.int64)
        documents: Any = runs[0].documents
        known = pl.DataFrame(
            {
                "query": report_number[runs[0].query],
                "document": to_polars(documents).cast(pl.String),
                "row": np.arange(len(runs[0].query)),
            }
        )
        pooled = pl.DataFrame(
            {"query": pool.query, "document": pl.Series(pool.ids, dtype=pl.String).gather(pool.document)}
        )
        found = pooled.join(known, on=("query", "document"), how="left", maintain_order="left")
        return cls(runs, found["row"].fill_null(-1).to_numpy())

    def values(self, measures: dict[str, Measure], rows: Ints, grade: float) -> dict[str, list[Floats]]:
        """Label -> for each run, the value of each row's query if the document of the row had the grade."""
        found = [values_if_judged(run, measures.values(), self.place[rows], grade) for run in self.runs]
        return {label: [values[measure] for values in found] for label, measure in measures.items()}


def _of_best_queries(rows: Ints, query: Ints, effect: Floats, most: int) -> Ints:
    """All rows of the queries with the largest effects, up to a limit."""
    largest = np.zeros(int(query.max(initial=0)) + 1)
    np.maximum.at(largest, query, effect)
    counts = np.bincount(query, minlength=len(largest))
    order = np.argsort(-largest, kind="stable")
    kept = order[np.cumsum(counts[order]) <= most]
    return rows[np.isin(query, kept)]
