"""Prepares judgements (broadcast or shuffled), runs and exclusions.

A row of an excluded document stays, without document and value: its query is ranked, even if nothing of it is left.
"""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import polars as pl

from rankgold.core.errors import DataError
from rankgold.core.policy import Policy
from rankgold.core.segments import Ints, ranges, starts_of
from rankgold.core.subtopics import Subtopics
from rankgold.data.exclusion import ids_of, read_pairs
from rankgold.data.ids import IdColumn, is_text, to_polars
from rankgold.data.inputs import given_runs, is_path, is_read_here, read, run_name, unused_name
from rankgold.data.matching.table_judgements import TableJudgements
from rankgold.data.query_groups import QueryGroups
from rankgold.data.rows import Rows
from rankgold.data.selection import ParentRule
from rankgold.data.table import Table
from rankgold.engines.fetched_frames import prepared_judgements
from rankgold.engines.request import Request
from rankgold.engines.spark.dataframes import SparkInput, aliased, first_repeated_row, to_spark
from rankgold.engines.spark.inputs import is_small_file, spark_input, table_on_spark
from rankgold.engines.spark.rows import InputRows
from rankgold.engines.spark.session import is_spark_frame

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


BROADCAST_LIMIT = 1_000_000
"""Up to this many judgements, about ten megabytes, are broadcast to every task. More are shuffled."""


@dataclass(frozen=True)
class SparkJudgements:
    """Either `broadcast`, read into this process, or `shuffled`, a frame on Spark."""

    types: tuple[str, str]
    remarks: tuple[str, ...]
    broadcast: TableJudgements | None = None
    shuffled: InputRows | None = None

    @classmethod
    def of(cls, request: Request, session: SparkSession) -> SparkJudgements:
        qrels, columns, repeats = request.qrels, request.columns, request.policy.repeats
        is_here = not is_path(qrels) or is_read_here(qrels) or is_small_file(qrels)
        if is_here and not is_spark_frame(qrels) and table_on_spark(qrels, session) is None:
            return cls._of_rows(read(qrels, "qrels", columns, repeats), request)
        source = spark_input(qrels, "qrels", session, columns, repeats)
        rows = InputRows.of(source, "qrels", columns)
        empty_queries = [query for queries in source.empty_queries.values() for query in queries]
        checked = rows.frame.selectExpr(*aliased(rows.expressions(as_text=False) | {"faulty": rows.is_faulty}))
        collected = pl.DataFrame(checked.limit(BROADCAST_LIMIT + 1).toArrow())
        if collected["faulty"].any() and (fault := rows.fault()):
            raise fault
        if collected.height > BROADCAST_LIMIT:
            if empty_queries:
                raise DataError("this many judgements cannot be in lists if some of the lists are empty.", rows.label)
            return cls(rows.types, rows.remarks, shuffled=rows)
        if not (collected.height or empty_queries):
            raise DataError("there are no rows.", rows.label)
        # Rows on Spark have no order. Sorted, they give the queries the same order each time.
        frame = collected.drop("faulty").rename({"value": "grade"}).sort("query", "document", *rows.of_subtopics)
        nothing = {"": pl.Series(sorted(empty_queries), dtype=frame["query"].dtype)} if empty_queries else {}
        table = Table(frame, "", lambda row: rows.label, rows.remarks, nothing=nothing)
        return cls._of_rows(table, request)

    @classmethod
    def _of_rows(cls, rows: Rows, request: Request) -> SparkJudgements:
        judged = prepared_judgements(rows, request)
        types = (_type(judged.queries), _type(judged.lookup.documents))
        return cls(types, judged.judgements.remarks, broadcast=judged)

    @property
    def subtopics(self) -> tuple[bool, bool]:
        """Whether there are subtopics, and whether documents share several; if that is not known, they do."""
        if self.broadcast is None:
            has_subtopics = self.shuffled is not None and bool(self.shuffled.of_subtopics)
            return has_subtopics, has_subtopics
        subtopics = self.broadcast.judgements.subtopics
        return subtopics is not None, subtopics is not None and subtopics.are_shared

    def max_grade(self) -> float:
        if self.broadcast is not None:
            return self.broadcast.judgements.max_grade
        assert self.shuffled is not None
        highest = self.shuffled.frame.selectExpr(f"max({self.shuffled.value}) as highest").collect()[0].highest
        return max(float(highest or 0.0), 0.0)


def _type(ids: IdColumn) -> str:
    return "text" if is_text(ids) else "integer"


@dataclass(frozen=True)
class BroadcastJudgements:
    """All judgements, query by query. A query is identified by its number."""

    packed: bytes
    """Documents and grades, in Arrow's format."""
    names: bytes
    """The queries, as they are compared with those of the run, in Arrow's format."""
    starts: Ints
    """The judgements of query i are at `starts[i]:starts[i + 1]`."""
    subtopics: Subtopics | None = None

    @classmethod
    def of(cls, judged: TableJudgements, as_text: bool) -> BroadcastJudgements:
        documents, names = to_polars(judged.lookup.documents), to_polars(judged.queries)
        if as_text:
            documents, names = documents.cast(pl.String), names.cast(pl.String)
        rows = pl.DataFrame({"document": documents, "grade": judged.judgements.grade})
        queries = _packed(pl.DataFrame({"query": names}))
        return cls(_packed(rows), queries, judged.lookup.starts, judged.judgements.subtopics)

    def __getstate__(self) -> dict[str, Any]:
        return {"packed": self.packed, "names": self.names, "starts": self.starts, "subtopics": self.subtopics}

    @cached_property
    def rows(self) -> pl.DataFrame:
        return pl.read_ipc(self.packed)

    @cached_property
    def queries(self) -> pl.Series:
        return pl.read_ipc(self.names)["query"]

    def rows_of(self, numbers: Ints) -> tuple[Ints, Ints]:
        """The positions of the judgements of these queries, and where those of each query start among them.

        With starts [0, 2, 5] the judgements of query 1 are at the positions [2, 3, 4], and they start at [0, 3].
        """
        lengths = self.starts[numbers + 1] - self.starts[numbers]
        return ranges(self.starts[numbers], lengths), starts_of(lengths)

    def judged(self, numbers: Ints, policy: Policy, parent: ParentRule | None) -> TableJudgements:
        at, starts = self.rows_of(numbers)
        rows = self.rows[at]
        queries, grades = self.queries.gather(numbers), rows["grade"].to_numpy()
        groups = QueryGroups(queries, starts, rows["document"].rechunk(), grades, lambda row: "the judgements")
        judged = TableJudgements.of(groups, policy, parent)
        if self.subtopics is None:
            return judged
        return replace(judged, judgements=replace(judged.judgements, subtopics=self.subtopics.take(at)))


