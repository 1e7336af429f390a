"""Frames that hold a list of documents in each row in, checked tables with a row for each document out.

A row is a query with its ranked documents, the best first, or with its relevant ones; a second list may hold their
numbers. The entries of a list may also be records: an id with a score or a grade.
"""

from __future__ import annotations

from dataclasses import replace

import polars as pl

from rankgold.data.checked_columns import checked_ids
from rankgold.data.columns import NUMBER, Columns
from rankgold.data.query_lists import PADDING, padding_remark, record_names
from rankgold.data.rows import Place
from rankgold.data.table import Table, TableSource, check_rows, places_of
from rankgold.errors import DataError, counted


def table_of_lists(selected: pl.DataFrame, columns: Columns, source: TableSource) -> Table:
    """The table of a frame whose column `document` holds lists."""
    kind, place = source.kind, source.place
    number = NUMBER[kind]
    frame = selected.with_columns(checked_ids(selected["query"], "query", place), _as_lists(selected["document"]))
    keys = [column for column in frame.columns if column in ("query", "run", "subtopic")]
    lengths = frame["document"].list.len().fill_null(0)
    if columns.number is not None:
        frame = frame.with_columns(_numbers(frame[number], lengths, columns, place))
    _check_once(frame, keys, place)
    nothing = frame.filter(lengths == 0)
    if "subtopic" in keys:  # a query may have documents for another subtopic
        nothing = nothing.join(frame.filter(lengths > 0), on="query", how="anti").unique("query", maintain_order=True)
    listed = frame.with_row_index("row").filter(lengths > 0)
    rows = listed.explode("document", *([] if columns.number is None else [number]))
    if isinstance(rows["document"].dtype, pl.Struct):
        rows, columns = _with_records(rows, columns, source)
    if columns.number is None and kind == "run":
        rows = rows.with_columns(score=1.0 + pl.int_range(pl.len()).over("row").cast(pl.Float64))
        columns = replace(columns, number_is="rank")
    is_array = isinstance(selected["document"].dtype, pl.Array)
    rows, remarks = _without_padding(rows, is_array, place(0).partition(", row")[0])
    checked, place_of_row = check_rows(rows.drop("row"), columns, places_of(place, rows["row"]), source.faults)
    nothing_by_run = _by_run(nothing, source.name)
    return Table(checked, source.name, place_of_row, (*columns.remarks, *remarks), nothing=nothing_by_run)


def _as_lists(column: pl.Series) -> pl.Series:
    return column.arr.to_list() if isinstance(column.dtype, pl.Array) else column


def _check_once(frame: pl.DataFrame, keys: list[str], place: Place) -> None:
    """Raises an error if a query has two lists: their documents would have no order."""
    repeated = frame.select(keys).is_duplicated().arg_true()
    if len(repeated):
        row = frame.row(repeated[0], named=True)
        same = frame.with_row_index("row").filter(pl.all_horizontal(pl.col(key).eq_missing(row[key]) for key in keys))
        first, second = same["row"][:2]
        raise DataError(
            f"query {row['query']!r} has two lists of documents (first at {place(first).rpartition(', ')[2]})."
            " Put its documents into one list.",
            place(second),
        )


def _numbers(numbers: pl.Series, lengths: pl.Series, columns: Columns, place: Place) -> pl.Series:
    """The column of numbers, if it holds as many in each row as there are documents."""
    if not isinstance(numbers.dtype, (pl.List, pl.Array)):
        raise DataError(
            f"the column {columns.document!r} holds lists of documents, and {columns.number!r} holds one number a row."
            f" Give each document a {columns.number_is}, or leave that column out: a list is ranked.",
            place(0),
        )
    numbers = _as_lists(numbers)
    counts = numbers.list.len().fill_null(0)
    differ = (counts != lengths).arg_true()
    if len(differ):
        row = differ[0]
        raise DataError(
            f"the lists have {counted(lengths[row], 'document')} and {counted(counts[row], 'number')}. Each document"
            f" needs a {columns.number_is}.",
            place(row),
        )
    return numbers


def _with_records(rows: pl.DataFrame, columns: Columns, source: TableSource) -> tuple[pl.DataFrame, Columns]:
    """The rows with the document and the number that the records of the lists hold."""
    fields = [field.name for field in rows["document"].dtype.fields]  # type: ignore[attr-defined]
    document, number, number_is = record_names(fields, source.kind, source.named, source.place(0))
    taken = {"document": pl.col("document").struct.field(document)}
    if number is not None:
        taken[NUMBER[source.kind]] = pl.col("document").struct.field(number)
        columns = replace(columns, number=number, number_is=number_is, remarks=())
    return rows.with_columns(**taken), columns


def _without_padding(rows: pl.DataFrame, is_array: bool, what: str) -> tuple[pl.DataFrame, tuple[str, ...]]:
    """The rows without those of -1 that are padding, as in the lists of dicts."""
    if not rows["document"].dtype.is_integer() or not (rows["document"] == PADDING).any():
        return rows, ()
    is_padding = pl.col("document") == PADDING
    repeats_it, ends_with_it = (is_padding.sum() > 1).over("row"), is_padding.last().over("row")
    ends_padded = pl.lit(True) if is_array else (is_padding & is_padding.shift(1) & ends_with_it).any()
    kept = rows.filter(~(is_padding & (repeats_it | (ends_with_it & ends_padded))))
    return kept, padding_remark(rows.height - kept.height, what)


def _by_run(nothing: pl.DataFrame, name: str) -> dict[str, pl.Series]:
    """Run -> the queries with an empty list."""
    if not nothing.height:
        return {}
    if "run" not in nothing.columns:
        return {name: nothing["query"]}
    return {str(run): rows["query"] for (run,), rows in nothing.partition_by("run", as_dict=True).items()}
