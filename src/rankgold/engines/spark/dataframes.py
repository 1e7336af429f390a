"""Moves frames, lists and Python objects to Spark and back."""

from __future__ import annotations

import pickle
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import reduce
from typing import TYPE_CHECKING, Any

import polars as pl

from rankgold.core.errors import DataError
from rankgold.data.columns import Kind, find_columns
from rankgold.data.ids import plain_ids
from rankgold.data.query_lists import record_names
from rankgold.data.value_faults import id_fault
from rankgold.engines.fetched_frames import EngineInput

if TYPE_CHECKING:
    import pyarrow
    from pyspark.sql import DataFrame, Row, SparkSession


INTEGERS = ("tinyint", "smallint", "int", "bigint")
"""Spark's names for the types of integers."""


def to_spark(frame: pl.DataFrame, session: SparkSession) -> DataFrame:
    return session.createDataFrame(frame.to_arrow(compat_level=pl.CompatLevel.oldest()))


def union(frames: Iterable[DataFrame]) -> DataFrame:
    """The rows of all frames. Columns are matched by name."""
    return reduce(lambda whole, frame: whole.unionByName(frame), frames)


def first_repeated_row(frame: DataFrame, *columns: str) -> Row | None:
    """The first values of these columns that several rows share, with their `count`; None if each row has its own."""
    repeated = frame.groupBy(*columns).count().where("`count` > 1").orderBy(*columns).limit(1).collect()
    return repeated[0] if repeated else None


def in_backticks(column: str) -> str:
    """A column's name in Spark's SQL, whatever characters it has."""
    return "`" + column.replace("`", "``") + "`"


def in_utc(column: str, dtype: str) -> str:
    """A column as it is; times with a time zone as text in UTC. Spark's own text is in the zone of the session."""
    name = in_backticks(column)
    if dtype != "timestamp":
        return name
    return f"cast(timestampadd(microsecond, unix_micros({name}), timestamp_ntz'1970-01-01') as string) || '+00:00'"


def aliased(expressions: Mapping[str, str]) -> list[str]:
    """Name -> expression as Spark's SQL selects them."""
    return [f"{expression} as {name}" for name, expression in expressions.items()]


SCHEMA = "payload binary"


def pickled(results: Iterable[object]) -> Iterator[pyarrow.RecordBatch]:
    """Results of a task, each as a row."""
    import pyarrow as pa

    for result in results:
        yield pa.RecordBatch.from_pydict({"payload": pa.array([pickle.dumps(result)], pa.binary())})


def unpickled(payloads: DataFrame) -> list[Any]:
    """The results of all tasks. This runs them."""
    return [pickle.loads(bytes(row.payload)) for row in payloads.collect()]


@dataclass(frozen=True)
class SparkInput(EngineInput):
    """Judgements or runs as a Spark DataFrame with any columns."""

    frame: DataFrame

    @property
    def list_columns(self) -> list[str]:
        """The columns that hold a list in each row."""
        return [column for column, dtype in self.frame.dtypes if dtype.startswith("array<")]


def with_rows_of_lists(source: SparkInput, kind: Kind, named: dict[str, str]) -> SparkInput:
    """The same judgements or run, with a row for each document and its number."""
    frame, types = source.frame, dict(source.frame.dtypes)
    lists = source.list_columns
    if not lists:
        return source
    columns = find_columns(frame.columns, kind, named, source.label, lists=lists)
    if columns.document not in lists:
        return source
    if columns.number is not None and columns.number not in lists:
        raise DataError(
            f"the column {columns.document!r} holds lists of documents, and {columns.number!r} holds one number a row."
            f" Give each document a {columns.number_is}, or leave that column out: a list is ranked.",
            source.label,
        )
    more = (columns.run, columns.subtopic)
    keys = [in_backticks(name) for name in (columns.query, *more) if name is not None]
    if (repeated := first_repeated_row(frame, *keys)) is not None:  # the documents of two lists would have no order
        raise DataError(
            f"query {repeated[0]!r} has two lists of documents. Put its documents into one list.", source.label
        )
    if columns.weight is not None:
        keys.append(in_backticks(columns.weight))
    documents = in_backticks(columns.document)
    listed, number, rank = documents, columns.number, "place + 1"
    entry = "entry"
    if number is not None:
        listed = f"arrays_zip({documents}, {in_backticks(number)})"
        entry, rank = f"entry.{documents}", f"entry.{in_backticks(number)}"
    elif types[columns.document].startswith("array<struct<"):
        names = frame.schema[columns.document].dataType.elementType.names
        document, number, number_is = record_names(names, kind, named, source.label)
        entry = f"entry.{in_backticks(document)}"
        rank = rank if number is None else f"entry.{in_backticks(number)}"
        number = None if number is None else number_is
    if types[columns.document].removeprefix("array<").rstrip(">") in INTEGERS:
        ends_padded = bool(frame.where(f"slice({documents}, -2, 2) = array(-1, -1)").limit(1).collect())
        listed = _without_padding(documents, listed, "x" if number is None else f"x.{documents}", ends_padded)
    # With subtopics, a query has several lists, and some may be empty.
    of_query = keys if columns.subtopic is None else keys[:1]
    query = f"{in_utc(columns.query, types[columns.query])} as {keys[0]}"
    sized = frame.selectExpr(query, *of_query[1:], f"coalesce(size({documents}), 0) as size")
    without_documents = sized.groupBy(*of_query).max("size").where("`max(size)` <= 0").collect()
    rows = frame.selectExpr(*keys, f"posexplode({listed}) as (place, entry)")
    # Judgements of a query and a document alone are the relevant ones, and get grade 1.
    numbers = [] if number is None and kind == "qrels" else [f"{rank} as {in_backticks(number or 'rank')}"]
    rows = rows.selectExpr(*keys, f"{entry} as {documents}", *numbers)
    empty: dict[str, list[Any]] = {}
    queries = plain_ids([row[0] for row in without_documents], f"{source.label}: a query")
    for row, id_ in zip(without_documents, queries, strict=True):
        if id_ is None:
            raise DataError(id_fault("query", None), source.label)
        empty.setdefault(source.name if columns.run is None else str(row[1]), []).append(id_)
    return replace(source, frame=rows, empty_queries=empty)


def _without_padding(documents: str, listed: str, document: str, ends_padded: bool) -> str:
    """The list without -1, if it repeats it; and if it ends with it, where other lists end with several."""
    is_padded = f"size(filter({documents}, x -> x = -1)) > 1"
    if ends_padded:
        is_padded += f" or (size({documents}) > 0 and element_at({documents}, -1) = -1)"
    return f"case when {is_padded} then filter({listed}, x -> {document} != -1) else {listed} end"
