"""A Spark DataFrame in, one with a row for each document out, if it has a list of documents in each row."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rankgold.data.columns import Kind, find_columns
from rankgold.data.id_faults import id_fault
from rankgold.data.ids import plain_ids
from rankgold.data.query_lists import record_names
from rankgold.engines.engine_input import EngineInput
from rankgold.engines.spark.dataframes import INTEGERS, first_repeated_row, in_backticks, in_utc
from rankgold.errors import DataError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


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
