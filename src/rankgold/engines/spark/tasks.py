"""What runs on the executors: rows that come query by query are matched and measured, many queries at a time.

A task gets Arrow batches with all rows of some queries, each with the `key` of its query. `run` says what a row is: a
document that the run of this number ranks; a judgement, or just a judged query where judgements were sent ahead; or a
faulty one.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from rankgold.data.table import Table, stretches
from rankgold.declaration.metric import Measure
from rankgold.engines.spark.broadcast import Shipped, Some
from rankgold.engines.spark.query_batches import whole_queries
from rankgold.engines.spark.trusted_ranks import COUNT, hits_of_ranks, ranked_hits
from rankgold.errors import DataError, RankgoldError
from rankgold.hits import Hits
from rankgold.matching.tables import TableJudgements
from rankgold.policy import Policy
from rankgold.scoring.accumulator import Accumulator, Sums
from rankgold.scoring.scores import RunScores
from rankgold.scoring.values import score_run

if TYPE_CHECKING:
    import pyarrow

JUDGED, FAULTY = -1, -2
SCHEMA = "payload binary"


@dataclass(frozen=True, slots=True)
class Part:
    """What a task tells the driver of some queries."""

    judged: Some = field(default_factory=Some)
    rows: int = 0
    """How many rows of runs these queries have."""
    common: tuple[int, ...] = ()
    """How many of the judged queries each run ranks."""
    unjudged: tuple[Some, ...] = ()
    """The queries that each run ranks and nobody judged, where they came here."""
    runs: tuple[RunScores, ...] = ()
    """Every query's values,"""
    sums: Sums | None = None
    """or only what they add up to."""
    fault: str | None = None
    """What is wrong with the data; empty where the driver has to look."""

    def __add__(self, other: Part) -> Part:
        return Part(
            self.judged + other.judged,
            self.rows + other.rows,
            tuple(a + b for a, b in zip(self.common, other.common, strict=True)),
            tuple(a + b for a, b in zip(self.unjudged, other.unjudged, strict=True)),
        )


@dataclass(frozen=True)
class Measuring:
    """Measures queries. Spark sends it to the executors, and calls it there once for each partition."""

    names: tuple[str, ...]
    """Those of the runs."""
    measures: dict[str, Measure]
    policy: Policy
    max_grade: float
    per_query: bool
    trusted: bool
    shipped: Shipped | None

    def __call__(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[pyarrow.RecordBatch]:
        import pyarrow as pa

        for part in self._parts(batches):
            yield pa.RecordBatch.from_pydict({"payload": pa.array([pickle.dumps(part)], pa.binary())})

    def _parts(self, batches: Iterator[pyarrow.RecordBatch]) -> Iterator[Part]:
        nobody = Part(Some(), 0, (0,) * len(self.names), (Some(),) * len(self.names))
        total, sums = nobody, Accumulator(self.measures, self.policy) if not self.per_query else None
        try:
            for chunk in whole_queries(batches):
                every, part = self._matched(chunk)
                if sums is None:
                    yield replace(part, runs=tuple(score_run(hits, self.measures) for hits in every))
                elif len(part.judged) or any(len(some) for some in part.unjudged):
                    total += part
                    sums.update(*every)
        except RankgoldError as error:
            yield replace(nobody, fault=str(error))
            return
        if sums is not None:
            yield replace(total, sums=sums.sums())

    def _matched(self, chunk: pl.DataFrame) -> tuple[list[Hits], Part]:
        if (chunk["run"] == FAULTY).any():
            raise DataError("")
        numbers = None if self.shipped is None else chunk["key"].unique(maintain_order=True).to_numpy()
        judged = self._judged(chunk, numbers)
        every, common = [], []
        ranked = chunk.filter(pl.col("run") >= 0)
        for number, name in enumerate(self.names):
            rows = ranked if len(self.names) == 1 else ranked.filter(pl.col("run") == number)
            hits, count = self._hits(judged, rows, numbers, name)
            every.append(replace(hits, max_grade=self.max_grade))
            common.append(count)
        unjudged = tuple(Some.of(hits.notes.without_judgements) for hits in every)
        count = ranked.height
        if self.trusted and self.shipped is not None:
            count = int(ranked.filter(pl.col("judgement") == COUNT)["value"].sum())
        return every, Part(Some.of(judged.judgements.queries), count, tuple(common), unjudged)

    def _judged(self, chunk: pl.DataFrame, numbers: Any) -> TableJudgements:
        if self.shipped is not None:
            return self.shipped.judged(numbers, self.policy)
        # Sorted, for the order in which a query's rows come from a shuffle is not the same each time.
        rows = (
            chunk.filter(pl.col("run") == JUDGED).select("query", "document", grade="value").sort("query", "document")
        )
        return TableJudgements.of(Table(rows, "", lambda row: "the judgements"), self.policy)

    def _hits(self, judged: TableJudgements, rows: pl.DataFrame, numbers: Any, name: str) -> tuple[Hits, int]:
        if self.trusted and self.shipped is not None:
            return ranked_hits(judged, self.shipped, numbers, rows, self.policy, name)
        table = self._table(rows, name)
        if self.trusted:
            return hits_of_ranks(judged, table, self.policy, name)
        return judged.match_queries([table] if rows.height else [], self.policy, name)

    def _table(self, rows: pl.DataFrame, name: str) -> Table:
        starts = None
        if self.shipped is not None:
            starts = stretches(rows["key"])
            rows = rows.with_columns(query=self.shipped.queries.gather(rows["key"]))
        where = f"run {name!r}" if len(self.names) > 1 else "the run"
        return Table(rows.select("query", "document", score="value"), name, lambda row: where, (), starts)