def _packed(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_ipc(buffer, compression="zstd")
    return buffer.getvalue()


_MOST_RUNS = 10_000


@dataclass(frozen=True)
class RunFrame:
    """A frame with one run or several."""

    rows: InputRows
    numbers: dict[str | None, int]
    """The text in the column of runs -> the number of the run; None -> its number, where there is no such column."""

    def numbered(self, session: SparkSession) -> tuple[DataFrame, str]:
        """The frame, and an expression for the number of a row's run."""
        if len(self.numbers) == 1:
            return self.rows.frame, str(next(iter(self.numbers.values())))
        numbers = session.createDataFrame(list(self.numbers.items()), "run string, run_number int").hint("broadcast")
        frame = self.rows.frame.withColumnRenamed("run", "tag")
        return frame.join(numbers, frame["tag"].cast("string") == numbers["run"], "left"), "run_number"


@dataclass(frozen=True)
class SparkRuns:
    """All runs of a task. The number of a run is the position of its name."""

    frames: tuple[RunFrame, ...]
    names: tuple[str, ...]
    types: tuple[str, str]
    """The types of the ids of queries and of documents, as in InputRows; text where the frames differ."""
    empty_queries: tuple[list[Any], ...]
    """For each run the queries that it ranks with nothing, which have no rows."""

    @classmethod
    def of(cls, request: Request, session: SparkSession) -> SparkRuns:
        frames: list[RunFrame] = []
        names: list[str] = []
        empty_queries: list[list[Any]] = []
        for given, data in given_runs(request.run, request.columns):
            source = spark_input(data, "run", session, request.columns, request.policy.repeats)
            rows, tags = _rows_and_tags(source, request)
            tags = source.all_runs(tags)
            numbers: dict[str | None, int] = {}
            for tag in tags or (None,):
                name = source.name if tag is None else tag
                numbers[tag] = len(names)
                empty_queries.append(source.empty_queries.get(name, []))
                names.append(unused_name(run_name(given, name, max(len(tags), 1)), names))
            frames.append(RunFrame(rows, numbers))
        types = {frame.rows.types for frame in frames}
        one_type = types.pop() if len(types) == 1 else ("text", "mixed")
        return cls(tuple(frames), tuple(names), one_type, tuple(empty_queries))


def _rows_and_tags(source: SparkInput, request: Request) -> tuple[InputRows, list[str]]:
    """The rows of a frame, and the names in its column of runs, if it has one."""
    rows = InputRows.of(source, "run", request.columns, request.engine.trust_ranks)
    if "run" not in rows.frame.columns:
        return rows, []
    found = rows.frame.where("run is not null").selectExpr("cast(run as string) as run").distinct()
    tags = sorted(row.run for row in found.limit(_MOST_RUNS + 1).collect())
    if len(tags) > _MOST_RUNS:
        raise DataError(
            f"there are more than {_MOST_RUNS:,} runs. Check which column names the runs (columns={{'run': ...}}).",
            source.label,
        )
    # Tags of a TREC file name runs where a query has several; otherwise they are one run with careless tags.
    pairs = rows.frame.select("query", "run").distinct()
    if source.is_trec and len(tags) > 1 and first_repeated_row(pairs, "query") is None:
        return InputRows.of(
            replace(source, frame=source.frame.drop("run")), "run", request.columns, request.engine.trust_ranks
        ), []
    return rows, tags


def excluded_pairs(request: Request, session: SparkSession) -> DataFrame | None:
    """A frame of the excluded queries and documents, as text; None if nothing is excluded."""
    source = request.exclude
    if source is None:
        return None
    if is_spark_frame(source) or is_path(source):
        named = ids_of(request.columns)
        rows = InputRows.of(spark_input(source, "pairs", session, named, "first"), "pairs", named)
        if fault := rows.fault():
            raise fault
        ids = rows.expressions(as_text=True)
        pairs = rows.frame.selectExpr(f"{ids['query']} as excluded_query", f"{ids['document']} as excluded_document")
    else:
        here = read_pairs(source, request.columns).select(pl.all().cast(pl.String).name.prefix("excluded_"))
        pairs = to_spark(here, session)
    return pairs.distinct()


def mark_out(rows: DataFrame, excluded: DataFrame) -> DataFrame:
    """The rows of runs (query, document, value, run), those of excluded documents without document and value."""
    same_query = rows["query"].cast("string") == excluded["excluded_query"]
    same_document = rows["document"].cast("string") == excluded["excluded_document"]
    kept = "case when excluded_query is null then {0} end as {0}"
    joined = rows.join(excluded, same_query & same_document, "left")
    return joined.selectExpr("query", kept.format("document"), kept.format("value"), "run")
