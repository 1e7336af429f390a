"""Matches whole queries on an executor and hands their hits to the work it was sent with.

A task receives all rows of some queries, each with the `key` of its query. `run` says what a row is: a document ranked
by the run of this number; a judgement, or only a judged query where judgements are broadcast; or a faulty row.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import polars as pl

from rankgold.core.errors import DataError, RankgoldError
from rankgold.core.hits import Hits
from rankgold.core.policy import Policy
from rankgold.core.segments import Floats, Ints
from rankgold.data.chunks import DiskPartitions
from rankgold.data.ids import to_polars
from rankgold.data.matching.hash_lookup import Lookup, hashes_of
from rankgold.data.matching.judgements import Retrieval, condenses_first
from rankgold.data.matching.ranks import Places
from rankgold.data.matching.table_judgements import TableJudgements
from rankgold.data.selection import ParentRule
from rankgold.data.slice_scheme import Division, SliceScheme
from rankgold.data.table import Table, stretches
from rankgold.engines.protocol import Gatherer
from rankgold.engines.spark.dataframes import pickled
from rankgold.engines.spark.prepared_data import BroadcastJudgements
from rankgold.engines.spark.query_attributes import FIRST_ATTRIBUTE

if TYPE_CHECKING:
    import pyarrow


# A task holds this many rows in memory, about 200 megabytes. More rows go through temporary files.
_ROWS_IN_MEMORY = 2_000_000
_FILES = 64


def whole_queries(batches: Iterable[pyarrow.RecordBatch], most: int = _ROWS_IN_MEMORY) -> Iterator[pl.DataFrame]:
    """Frames sorted by `key`, which identifies a query. All rows of a query are in the same frame."""
    frames = frames_of_batches(batches, most)
    first_two = list(islice(frames, 2))
    if len(first_two) < 2:
        yield from (frame.sort("key") for frame in first_two)
        return
    with TemporaryDirectory(prefix="rankgold-") as folder:
        spill = DiskPartitions(Path(folder), "key", _FILES)
        for number, frame in enumerate(chain(first_two, frames)):
            spill.put(frame, number)
        first_two.clear()
        yield from (rows.sort("key") for rows in spill.read() if rows is not None)


def frames_of_batches(batches: Iterable[pyarrow.RecordBatch], most: int) -> Iterator[pl.DataFrame]:
    """Consecutive batches as frames of `most` rows or slightly more; the last frame may be smaller."""
    import pyarrow as pa

    waiting, rows = [], 0
    for batch in batches:
        if not batch.num_rows:
            continue
        waiting.append(batch)
        rows += batch.num_rows
        if rows >= most:
            yield pl.DataFrame(pa.Table.from_batches(waiting))
            waiting, rows = [], 0
    if waiting:
        yield pl.DataFrame(pa.Table.from_batches(waiting))


COUNT = -1
_ROWS_AT_ONCE = 200_000
SCHEMA = "key bigint, run int, judgement bigint, value double"


@dataclass(frozen=True)
class HitFinder:
    """Finds judged documents before the shuffle. Spark sends it to the executors and calls it for each partition.

    A record is made for each judged document, with its rank as value; and one for each query and run, with COUNT as
    judgement and the number of its documents as value.
    """

    judgements: BroadcastJudgements

    def __call__(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        for rows in frames_of_batches(batches, _ROWS_AT_ONCE):
            for (run,), rows_of_run in rows.partition_by("run", as_dict=True).items():
                records = self._records(rows_of_run, int(run))
                yield from records.to_arrow(compat_level=pl.CompatLevel.oldest()).to_batches()

    def _records(self, rows: pl.DataFrame, run: int) -> pl.DataFrame:
        rows = rows.sort("key", maintain_order=True)
        if run < 0:
            return _records(rows["key"].to_numpy(), run, np.full(rows.height, COUNT), np.zeros(rows.height))
        starts = stretches(rows["key"])
        number = rows["key"].gather(starts[:-1]).to_numpy()
        at, judged_starts = self.judgements.rows_of(number)
        lookup = Lookup.of(self.judgements.rows[at]["document"], judged_starts)
        documents = rows["document"].rechunk()
        found, judgement = lookup.find(documents, hashes_of(documents), starts, np.arange(len(number)))
        hits = _records(rows["key"].to_numpy()[found], run, at[judgement], rows["value"].to_numpy()[found])
        return pl.concat([hits, _records(number, run, np.full(len(number), COUNT), np.diff(starts))])


def _records(key: Ints, run: int, judgement: Ints, value: Floats | Ints) -> pl.DataFrame:
    return pl.DataFrame(
        {"key": key, "run": np.full(len(key), run, np.int32), "judgement": judgement, "value": value},
        schema_overrides={"key": pl.Int64, "judgement": pl.Int64, "value": pl.Float64},
    )


@dataclass(frozen=True, slots=True)
class TrustedRanks:
    """The judged documents that a run ranks, and their ranks as the run gives them."""

    judgement: Ints
    rank: Floats
    returned: Ints
    """How many documents the run has for each judged query."""
    unjudged: tuple[Any, ...] = ()
    """The queries that the run ranks and nobody judged."""

    @classmethod
    def of_records(cls, records: pl.DataFrame, judgements: BroadcastJudgements, numbers: Ints) -> TrustedRanks:
        """From what HitFinder found; `numbers` are the judged queries."""
        is_count = records["judgement"].to_numpy() == COUNT
        query = np.searchsorted(numbers, records["key"].to_numpy())
        value = records["value"].to_numpy()
        returned = np.bincount(query[is_count], value[is_count], len(numbers)).astype(np.int64)
        # A judgement's position among all judgements -> its position among those of these queries.
        _, starts = judgements.rows_of(numbers)
        hit = query[~is_count]
        judgement = records["judgement"].to_numpy()[~is_count] - judgements.starts[numbers[hit]] + starts[hit]
        return cls(judgement, value[~is_count], returned)

    @classmethod
    def of_rows(cls, run: Table, judged: TableJudgements) -> TrustedRanks:
        """From the rows of whole queries, with the ranks as scores."""
        rows = run.groups()
        found = judged.find(rows, hashes_of(rows.documents))
        return cls(found.judgement, rows.numbers[found.at], found.returned, found.unjudged_queries)

    def hits(self, judged: TableJudgements, policy: Policy, name: str) -> tuple[Hits, int]:
        """The Hits; and how many of the judged queries the run ranks."""
        query = judged.judgements.query[self.judgement]
        places = Places.without_ties(self.rank.astype(np.int64) - 1)
        retrieval = Retrieval(self.judgement, None, places, self.returned, self.unjudged)
        if condenses_first(policy):
            retrieval = retrieval.condensed(query)
        return judged.judgements.hits(retrieval, policy, name), int(np.count_nonzero(self.returned))


JUDGED, FAULTY = -1, -2


class TaskWork(Protocol):
    """The part of a Work that a task needs."""

    def of_hits(self, hits: Hits) -> Any: ...
    def gatherer(self) -> Gatherer[Any] | None: ...


class HandedOutHits:
    """The work that leaves hits as they are."""

    def of_hits(self, hits: Hits) -> Hits:
        return hits

    def gatherer(self) -> None:
        return None


class HighestGrades:
    """The work that finds the highest grade of what each run retrieved."""

    def of_hits(self, hits: Hits) -> float:
        return hits.max_grade

    def gatherer(self) -> None:
        return None


@dataclass(frozen=True, slots=True)
class NameSample(Sequence[Any]):
    """The first few names, and the number of all."""

    total: int = 0
    first: tuple[Any, ...] = ()

    @classmethod
    def of(cls, names: Sequence[Any]) -> NameSample:
        return cls(len(names), tuple(names[:5]))

    def __add__(self, other: NameSample) -> NameSample:
        return NameSample(self.total + other.total, (*self.first, *other.first)[:5])

    def __len__(self) -> int:
        return self.total

    def __getitem__(self, position: Any) -> Any:
        return self.first[position]


@dataclass(frozen=True, slots=True)
class TaskResult:
    """The result for some queries that a task sends to the driver."""

    judged: NameSample = field(default_factory=NameSample)
    rows: int = 0
    """How many rows of runs these queries have."""
    common: tuple[int, ...] = ()
    """How many of the judged queries each run ranks."""
    unjudged: tuple[NameSample, ...] = ()
    """The queries without judgements that each run ranks, where their rows came to the task."""
    made: Any = ()
    """The work's result for each run, or the sums of its gatherer."""
    fault: str | None = None
    """An error in the data; empty where the driver has to find it."""

    def __add__(self, other: TaskResult) -> TaskResult:
        return TaskResult(
            self.judged + other.judged,
            self.rows + other.rows,
            tuple(a + b for a, b in zip(self.common, other.common, strict=True)),
            tuple(a + b for a, b in zip(self.unjudged, other.unjudged, strict=True)),
        )


