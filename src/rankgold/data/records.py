"""Makes tables of records, lists in columns, dicts and sparse matrices.

The values of a column may be of several types.

A row is a query with its ranked documents, the best first, or with its relevant ones; a second list may hold their
numbers. The entries of a list may also be records: an id with a score or a grade.

Any matrix with the attributes of SciPy's compressed rows is read, so SciPy itself is not imported.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankgold.core.errors import DataError, counted
from rankgold.core.segments import starts_of
from rankgold.data.checked_columns import checked_ids
from rankgold.data.columns import NUMBER, WHAT, Columns, Kind
from rankgold.data.dicts import DictRows, numbers
from rankgold.data.ids import id_series
from rankgold.data.query_groups import QueryGroups
from rankgold.data.query_lists import PADDING, entries_of_lists, padding_remark, record_names
from rankgold.data.rows import Nested, Place
from rankgold.data.table import Table, TableSource, check_rows, places_of, table_of_columns
from rankgold.data.value_faults import described, number_fault

if TYPE_CHECKING:
    from scipy.sparse import spmatrix


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


def table_of_records(records: Sequence[Mapping[str, Any]], source: TableSource) -> Table:
    """The table of one record per row."""
    return table_of_values(values_of_records(records), source)


def values_of_records(records: Sequence[Mapping[str, Any]]) -> dict[str, list[Any]]:
    """Column -> its values; None for a missing one. Columns with dicts in them are left out."""
    keys = dict.fromkeys(key for record in records for key in record if isinstance(key, str))
    columns = {key: [record.get(key) for record in records] for key in keys}
    return {key: values for key, values in columns.items() if not any(isinstance(value, dict) for value in values)}


def table_of_values(values: Mapping[str, Sequence[Any]], source: TableSource) -> Table:
    """The table of columns with values of any types; one may hold a list of documents in each row."""
    lists = [column for column, entries in values.items() if any(isinstance(entry, list) for entry in entries)]
    columns = source.find_columns(list(values), lists)
    if columns.document in lists and source.kind != "labelled":
        return _table_of_lists(values, columns, source)
    rows = len(next(iter(values.values())))
    series = {
        role: pl.Series([1.0] * rows) if column is None else series_of(role, values[column], source.label)
        for role, column in columns.roles.items()
    }
    return table_of_columns(pl.DataFrame(series), columns, source)


def _table_of_lists(values: Mapping[str, Sequence[Any]], columns: Columns, source: TableSource) -> Table:
    number = NUMBER[source.kind]
    roles = {role: values[column] for role, column in columns.roles.items() if column is not None}
    roles["document"], numbers, number_is = entries_of_lists(roles["document"], source.kind, source.named, source.place)
    if numbers is not None:
        columns = replace(columns, number="", number_is=number_is, remarks=())
        roles[number] = numbers
    frame = pl.DataFrame(
        {
            role: _list_series(role, entries, source)
            if role in ("document", number)
            else series_of(role, entries, source.label)
            for role, entries in roles.items()
        }
    )
    if number not in frame.columns:
        frame = frame.with_columns(pl.lit(1.0).alias(number))
    return table_of_lists(frame, columns, source)


def _list_series(role: str, lists: Sequence[Any], source: TableSource) -> pl.Series:
    """A column of lists; None is an empty list."""
    if role != "document" and not any(isinstance(listed, list) for listed in lists):
        return series_of(role, lists, source.label)
    for row, listed in enumerate(lists):
        if listed is not None and not isinstance(listed, list):
            raise DataError(f"the {role} is {described(listed)}, and a list in other rows.", source.place(row))
    flat = [entry for listed in lists for entry in listed or ()]
    row_of = [row for row, listed in enumerate(lists) for _ in listed or ()]
    entries = pl.DataFrame({"row": pl.Series(row_of, dtype=pl.Int64), "entry": series_of(role, flat, source.label)})
    by_row = entries.group_by("row", maintain_order=True).agg("entry")
    all_rows = pl.DataFrame({"row": pl.arange(len(lists), eager=True, dtype=pl.Int64)})
    return all_rows.join(by_row, on="row", how="left", maintain_order="left")["entry"]


def series_of(role: str, values: Sequence[Any], label: str) -> pl.Series:
    """The values as ids, text or numbers, as the role of their column wants."""
    if role in ("query", "document", "subtopic"):
        return id_series(values, f"{label}: a {role}")
    if role == "run":
        return pl.Series([None if value is None else str(value) for value in values], dtype=pl.String)
    types = {type(value) for value in values if value is not None}
    if types == {bool}:
        return pl.Series(values, dtype=pl.Boolean)
    try:
        if bool not in types and str not in types:
            return pl.Series([None if value is None else float(value) for value in values], dtype=pl.Float64)
    except (OverflowError, TypeError, ValueError):  # an integer that is too large; an object that is not a number
        pass
    return pl.Series([None if value is None else str(value) for value in values], dtype=pl.String)


def read_matrix(source: spmatrix, kind: Kind) -> Table:
    """The stored values, zeros too. A row without any has no judgements, or no ranking."""
    what = WHAT[kind]
    matrix = source.tocsr() if hasattr(source, "tocsr") else source
    starts, columns, values = (np.asarray(getattr(matrix, name)) for name in ("indptr", "indices", "data"))
    if len(matrix.shape) != 2:
        raise DataError("a sparse matrix must have rows (queries) and columns (documents).", what)
    if values.dtype.kind not in "biuf":
        raise DataError(f"a sparse matrix must hold numbers, not {values.dtype}.", what)
    if not len(values):
        raise DataError("there are no stored values in this sparse matrix.", what)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(starts))

    def place(at: int) -> str:
        return f"{what}, row {rows[at]}, column {columns[at]}"

    numbers = values.astype(np.float64)
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if len(wrong):
        raise DataError(number_fault(NUMBER[kind], float(numbers[wrong[0]])), place(int(wrong[0])))
    ids = {"query": rows.astype(np.int64), "document": columns.astype(np.int64)}
    return Table(pl.DataFrame({**ids, NUMBER[kind]: numbers}), "run", place)


def groups_of_dicts(tables: Nested, kind: Kind, remarks: tuple[str, ...] = ()) -> QueryGroups:
    """The rows by query. A query that is judged with nothing, or ranked with nothing, has no rows."""
    starts = starts_of(np.array([len(row) for row in tables.values()], dtype=np.int64))
    queries = id_series(list(tables), f"{WHAT[kind]}: a query")
    documents = id_series([document for row in tables.values() for document in row], f"{WHAT[kind]}: a document")

    def place(row: int) -> str:
        return f"{WHAT[kind]}, query {queries[int(np.searchsorted(starts, row, side='right')) - 1]!r}"

    return QueryGroups(queries, starts, documents, numbers(tables, tables, kind), place, remarks)


def table_of_dicts(rows: DictRows) -> Table:
    """The table of all runs, with a column of runs if there are several. Ids of mixed types become text."""
    kind = rows.kind
    frames = {name: groups_of_dicts(tables, kind).frame(NUMBER[kind]) for name, tables in rows.runs.items()}
    if len(frames) == 1:
        frame = frames[rows.name]
    else:
        frame = pl.concat(
            [part.with_columns(run=pl.lit(name)) for name, part in frames.items()], how="vertical_relaxed"
        )
    return Table(frame, rows.name, lambda row: f"{WHAT[kind]}, query {frame['query'][row]!r}", rows.remarks)
