"""What the tasks told -> Scores."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgold.engines.spark.broadcast import Some
from rankgold.engines.spark.job import Job
from rankgold.engines.spark.session import settings_for_queries
from rankgold.engines.spark.tasks import Part
from rankgold.errors import DataError
from rankgold.hits import Notes
from rankgold.matching.judgements import IDS_AS_TEXT, check_overlap
from rankgold.scoring.accumulator import Accumulator
from rankgold.scoring.scores import RunScores, Scores


def gathered(job: Job) -> Scores:
    """Runs the job, and makes Scores of what comes back."""
    with settings_for_queries(job.session):
        parts: list[Part] = [pickle.loads(bytes(row.payload)) for row in job.payloads().collect()]
    _raise_faults(job, parts)
    parts = [part for part in parts if part.common]
    unjudged = _unjudged(job, parts)
    judged = job.judgements.few.judgements.queries if job.judgements.few is not None else _sum(p.judged for p in parts)
    for number, one in enumerate(unjudged):
        common = sum(part.common[number] for part in parts)
        if not (common or one):
            raise DataError("there are no rows.", job.runs.every[0].rows.what)
        check_overlap(common, judged, one, job.work.policy)
    return _every_query(job, parts, unjudged) if job.work.per_query else _added_up(job, parts, unjudged)


def _raise_faults(job: Job, parts: list[Part]) -> None:
    faults = [part.fault for part in parts if part.fault is not None]
    if not faults:
        return
    if "" in faults:
        for rows in job.every_rows():
            if fault := rows.fault():
                raise fault
    raise DataError(min(filter(None, faults), default="a row is faulty, and is no longer there when looked for again."))


def _unjudged(job: Job, parts: list[Part]) -> list[Sequence[Any]]:
    """Of each run the queries that nobody judged; only how many and a few, where queries are not kept."""
    count = len(job.runs.names)
    if job.judgements.few is None:
        if not job.work.per_query:
            return [_sum(part.unjudged[i] for part in parts) for i in range(count)]
        return [_sorted(name for p in parts for name in p.runs[i].notes.without_judgements) for i in range(count)]
    if job.count() == sum(part.rows for part in parts):
        return [()] * count
    found = job.unjudged()
    if job.work.per_query:
        rows = found.collect()
        return [_sorted(row.query for row in rows if row.run == i) for i in range(count)]
    counts = {row["run"]: row["count"] for row in found.groupBy("run").count().collect()}
    return [
        Some(counts[i], tuple(row.query for row in found.where(f"run = {i}").limit(5).collect())) if i in counts else ()
        for i in range(count)
    ]


def _added_up(job: Job, parts: list[Part], unjudged: list[Sequence[Any]]) -> Scores:
    total = Accumulator(job.work.measures, job.work.policy)
    for part in parts:
        if part.sums is not None and part.sums.runs:
            total.add(part.sums)
    scores = total.scores()
    runs = []
    for number, run in enumerate(scores.run_scores(name) for name in job.runs.names):
        remarks = run.notes.remarks
        if job.judgements.few is not None and (count := len(unjudged[number])):
            remarks += (f"{'1 query' if count == 1 else f'{count} queries'} ranked but not judged",)
        runs.append(replace(run, notes=replace(run.notes, remarks=remarks + _remarks(job, number))))
    return scores.of_runs(runs)


def _every_query(job: Job, parts: list[Part], unjudged: list[Sequence[Any]]) -> Scores:
    name_of = _original_names(job)
    runs = []
    for number, name in enumerate(job.runs.names):
        ordered = _Ordered.of([part.runs[number] for part in parts], name_of)
        notes = replace(
            ordered.notes(), without_judgements=tuple(unjudged[number]), remarks=_remarks(job, number)
        )  # fmt: skip
        known = {label: column[~np.isnan(column)] for label, column in ordered.values.items()}
        means = {label: job.work.measures[label].metric.aggregate(column) for label, column in known.items()}
        runs.append(RunScores(name, ordered.queries, ordered.values, means, notes))
    return Scores(runs, job.work.measures, job.work.policy)


@dataclass(frozen=True)
class _Ordered:
    """The parts of a run put together, its queries in the order of the judgements."""

    parts: list[RunScores]
    place: Callable[[Any], tuple[Any, Any]]
    """From a query's name, as it was compared, to what it is sorted by and its own name."""
    queries: list[Any]
    values: dict[str, Any]

    @classmethod
    def of(cls, parts: list[RunScores], place: Callable[[Any], tuple[Any, Any]]) -> _Ordered:
        places = [place(query) for part in parts for query in part.queries]
        order = sorted(range(len(places)), key=lambda i: places[i][0])
        labels = list(parts[0].values)
        values = {label: np.concatenate([part.values[label] for part in parts])[order] for label in labels}
        return cls(parts, place, [places[i][1] for i in order], values)

    def notes(self) -> Notes:
        each = [part.notes for part in self.parts]
        undefined = {label: sum(notes.undefined.get(label, 0) for notes in each) for label in self.values}
        return Notes(
            queries=sum(notes.queries for notes in each),
            without_ranking=self._names(name for notes in each for name in notes.without_ranking),
            without_relevant=self._names(name for notes in each for name in notes.without_relevant),
            retrieved=sum(notes.retrieved for notes in each),
            unjudged=sum(notes.unjudged for notes in each),
            negative_grades=sum(notes.negative_grades for notes in each),
            tied_hits=sum(notes.tied_hits for notes in each),
            undefined={label: count for label, count in undefined.items() if count},
        )

    def _names(self, names: Any) -> tuple[Any, ...]:
        return tuple(own for _, own in sorted(map(self.place, names)))


def _original_names(job: Job) -> Callable[[Any], tuple[Any, Any]]:
    few = job.judgements.few
    if few is not None:
        own = few.judgements.queries
        number = {str(name) if job.as_text else name: i for i, name in enumerate(own)}
        return lambda query: (number[query], own[number[query]])
    if job.as_text and job.judgements.types[0] == "integer":
        return lambda query: (int(query), int(query))
    return lambda query: (query, query)


def _remarks(job: Job, number: int) -> tuple[str, ...]:
    run = next(run for run in job.runs.every if number in run.numbers.values())
    as_text = (IDS_AS_TEXT,) if run.rows.types != job.judgements.types else ()
    trusted = ("ranks were trusted: documents ranked twice and ranks left out were not looked for",)
    return job.judgements.remarks + run.rows.remarks + as_text + (trusted if job.work.trust_ranks else ())


def _sorted(names: Any) -> tuple[Any, ...]:
    return tuple(sorted(names))


def _sum(some: Any) -> Some:
    return sum(some, Some())
