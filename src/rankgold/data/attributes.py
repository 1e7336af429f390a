"""Reads the attributes of queries from a table or from the data."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import polars as pl

from rankgold.core.errors import DataError, listing, nearest
from rankgold.data.catalogues import content_of_file
from rankgold.data.checked_columns import checked_ids
from rankgold.data.columns import ALIASES, check_column_names, first_alias, found_and_hint, has_query, role_name
from rankgold.data.files import open_file
from rankgold.data.formats.registry import is_binary_format
from rankgold.data.frames import check_index, column_of, columns_of_records, frame_of, is_pandas
from rankgold.data.ids import id_series
from rankgold.data.inputs import is_path, is_pattern, is_pipe
from rankgold.data.polars_guard import check_polars
from rankgold.data.rows import Rows
from rankgold.data.slices import Slices
from rankgold.data.table import row_places

WHAT = "the attributes"
"""The name in errors of a table of attributes that is not a file."""
DATA_COLUMNS = "the columns of the data"
"""The name in errors of attributes in the judgements and runs."""

Source = TypeVar("Source")

_UNNAMED = "slice"
_OTHER_IDS = ("id", "_id")
_IDS = (*ALIASES["query"], *_OTHER_IDS)
# A code such as 007 is not a number.
_NUMBER = r"^[+-]?((0|[1-9]\d*)(\.\d*)?|\.\d+)([eE][+-]?\d+)?$"
_DATE = r"^\d{4}-\d{2}-\d{2}$"


@dataclass(frozen=True, slots=True, eq=False)
class QueryAttributes:
    """The attributes of queries, each query once."""

    queries: pl.Series
    """Ids as text: two ids are the same if they are the same as text."""
    values: dict[str, pl.Series]
    """Attribute -> its value for each query, null where it has none."""
    label: str = WHAT


@dataclass(frozen=True, slots=True, eq=False)
class WholeTable:
    """All columns of a table, or those that an engine sent."""

    frame: pl.DataFrame
    is_text: bool = False
    """Whether it comes from a text file, where numbers and dates are text."""
    names: tuple[str, ...] = ()
    """The names of all columns, if the frame has only some of them."""

    def column(self, name: str) -> pl.Series:
        column = self.frame[name]
        return _typed_column(column) if self.is_text and column.dtype == pl.String else column

    def with_queries(self, names: Sequence[str], named: Mapping[str, str]) -> pl.DataFrame:
        """The column of queries, and the named columns that exist."""
        query = query_column(self.frame.columns, named, DATA_COLUMNS)
        known = {name: self.column(name) for name in names if name in self.frame.columns}
        return pl.DataFrame({**known, query: self.frame[query]})


def read_attributes(
    slices: Slices, columns: Mapping[str, str] | None = None, data: Sequence[Any] = ()
) -> QueryAttributes:
    """The attributes in the table of the slices; without one, the columns of the data: the judgements and the runs."""
    check_polars()
    named = check_column_names(columns)
    if slices.table is None:
        return columns_of_data(slices, [table_of_data(source) for source in data], named)
    label = os.fspath(slices.table) if is_path(slices.table) else WHAT
    return attributes_of_table(_table_of_attributes(slices.table, named, label), named, label)


def attributes_of_table(table: WholeTable, named: Mapping[str, str], label: str) -> QueryAttributes:
    """The attributes in a table that has each query once."""
    frame = table.frame
    column = query_column(frame.columns, named, label)
    queries = _texts(frame[column], label)
    if not len(queries):
        raise DataError("there are no rows.", label)
    if (repeated := queries.is_duplicated()).any():
        query = queries.filter(repeated)[0]
        raise repeated_rows(query, int((queries == query).sum()), label)
    values = {name: table.column(name) for name in attribute_columns(frame.columns, column, label)}
    return QueryAttributes(queries, values, label)


def attribute_columns(names: Sequence[str], query: str, label: str) -> list[str]:
    """The columns of a table besides that of the queries."""
    others = [name for name in names if name != query]
    if not others:
        raise DataError("there is no column besides the queries. Add one for each attribute.", label)
    return others


def columns_of_data(slices: Slices, tables: Sequence[WholeTable | None], named: Mapping[str, str]) -> QueryAttributes:
    """The attributes in columns of the data, from all sources that have them."""
    parts: dict[str, pl.DataFrame] = {}
    readable = [(table, table.names or table.frame.columns) for table in tables if table is not None]
    for name in slices.base_names():
        found = [_pairs(table, name, named) for table in sources_with(name, readable)]
        parts[name] = _one_value_each(_joined(found, name).unique(maintain_order=True), name)
    queries = pl.concat([part["query"] for part in parts.values()]).unique(maintain_order=True)
    whole = pl.DataFrame({"query": queries})
    values = {
        name: whole.join(part, on="query", how="left", maintain_order="left")["value"] for name, part in parts.items()
    }
    return QueryAttributes(queries, values, DATA_COLUMNS)


def sources_with(name: str, sources: Sequence[tuple[Source, Sequence[str]]]) -> list[Source]:
    """The sources that have a column of this name; an error if none has. Each comes with the names of its columns."""
    found = [source for source, columns in sources if name in columns]
    if found:
        return found
    known = dict.fromkeys(column for _, columns in sources for column in columns)
    columns = f"Columns: {listing(map(repr, known), 20)}." if known else "None of them is a table with columns."
    raise DataError(
        f"by={name!r} is neither a file nor a column of the judgements or the run.{nearest(name, known)} {columns}"
    )


def several_values(query: str, name: str, first: object, second: object) -> DataError:
    """The error for a column that has several values for one query."""
    return DataError(
        f"query {query!r} has several values of {name!r}: {first!r} and {second!r}. An attribute belongs to the query,"
        " not to a document."
    )


def repeated_rows(query: str, count: int, label: str) -> DataError:
    """The error for a query that has several rows of attributes."""
    return DataError(f"query {query!r} has {count} rows of attributes. Keep one of them.", label)


def as_table(slices: Slices, data: Sequence[Any], columns: Mapping[str, str] | None = None) -> Slices:
    """The same slices with a table of their own, where the attributes are columns of the data."""
    if slices.table is not None:
        return slices
    found = read_attributes(slices, columns, data)
    return replace(slices, table=pl.DataFrame({"query": found.queries, **found.values}))


def _pairs(table: WholeTable, name: str, named: Mapping[str, str]) -> pl.DataFrame:
    """Query and value, each pair once."""
    queries = table.frame[query_column(table.frame.columns, named, "the data")]
    distinct = pl.DataFrame({"query": queries, "value": table.column(name)}).unique(maintain_order=True)
    return distinct.with_columns(query=_texts(distinct["query"], "the data"))


def _joined(parts: Sequence[pl.DataFrame], name: str) -> pl.DataFrame:
    """The pairs of all sources. Numbers become text where another source has text."""
    try:
        return pl.concat(parts, how="vertical_relaxed")
    except pl.exceptions.PolarsError:
        types = dict.fromkeys(str(part["value"].dtype) for part in parts)
        raise DataError(
            f"the attribute {name!r} mixes types: {listing(types)}. Attributes must be text,"
            " numbers, dates or booleans."
        ) from None


def _one_value_each(pairs: pl.DataFrame, name: str) -> pl.DataFrame:
    """The pairs, if each query has one value. Rows without a value are ignored."""
    known = pairs.filter(pl.col("value").is_not_null())
    if (repeated := known["query"].is_duplicated()).any():
        query = known["query"].filter(repeated)[0]
        first, second, *_ = known.filter(pl.col("query") == query)["value"].to_list()
        raise several_values(query, name, first, second)
    return known


def table_of_data(source: object) -> WholeTable | None:
    """A source of judgements or runs with all of its columns; None if it has none, as dicts and TREC files."""
    if isinstance(source, (Mapping, Rows)) or is_pipe(source) or is_pattern(source):
        return None
    return None if hasattr(source, "tocsr") else _whole_table(source, "the data")


def _whole_table(source: object, label: str) -> WholeTable | None:
    """The table in a file, a dict or a frame; None if it is something else."""
    is_text = False
    if is_path(source):
        file = open_file(source, "pairs", {})
        source, label, is_text = content_of_file(file, _IDS), file.label, not is_binary_format(file.head())
    frame = _frame_of_dict(source, label) if isinstance(source, Mapping) else frame_of(source, label)
    return None if frame is None else WholeTable(frame, is_text)


def query_column(names: Sequence[str], named: Mapping[str, str], label: str) -> str:
    """The column that holds the queries of a table with attributes."""
    column = role_name(names, "query", named) or first_alias(names, _OTHER_IDS)
    if column is None:
        raise DataError(f"cannot tell which column holds the query. Columns {found_and_hint(names, 'query')}", label)
    return column


def _table_of_attributes(source: object, named: Mapping[str, str], label: str) -> WholeTable:
    if is_pandas(source):
        check_index(source, named, label, ("query",))
    if (table := _whole_table(source, label)) is None:
        raise DataError(
            "this is not a table of attributes: it needs a header, a column of queries and one for each attribute.",
            label,
        )
    return table


def _frame_of_dict(source: Mapping[Any, Any], label: str) -> pl.DataFrame:
    """A dict from query to value, from query to a dict of values, or from column to list."""
    values = list(source.values())
    if values and all(isinstance(value, (list, tuple)) for value in values) and has_query(source, {}):
        if len({*map(len, values)}) > 1:
            raise DataError("the columns are of different lengths.", label)
        return pl.DataFrame({str(name): column_of(list(value), str(name), label) for name, value in source.items()})
    queries = {"query": id_series(list(source), f"{label}: a query")}
    if not any(isinstance(value, Mapping) for value in values):
        return pl.DataFrame({**queries, _UNNAMED: column_of(values, _UNNAMED, label)})
    if not all(isinstance(value, Mapping) for value in values):
        raise DataError("some queries have a dict of attributes, and others a value. Give all of them a dict.", label)
    return pl.DataFrame(queries | columns_of_records(values, label) | queries)


def _texts(ids: pl.Series, label: str) -> pl.Series:
    return checked_ids(ids, "query", row_places(label)).cast(pl.String).alias("query")


def _typed_column(column: pl.Series) -> pl.Series:
    """A column of text as numbers or dates, if all of it parses. An empty field has no value."""
    text = column.str.strip_chars().replace("", None)
    if not text.count():
        return text
    if text.str.contains(_NUMBER).all():
        whole = text.cast(pl.Int64, strict=False)
        return whole if whole.null_count() == text.null_count() else text.cast(pl.Float64, strict=False)
    if text.str.contains(_DATE).all() and (date := text.str.to_date(strict=False)).null_count() == text.null_count():
        return date
    return text
