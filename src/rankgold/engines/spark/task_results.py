"""A Job in, Scores or Hits out: runs the job, and joins the results of its tasks."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankgold.engines.spark.job import Job
from rankgold.engines.spark.payloads import unpickled
from rankgold.engines.spark.session import arrow_settings
from rankgold.engines.spark.tasks import NameSample, Output, TaskResult
from rankgold.errors import DataError, counted
from rankgold.hits import Hits
from rankgold.kernels.segments import Ints
from rankgold.matching.hits_union import unite_hits
from rankgold.matching.judgements import IDS_AS_TEXT, NOTHING_EXCLUDED, check_overlap
from rankgold.notes import Notes
from rankgold.scoring.run_scores import RunScores
from rankgold.scoring.score_sums import ScoreSums
from rankgold.scoring.scores import Scores
from rankgold.scoring.slice_parts import sliced
from rankgold.scoring.slice_sums import SliceSums
from rankgold.scoring.values import SUBTOPIC_REMARKS, subtopic_remarks

_RANKS_TRUSTED = "ranks were trusted: documents ranked twice and ranks left out were not looked for"

OriginalQuery = Callable[[Any], tuple[Any, Any]]
"""From a query as it was compared to its position in the order of the judgements, and its original name."""


def collected_scores(job: Job) -> Scores:
    if not job.task.per_query:
        return _score_all_sums(job, *_collected(job, "sums"))
    results, unjudged = _collected(job, "values")
    original = _original_query(job)
    runs = [
        _run_scores(job, number, [result.runs[number] for result in results], unjudged[number], original)
        for number in range(len(job.runs.names))
    ]
    scores = Scores(runs, job.task.measures, job.task.policy)
    attributes, slices = job.attributes, job.task.slices
    if attributes is None or slices is None:
        return scores
    of_all = job.task.topics is None
    return sliced(scores, lambda queries: attributes.division(queries, slices, job.session, of_all))


def collected_hits(job: Job) -> list[Hits]:
    results, unjudged = _collected(job, "hits")
    original = _original_query(job)
    return [
        _hits(job, number, [result.hits[number] for result in results], unjudged[number], original)
        for number in range(len(job.runs.names))
    ]


def _collected(job: Job, output: Output) -> tuple[list[TaskResult], list[Sequence[Any]]]:
    """The results of all tasks, checked; and for each run the queries that nobody judged."""
    scales = _scales(job) if output != "hits" and job.scales_after_matching else None
    results = _ran(job, output, scales)
    results = [result for result in results if result.common]
    unjudged = _unjudged(job, results, output)
    broadcast = job.judgements.broadcast
    judged: Sequence[Any] = sum((result.judged for result in results), NameSample())
    if broadcast is not None:
        judged = broadcast.judgements.queries
    topics = job.task.topics
    known = set(map(job.compared, judged))
    for number, empty in enumerate(job.runs.empty_queries):
        common = sum(result.common[number] for result in results)
        ranked = [job.compared(query) for query in empty if topics is None or query in topics]
        common += sum(query in known for query in ranked)
        queries = unjudged[number] = _with_more(unjudged[number], [query for query in ranked if query not in known])
        if topics is None and not (common or queries):
            raise DataError("there are no rows.", job.runs.frames[0].rows.label)
        check_overlap(common, judged, queries, job.task.policy, job.runs.names[number])
    return results, unjudged


def _ran(job: Job, output: Output, scales: tuple[float, ...] | None = None) -> list[TaskResult]:
    with arrow_settings(job.session):
        results: list[TaskResult] = unpickled(job.results(output, scales))
    _raise_faults(job, results)
    return results


def _scales(job: Job) -> tuple[float, ...]:
    """The highest grade of what each run retrieved. The runs are matched once more for it."""
    found = [result.scales for result in _ran(job, "scales")]
    return tuple(max(grades, default=0.0) for grades in zip(*found, strict=True)) or (0.0,) * len(job.runs.names)


def _with_more(names: Sequence[Any], more: list[Any]) -> Sequence[Any]:
    if not more:
        return names
    return names + NameSample.of(more) if isinstance(names, NameSample) else sorted([*names, *more])


def _raise_faults(job: Job, results: list[TaskResult]) -> None:
    faults = [result.fault for result in results if result.fault is not None]
    if not faults:
        return
    if "" in faults:
        for rows in job.input_rows():
            if fault := rows.fault():
                raise fault
    raise DataError(
        min(filter(None, faults), default="a row was faulty, and was not found again. Has the data changed?")
    )


def _unjudged(job: Job, results: list[TaskResult], output: Output) -> list[Sequence[Any]]:
    """For each run the queries without judgements; a sample of them, where the values of queries are not kept."""
    count = len(job.runs.names)
    if job.judgements.broadcast is None:
        if output == "sums":
            return [sum((result.unjudged[i] for result in results), NameSample()) for i in range(count)]
        notes = [[run.notes for run in result.hits or result.runs] for result in results]
        return [sorted(name for of_runs in notes for name in of_runs[i].without_judgements) for i in range(count)]
    if job.count() == sum(result.rows for result in results):
        return [()] * count
    found = job.unjudged_queries()
    if output != "sums" or job.task.topics is not None:
        rows = found.collect()
        return [sorted(row.query for row in rows if row.run == i) for i in range(count)]
    counts = {row["run"]: row["count"] for row in found.groupBy("run").count().collect()}
    firsts = {i: tuple(row.query for row in found.where(f"run = {i}").limit(5).collect()) for i in counts}
    return [NameSample(counts[i], firsts[i]) if i in counts else () for i in range(count)]


def _score_all_sums(job: Job, results: list[TaskResult], unjudged: list[Sequence[Any]]) -> Scores:
    total = ScoreSums(job.task.measures, job.task.policy)
    for result in results:
        if result.sums is not None and result.sums.runs:
            total.add(result.sums)
    scores = total.scores()
    runs = []
    for number, run in enumerate(scores.run_scores(name) for name in job.runs.names):
        remarks = tuple(remark for remark in run.notes.remarks if remark not in SUBTOPIC_REMARKS)
        if job.judgements.broadcast is not None and (count := len(unjudged[number])):
            remarks += (f"{counted(count, 'query')} ranked but not judged",)
        on_run = _remarks(job, number, run.notes, unjudged[number])
        runs.append(replace(run, notes=replace(run.notes, remarks=remarks + on_run)))
    whole = scores.of_runs(runs)
    if job.slices is None:
        return whole
    of_slices = SliceSums(job.task.measures, job.task.policy)
    for result in results:
        of_slices.add(result.slices)
    parts = of_slices.parts(job.slices.scheme, job.runs.names)
    return replace(whole, parts=parts, slice_notes=job.slices.notes)


def _run_scores(
    job: Job, number: int, parts: Sequence[RunScores], unjudged: Sequence[Any], original: OriginalQuery
) -> RunScores:
    order, queries = _ordered_queries(parts, original)
    values = {label: np.concatenate([part.values[label] for part in parts])[order] for label in job.task.measures}
    means = {label: job.task.measures[label].metric.aggregate(column) for label, column in values.items()}
    notes = _notes(job, number, [part.notes for part in parts], unjudged, original)
    return RunScores(job.runs.names[number], queries, values, means, notes)


def _hits(job: Job, number: int, parts: Sequence[Hits], unjudged: Sequence[Any], original: OriginalQuery) -> Hits:
    order, queries = _ordered_queries(parts, original)
    has_integers = job.as_text and job.judgements.types[1] == "integer"
    hits = unite_hits(parts, order, int if has_integers else None)
    return replace(hits, queries=queries, notes=_notes(job, number, [hits.notes], unjudged, original))


def _ordered_queries(parts: Sequence[RunScores | Hits], original: OriginalQuery) -> tuple[Ints, list[Any]]:
    """How to order the queries of all parts, one part after the other; and their names in this order."""
    places = [original(query) for part in parts for query in part.queries]
    order = sorted(range(len(places)), key=lambda i: places[i][0])
    return np.array(order, dtype=np.int64), [places[i][1] for i in order]


def _notes(job: Job, number: int, parts: Sequence[Notes], unjudged: Sequence[Any], original: OriginalQuery) -> Notes:
    def names(queries: Iterable[Any]) -> tuple[Any, ...]:
        return tuple(name for _, name in sorted(map(original, queries)))

    notes = Notes.join(parts)
    return replace(
        notes,
        without_ranking=names(notes.without_ranking),
        without_relevant=names(notes.without_relevant),
        without_judgements=tuple(unjudged),
        undefined={label: notes.undefined[label] for label in job.task.measures if label in notes.undefined},
        remarks=_remarks(job, number, notes, unjudged),
    )


def _original_query(job: Job) -> OriginalQuery:
    broadcast = job.judgements.broadcast
    if broadcast is not None:
        names = broadcast.judgements.queries
        number = {job.compared(name): i for i, name in enumerate(names)}
        return lambda query: (number[query], names[number[query]])
    if job.as_text and job.judgements.types[0] == "integer":
        return lambda query: (int(query), int(query))
    return lambda query: (query, query)


def _remarks(job: Job, number: int, notes: Notes, unjudged: Sequence[Any]) -> tuple[str, ...]:
    run = next(run for run in job.runs.frames if number in run.numbers.values())
    as_text = (IDS_AS_TEXT,) if run.rows.types != job.judgements.types else ()
    trusted = (_RANKS_TRUSTED,) if job.task.trust_ranks else ()
    excluded = (NOTHING_EXCLUDED,) if job.excluded is not None and not notes.excluded else ()
    on_topics = _remarks_on_topics(job, unjudged)
    known = job.judgements.remarks + run.rows.remarks + as_text + trusted + excluded + on_topics
    return known + subtopic_remarks(job.task.measures, *job.judgements.subtopics)


def _remarks_on_topics(job: Job, unjudged: Sequence[Any]) -> tuple[str, ...]:
    topics = job.task.topics
    is_sample = isinstance(unjudged, NameSample) and len(unjudged) > len(unjudged.first)
    return () if topics is None or is_sample else topics.remarks(job.judged_topics(), unjudged)
