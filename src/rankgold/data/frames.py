"""Frames in, checked tables out: Polars, and through the Arrow PyCapsule interface pandas, PyArrow, DuckDB."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import polars as pl

from rankgold.data.arrow_stream import ArrowStream
from rankgold.data.columns import ALIASES, WHAT, Kind, find_columns, normal_name
from rankgold.data.input_file import POLARS_FAULTS
from rankgold.data.records import table_of_values
from rankgold.data.rows import Place
from rankgold.data.table import Table, check_table, row_places
from rankgold.errors import DataError, MissingDependency

# Types of PyArrow that Polars does not read.
_UNREADABLE = ("decimal256", "run_end_encoded", "month_day_nano_interval", "sparse_union", "dense_union")

_LISTS = ("list", "large_list", "fixed_size_list")


def read_frame(source: Any, kind: Kind, named: dict[str, str]) -> Table:
    """The table in a frame."""
    what = WHAT[kind]
    try:
        table = _table(source, kind, named, what)
    except POLARS_FAULTS as error:
        raise DataError(f"the frame cannot be evaluated: {str(error).strip().splitlines()[0]}.", what) from None
    if table.frame.height == 0 and not table.nothing:
        raise DataError("there are no rows.", what)
    return table


def _table(source: Any, kind: Kind, named: dict[str, str], what: str) -> Table:
    place = row_places(what)
    if isinstance(source, (pl.DataFrame, pl.LazyFrame)):
        return check_table(source, kind, named, "run", what, place)
    if _is_pandas(source):
        check_names(source, what)
        check_index(source, named, what)
    try:
        if kind == "run" and _is_pandas(source):
            _check_order(source, place)
        used = _used_columns(source, kind, named, what)
        if not _has_uuids(used):
            return check_table(pl.DataFrame(used), kind, named, "run", what, place)
    except ImportError as error:
        if "pyarrow" not in str(error):
            raise
        if not _is_pandas(source):
            raise MissingDependency("pyarrow", "pyarrow") from None
    except (TypeError, ValueError, OverflowError, NotImplementedError, pl.exceptions.PolarsError) as error:
        if isinstance(error, DataError):
            raise
        if not _is_pandas(source):
            raise DataError(f"this {type(source).__name__} cannot be read as a table: {error}.", what) from None
    # A column of pandas may hold values of several types, which Arrow does not read, and UUIDs are bytes in Arrow.
    if _is_pandas(source):
        columns = {str(column): [known_value(value) for value in source[column].to_list()] for column in source.columns}
    else:
        columns = {name: used[name].to_pylist() for name in used.column_names}
    return table_of_values(columns, kind, named, "run", what, place)


def check_names(source: Any, what: str) -> None:
    """Raises an error for names of columns that are given twice, which pandas allows."""
    names = [str(column) for column in source.columns]
    if len({*names}) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"two columns are called {twice!r}. Rename one of them.", what)


def check_index(source: Any, named: Mapping[str, str], what: str, roles: Sequence[str] = ("query", "document")) -> None:
    """Raises an error if the index of pandas, which is not read, has ids that no column has."""
    levels = [str(name) for name in getattr(source.index, "names", ()) if name is not None]
    for role in roles:
        known = {*ALIASES[role], normal_name(named.get(role, role))}
        if not any(normal_name(str(column)) in known for column in source.columns):
            for level in levels:
                if normal_name(level) in known:
                    raise DataError(
                        f"the {role} is in the index ({level!r}), and only columns are read. Pass frame.reset_index().",
                        what,
                    )


def _check_order(source: Any, place: Place) -> None:
    """Raises an error for a set of documents in a run: Arrow would make a list of it, in any order."""
    for column in source.columns:
        if str(source.dtypes[column]) != "object":
            continue
        types = [*map(type, source[column].to_list())]
        if unordered := {set, frozenset} & {*types}:
            row = min(map(types.index, unordered))
            raise DataError(f"the column {column!r} has a set, which has no order. Pass lists.", place(row))


def _has_uuids(source: Any) -> bool:
    """Whether a column of a pandas frame or of a PyArrow table holds UUIDs."""
    if hasattr(source, "column_names") and hasattr(source, "schema"):
        return any(str(field.type) == "extension<arrow.uuid>" for field in source.schema)
    if not _is_pandas(source):
        return False
    objects = (source[column] for column in source.columns if str(source.dtypes[column]) == "object")
    return any(isinstance(value, UUID) for column in objects for value in column.head(1).to_list())


def _used_columns(source: Any, kind: Kind, named: dict[str, str], what: str) -> Any:
    """What Polars reads: of a PyArrow table the columns that are used, since another may be of an unreadable type."""
    if not (hasattr(source, "column_names") and hasattr(source, "select") and hasattr(source, "schema")):
        return source if _is_pandas(source) or not hasattr(source, "__arrow_c_stream__") else ArrowStream(source)
    lists = [field.name for field in source.schema if str(field.type).startswith(_LISTS)]
    columns = find_columns(source.column_names, kind, named, what, lists=lists)
    names = list(dict.fromkeys(name for name in columns.roles.values() if name is not None))
    for name in names:
        type_name = str(source.schema.field(name).type)
        if type_name.startswith(_UNREADABLE):
            raise DataError(f"the column {name!r} is of type {type_name}, which cannot be read. Convert it.", what)
    return source.select(names)


def _is_pandas(source: Any) -> bool:
    return hasattr(source, "to_dict") and hasattr(source, "columns")


def known_value(value: Any) -> Any:
    """A value of pandas; None if it is one of its marks for a missing value. An array is a list."""
    if hasattr(value, "tolist") and getattr(value, "ndim", False):
        return value.tolist()
    try:
        return value if value == value else None
    except TypeError:  # pandas' NA
        return None
