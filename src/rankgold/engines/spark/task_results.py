"""Runs the job and joins what its tasks return."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankgold.core.errors import DataError, counted
from rankgold.core.hits import Hits, Ids, RankedDocuments, Ranking
from rankgold.core.notes import Notes
from rankgold.core.segments import Ints, starts_of
from rankgold.core.subtopics import Subtopics
from rankgold.core.ties import TiedRanking
from rankgold.data.fingerprints import Fingerprint, Fingerprints, fingerprint_of_columns, fingerprint_of_queries
from rankgold.data.matching.judgements import IDS_AS_TEXT, NOTHING_EXCLUDED, check_overlap
from rankgold.engines.protocol import Result, RunParts, SumParts, Work
from rankgold.engines.spark import dataframes
from rankgold.engines.spark.dataframes import aliased, unpickled
from rankgold.engines.spark.job import Job
from rankgold.engines.spark.query_attributes import SparkSlices
from rankgold.engines.spark.rows import InputRows
from rankgold.engines.spark.session import arrow_settings
from rankgold.engines.spark.tasks import HandedOutHits, HighestGrades, NameSample, TaskResult, TaskWork

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame


def source_fingerprints(job: Job) -> list[Fingerprints | None]:
    """Those of each run and its judgements, if the request wants them."""
    empty_queries, judged = job.runs.empty_queries, job.judgements.broadcast
    if not job.request.fingerprint:
        return [None] * len(empty_queries)
    known = Fingerprint() if judged is None or judged.fingerprint is None else judged.fingerprint
    shuffled = job.judgements.shuffled
    with arrow_settings(job.session):
        if shuffled is not None:
            known = _hashed(_without_only_subtopic(shuffled), shuffled.frame, "0")[0]
        of_rows = _sums(_hashed(run.rows, *run.numbered(job.session)) for run in job.runs.frames)
    return [
        Fingerprints(known, of_rows.get(number, Fingerprint()) + fingerprint_of_queries(queries))
        for number, queries in enumerate(empty_queries)
    ]


def _without_only_subtopic(rows: InputRows) -> InputRows:
    """The same rows. One subtopic for all rows, without a weight, does not count: most TREC files have 0 there."""
    subtopic = rows.of_subtopics.get("subtopic")
    if subtopic is None or "weight" in rows.of_subtopics:
        return rows
    lowest, highest = rows.frame.selectExpr(f"min({subtopic})", f"max({subtopic})").collect()[0]
    return replace(rows, of_subtopics={}) if lowest == highest else rows


def _hashed(rows: InputRows, frame: DataFrame, number: str) -> dict[int, Fingerprint]:
    """The number of a run -> the fingerprint of its rows."""
    # A trusted rank is not turned into a score for matching. Elsewhere the score of a rank is less than 0.
    value = f"-({rows.value})" if "rank" in rows.faults else rows.value
    expressions = rows.expressions(as_text=True) | {"value": value, "run": f"cast({number} as int)"}
    hashed = frame.selectExpr(*aliased(expressions)).mapInArrow(_hash_rows, dataframes.SCHEMA)
    return _sums(dataframes.unpickled(hashed))


def _sums(parts: Iterable[dict[int, Fingerprint]]) -> dict[int, Fingerprint]:
    """The number of a run -> the sum of its fingerprints in all parts."""
    sums: dict[int, Fingerprint] = {}
    for part in parts:
        for run, fingerprint in part.items():
            sums[run] = sums.get(run, Fingerprint()) + fingerprint
    return sums


def _hash_rows(batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
    """The fingerprints of the runs in one partition. Spark calls it on the executors."""
    frames = (pl.DataFrame(batch).partition_by("run", as_dict=True) for batch in batches)
    return dataframes.pickled([_sums({run: _fingerprint(rows) for (run,), rows in runs.items()} for runs in frames)])


def _fingerprint(rows: pl.DataFrame) -> Fingerprint:
    subtopic, weight = (rows.get_column(role, default=None) for role in ("subtopic", "weight"))
    weights = None if weight is None else weight.to_numpy()
    return fingerprint_of_columns(rows["query"], rows["document"], rows["value"].to_numpy(), subtopic, weights)


def unite_hits(parts: Sequence[Hits], order: Ints, document_id: Callable[[Any], Any] | None = None) -> Hits:
    """The Hits of disjoint sets of queries as one, with the queries in another order.

    Parts with the queries [a, b] and [c], in the order [2, 0, 1]: the queries are [c, a, b]. `document_id` converts
    ids of documents.
    """
    queries = [query for part in parts for query in part.queries]
    new_number = np.empty_like(order)
    new_number[order] = np.arange(len(order))
    counts = [_documents(part) for part in parts]
    first_row = starts_of(np.array(counts))
    ids = zip((part.ideal.whole.documents for part in parts), counts, strict=True)
    documents = [None if known is None else known[row] for known, count in ids for row in range(count)]
    if document_id is not None:
        documents = list(map(document_id, documents))
    return replace(
        parts[0],
        queries=[queries[i] for i in order.tolist()],
        system=_unite_systems([part.system for part in parts], new_number, first_row, documents),
        ideal=_unite_rankings([part.ideal.whole for part in parts], new_number, first_row, documents)[0],
        returned=np.concatenate([part.returned for part in parts])[order],
        max_grade=max(part.max_grade for part in parts),
        notes=Notes.join([part.notes for part in parts]),
        subtopics=_unite_subtopics(parts),
    )


def _documents(part: Hits) -> int:
    """The number of documents that rows are positions of. The ideal ranking has fewer where the policy drops some."""
    if part.subtopics is not None:
        return len(part.subtopics.place)
    return int(part.ideal.whole.row.max(initial=-1)) + 1


def _unite_subtopics(parts: Sequence[Hits]) -> Subtopics | None:
    """The subtopics of all parts. In a part without any, each query is one."""
    if all(part.subtopics is None for part in parts):
        return None
    return Subtopics.join([part.subtopics or _single_subtopics(part) for part in parts])


def _single_subtopics(part: Hits) -> Subtopics:
    judged, count = part.ideal.whole, _documents(part)
    order = np.argsort(judged.row)
    single = Subtopics.single(judged.query[order], judged.grade[order])
    # A document that the policy drops has no subtopic.
    entries = np.bincount(judged.row, minlength=count)
    return replace(single, starts=starts_of(entries), place=np.arange(count))


def _unite_systems(
    parts: Sequence[RankedDocuments], new_number: Ints, first_row: Ints, documents: Ids
) -> Ranking | TiedRanking:
    ranking, order = _unite_rankings([part.single for part in parts], new_number, first_row, documents)
    if not any(isinstance(part, TiedRanking) for part in parts):
        return ranking
    sizes = [part.group_size if isinstance(part, TiedRanking) else np.ones_like(part.single.rank) for part in parts]
    depth = next(part.depth for part in parts if isinstance(part, TiedRanking))
    return TiedRanking(ranking, np.concatenate(sizes)[order], depth)


def _unite_rankings(
    parts: Sequence[Ranking], new_number: Ints, first_row: Ints, documents: Ids
) -> tuple[Ranking, Ints]:
    """The rankings as one, and the order of their rows in it."""
    first_query = starts_of(np.array([part.n_queries for part in parts]))
    query = new_number[np.concatenate([part.query + first for part, first in zip(parts, first_query, strict=False)])]
    scores = [part.score for part in parts if part.score is not None]
    order = np.argsort(query, kind="stable")
    ranking = Ranking(
        query,
        np.concatenate([part.rank for part in parts]),
        np.concatenate([part.grade for part in parts]),
        len(new_number),
        np.concatenate([part.row + first for part, first in zip(parts, first_row, strict=False)]),
        documents,
        np.concatenate(scores) if len(scores) == len(parts) else None,
    )
    return ranking.keep(order), order


_RANKS_TRUSTED = "ranks were trusted: documents ranked twice and ranks left out were not looked for"

OriginalQuery = Callable[[Any], tuple[Any, Any]]
"""From a query as it was compared to its position in the order of the judgements, and its original name."""


def collected_hits(job: Job) -> list[Hits]:
    results, unjudged = _collected(job, HandedOutHits(), None)
    return [_hits(job, run) for run in _runs(job, results, unjudged, source_fingerprints(job))]


def reduced_hits(job: Job, work: Work[Result]) -> Result:
    """The result of the work on the hits, which stay on the executors."""
    results, unjudged = _collected(job, work, _scales(job), job.slices)
    gatherer, known = work.gatherer(), source_fingerprints(job)
    if gatherer is None:
        return work.whole(list(map(work.joined, _runs(job, results, unjudged, known))), job.divide)

    def remarks(number: int, notes: Notes) -> tuple[str, ...]:
        count = 0 if job.judgements.broadcast is None else len(unjudged[number])
        more = (f"{counted(count, 'query')} ranked but not judged",) if count else ()
        return more + _remarks(job, number, notes, unjudged[number])

    scheme, notes = (None, ()) if job.slices is None else (job.slices.scheme, job.slices.notes)
    made = [result.made for result in results]
    return gatherer.whole(SumParts(job.runs.names, made, remarks, job.judgements.subtopics, known, scheme, notes))


def _collected(
    job: Job, work: TaskWork, scales: tuple[float, ...] | None, slices: SparkSlices | None = None
) -> tuple[list[TaskResult], list[Sequence[Any]]]:
    """The results of all tasks, checked; and for each run the queries that nobody judged."""
    results = _ran(job, work, scales, slices)
    unjudged = _unjudged(job, results, keeps_queries=work.gatherer() is None)
    broadcast = job.judgements.broadcast
    judged: Sequence[Any] = sum((result.judged for result in results), NameSample())
    if broadcast is not None:
        judged = broadcast.judgements.queries
    topics = job.request.topics
    known = set(map(job.compared, judged))
    for number, empty in enumerate(job.runs.empty_queries):
        common = sum(result.common[number] for result in results)
        ranked = [job.compared(query) for query in empty if topics is None or query in topics]
        common += sum(query in known for query in ranked)
        queries = unjudged[number] = _with_more(unjudged[number], [query for query in ranked if query not in known])
        if topics is None and not (common or queries):
            raise DataError("there are no rows.", job.runs.frames[0].rows.label)
        check_overlap(common, judged, queries, job.request.policy, job.runs.names[number])
    return results, unjudged


def _ran(
    job: Job, work: TaskWork, scales: tuple[float, ...] | None = None, slices: SparkSlices | None = None
) -> list[TaskResult]:
    with arrow_settings(job.session):
        results: list[TaskResult] = unpickled(job.results(work, scales, slices))
    _raise_faults(job, results)
    return results


def _scales(job: Job) -> tuple[float, ...] | None:
    """The highest grade for each run; None if no measure needs it.

    Where the policy drops what a run did not retrieve, the runs are matched once more for it.
    """
    if not job.needs_scale:
        return None
    if not job.scales_after_matching:
        return (job.judgements.max_grade(),) * len(job.runs.names)
    found = [result.made for result in _ran(job, HighestGrades())]
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


def _unjudged(job: Job, results: list[TaskResult], *, keeps_queries: bool) -> list[Sequence[Any]]:
    """For each run the queries without judgements; a sample of them, where the values of queries are not kept."""
    count = len(job.runs.names)
    if job.judgements.broadcast is None:
        if not keeps_queries:
            return [sum((result.unjudged[i] for result in results), NameSample()) for i in range(count)]
        notes = [[part.notes for part in result.made] for result in results]
        return [sorted(name for of_runs in notes for name in of_runs[i].without_judgements) for i in range(count)]
    if job.count() == sum(result.rows for result in results):
        return [()] * count
    found = job.unjudged_queries()
    if keeps_queries or job.request.topics is not None:
        rows = found.collect()
        return [sorted(row.query for row in rows if row.run == i) for i in range(count)]
    counts = {row["run"]: row["count"] for row in found.groupBy("run").count().collect()}
    firsts = {i: tuple(row.query for row in found.where(f"run = {i}").limit(5).collect()) for i in counts}
    return [NameSample(counts[i], firsts[i]) if i in counts else () for i in range(count)]


def _runs(
    job: Job, results: list[TaskResult], unjudged: list[Sequence[Any]], known: list[Fingerprints | None]
) -> list[RunParts]:
    """The parts of each run, and what is known of the whole run."""
    original = _original_query(job)
    runs = []
    for number, name in enumerate(job.runs.names):
        parts = [result.made[number] for result in results]
        order, queries = _ordered_queries(parts, original)
        notes = _notes(job, number, [part.notes for part in parts], unjudged[number], original)
        notes = replace(notes, fingerprints=known[number])
        runs.append(RunParts(name, parts, order, queries, notes, job.judgements.subtopics))
    return runs


def _hits(job: Job, run: RunParts) -> Hits:
    has_integers = job.as_text and job.judgements.types[1] == "integer"
    hits = unite_hits(run.parts, run.order, int if has_integers else None)
    is_counted = job.request.policy.unretrieved == "counted"
    highest = job.judgements.max_grade() if is_counted else hits.max_grade
    return replace(hits, queries=run.queries, notes=run.notes, max_grade=highest)


def _ordered_queries(parts: Sequence[Any], original: OriginalQuery) -> tuple[Ints, list[Any]]:
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
    trusted = (_RANKS_TRUSTED,) if job.request.engine.trust_ranks else ()
    excluded = (NOTHING_EXCLUDED,) if job.excluded is not None and not notes.excluded else ()
    on_topics = _remarks_on_topics(job, unjudged)
    return job.judgements.remarks + run.rows.remarks + as_text + trusted + excluded + on_topics


def _remarks_on_topics(job: Job, unjudged: Sequence[Any]) -> tuple[str, ...]:
    topics = job.request.topics
    is_sample = isinstance(unjudged, NameSample) and len(unjudged) > len(unjudged.first)
    return () if topics is None or is_sample else topics.remarks(job.judged_topics(), unjudged)
