"""Records, or columns of Python values, in; a checked table out. The values of a column may be of several types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import polars as pl

from rankgold.data.columns import NUMBER, Columns
from rankgold.data.ids import id_series
from rankgold.data.list_tables import table_of_lists
from rankgold.data.numbers import described
from rankgold.data.query_lists import entries_of_lists
from rankgold.data.table import Table, TableSource, table_of_columns
from rankgold.errors import DataError


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