@dataclass(frozen=True)
class QueryEvaluator:
    """Matches queries and has the work done. Spark sends it to the executors and calls it for each partition."""

    names: tuple[str, ...]
    """The names of the runs."""
    work: TaskWork
    policy: Policy
    scales: tuple[float, ...] | None
    """The highest grade for each run; None if that of the queries here is wanted."""
    trust_ranks: bool
    judgements: BroadcastJudgements | None
    parent: ParentRule | None = None
    scheme: SliceScheme | None = None
    """The slices whose sums are wanted too."""

    def __call__(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        return pickled(self._results(batches))

    def _results(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[TaskResult]:
        empty = TaskResult(NameSample(), 0, (0,) * len(self.names), (NameSample(),) * len(self.names))
        total, gatherer = empty, self.work.gatherer()
        try:
            for chunk in whole_queries(batches):
                hits_of_runs, result = self._matched(chunk)
                if gatherer is None:
                    yield replace(result, made=tuple(map(self.work.of_hits, hits_of_runs)))
                elif len(result.judged) or any(map(len, result.unjudged)):
                    total += result
                    gatherer.add(hits_of_runs, self._division(chunk, hits_of_runs[0].queries))
        except RankgoldError as error:
            yield replace(empty, fault=str(error))
            return
        if gatherer is not None:
            yield replace(total, made=gatherer.sums())

    def _division(self, chunk: pl.DataFrame, queries: Sequence[Any]) -> Division | None:
        """The slices of the queries of a chunk, from the rows that have their codes."""
        if self.scheme is None:
            return None
        place = {str(query): i for i, query in enumerate(queries)}
        codes: dict[str, Ints] = {}
        for i, (name, slices) in enumerate(self.scheme.attributes.items()):
            rows = chunk.filter(pl.col("run") == FIRST_ATTRIBUTE - i)
            ids = rows["query"] if self.judgements is None else self.judgements.queries.gather(rows["key"])
            at = [place[text] for text in ids.cast(pl.String).to_list()]
            codes[name] = np.full(len(place), slices.missing, dtype=np.int64)
            codes[name][at] = rows["value"].to_numpy().astype(np.int64)
        return Division(self.scheme, place, codes)

    def _matched(self, chunk: pl.DataFrame) -> tuple[list[Hits], TaskResult]:
        if (chunk["run"] == FAULTY).any():
            raise DataError("")
        numbers = chunk["key"].unique(maintain_order=True).to_numpy()
        judged = self._judged(chunk, numbers)
        hits_of_runs, common = [], []
        ranked = chunk.filter(pl.col("run") >= 0)
        for number, name in enumerate(self.names):
            rows = ranked if len(self.names) == 1 else ranked.filter(pl.col("run") == number)
            hits, count = self._hits(judged, rows, numbers, name)
            highest = hits.max_grade if self.scales is None else self.scales[number]
            hits_of_runs.append(replace(hits, max_grade=highest, lists=None))
            common.append(count)
        unjudged = tuple(NameSample.of(hits.notes.without_judgements) for hits in hits_of_runs)
        count = ranked.height
        if self.trust_ranks and self.judgements is not None:
            count = int(ranked.filter(pl.col("judgement") == COUNT)["value"].sum())
        return hits_of_runs, TaskResult(NameSample.of(judged.judgements.queries), count, tuple(common), unjudged)

    def _judged(self, chunk: pl.DataFrame, numbers: Ints) -> TableJudgements:
        if self.judgements is not None:
            return self.judgements.judged(numbers, self.policy, self.parent)
        # Sorted, because a shuffle delivers the rows of a query in another order each time.
        of_subtopics = [role for role in ("subtopic", "weight") if role in chunk.columns]
        rows = chunk.filter(pl.col("run") == JUDGED).sort("query", "document", *of_subtopics)
        rows = rows.select("query", "document", *of_subtopics, grade="value")
        return TableJudgements.of(Table(rows, "", lambda row: "the judgements").groups(), self.policy, self.parent)

    def _hits(self, judged: TableJudgements, rows: pl.DataFrame, numbers: Ints, name: str) -> tuple[Hits, int]:
        if self.trust_ranks and self.judgements is not None:
            return TrustedRanks.of_records(rows, self.judgements, numbers).hits(judged, self.policy, name)
        if self.trust_ranks:
            return TrustedRanks.of_rows(self._table(rows, name), judged).hits(judged, self.policy, name)
        retrieval, common = judged.retrieve([self._table(rows, name)] if rows.height else [], self.policy)
        hits = judged.judgements.hits(retrieval, self.policy, name)
        excluded = rows.filter(pl.col("document").is_null())
        if self.judgements is None:
            excluded = excluded.filter(pl.col("query").is_in(to_polars(judged.queries).cast(rows["query"].dtype)))
        return replace(hits, notes=replace(hits.notes, excluded=excluded.height)), common

    def _table(self, rows: pl.DataFrame, name: str) -> Table:
        if self.judgements is not None:
            rows = rows.with_columns(query=self.judgements.queries.gather(rows["key"]))
        listed = rows.filter(pl.col("document").is_not_null())
        starts = None if self.judgements is None else stretches(listed["key"])
        nothing = {}
        if listed.height < rows.height:
            nothing = {name: rows.join(listed, on="query", how="anti")["query"].unique(maintain_order=True)}
        label = f"run {name!r}" if len(self.names) > 1 else "the run"
        return Table(listed.select("query", "document", score="value"), name, lambda row: label, (), starts, nothing)
