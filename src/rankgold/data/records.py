"""Records, or columns of Python values, in; a checked table out. The values of a column may be of several types."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from rankgold.data.columns import Kind, find_columns
from rankgold.data.ids import id_series
from rankgold.data.rows import Place
from rankgold.data.table import Table, check_rows


def table_of_records(
    records: Sequence[Mapping[str, Any]], kind: Kind, named: dict[str, str], name: str, label: str, place: Place
) -> Table:
    """The table of one record per row. Values that are dicts or lists are no part of a table."""
    keys = dict.fromkeys(key for record in records for key in record if isinstance(key, str))
    columns = {key: [record.get(key) for record in records] for key in keys}
    plain = {
        key: values for key, values in columns.items() if not any(isinstance(value, (dict, list)) for value in values)
    }
    return table_of_values(plain, kind, named, name, label, place)


def table_of_values(
    values: Mapping[str, Sequence[Any]], kind: Kind, named: dict[str, str], name: str, label: str, place: Place
) -> Table:
    """The table of columns with values of any types."""
    columns = find_columns(list(values), kind, named, label)
    rows = len(next(iter(values.values())))
    series = {
        role: pl.Series([1.0] * rows) if column is None else _series(role, values[column], label)
        for role, column in columns.roles.items()
    }
    return Table(check_rows(pl.DataFrame(series), columns, place), name, place, columns.remarks)


def _series(role: str, values: Sequence[Any], label: str) -> pl.Series:
    if role in ("query", "document"):
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
