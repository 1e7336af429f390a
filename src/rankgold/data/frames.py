"""Frames in, checked tables out: Polars, and through the Arrow PyCapsule interface pandas, PyArrow, DuckDB."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeGuard
from uuid import UUID

import polars as pl

from rankgold.data.arrow_stream import ArrowStream
from rankgold.data.columns import ALIASES, Kind, normal_name
from rankgold.data.ids import is_known
from rankgold.data.input_file import POLARS_FAULTS
from rankgold.data.inspection import RowFaults
from rankgold.data.records import table_of_values
from rankgold.data.rows import Place
from rankgold.data.table import Table, TableSource, check_table
from rankgold.errors import DataError, MissingDependency

if TYPE_CHECKING:
    import pandas as pd

    from rankgold.accepted import Frame

# Types of PyArrow that Polars does not read.
_UNREADABLE = ("decimal256", "run_end_encoded", "month_day_nano_interval", "sparse_union", "dense_union")

_LISTS = ("list", "large_list", "fixed_size_list")


def read_frame(source: Frame, kind: Kind, named: dict[str, str], faults: RowFaults | None = None) -> Table:
    """The table in a frame."""
    origin = TableSource.of_object(kind, named, faults)
    try:
        table = _table(source, origin)
    except POLARS_FAULTS as error:
        raise DataError(f"the frame cannot be evaluated: {str(error).strip().splitlines()[0]}.", origin.label) from None
    if table.frame.height == 0 and not table.nothing:
        raise DataError("there are no rows.", origin.label)
    return table


def _table(frame: Frame, source: TableSource) -> Table:
    if isinstance(frame, (pl.DataFrame, pl.LazyFrame)):
        return check_table(frame, source)
    if is_pandas(frame):
        check_names(frame, source.label)
        check_index(frame, source.named, source.label)
    try:
        if source.kind == "run" and is_pandas(frame):
            _check_order(frame, source.place)
        used = _used_columns(frame, source)
        if not has_uuids(used):
            return check_table(pl.DataFrame(used), source)
    except ImportError as error:
        if "pyarrow" not in str(error):
            raise
        if not is_pandas(frame):
            raise MissingDependency("pyarrow", "pyarrow") from None
    except (TypeError, ValueError, OverflowError, NotImplementedError, pl.exceptions.PolarsError) as error:
        if isinstance(error, DataError):
            raise
        if not is_pandas(frame):
            raise DataError(f"this {type(frame).__name__} cannot be read as a table: {error}.", source.label) from None
    # A column of pandas may hold values of several types, which Arrow does not read, and UUIDs are bytes in Arrow.
    if is_pandas(frame):
        return table_of_values(values_of_pandas(frame), source)
    return table_of_values({name: used[name].to_pylist() for name in used.column_names}, source)


def values_of_pandas(frame: pd.DataFrame) -> dict[str, list[Any]]:
    """Column -> its values; None for a missing one."""
    return {str(column): [_known_value(value) for value in frame[column].to_list()] for column in frame.columns}


def check_names(source: Frame, what: str) -> None:
    """Raises an error for names of columns that are given twice, which pandas allows."""
    names = [str(column) for column in source.columns]
    if len({*names}) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise DataError(f"two columns are called {twice!r}. Rename one of them.", what)


def check_index(
    source: pd.DataFrame, named: Mapping[str, str], what: str, roles: Sequence[str] = ("query", "document")
) -> None:
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


def _check_order(source: pd.DataFrame, place: Place) -> None:
    """Raises an error for a set of documents in a run: Arrow would make a list of it, in any order."""
    for column in source.columns:
        if str(source.dtypes[column]) != "object":
            continue
        types = [*map(type, source[column].to_list())]
        if unordered := {set, frozenset} & {*types}:
            row = min(map(types.index, unordered))
            raise DataError(f"the column {column!r} has a set, which has no order. Pass lists.", place(row))


def has_uuids(source: object) -> bool:
    """Whether a column of a pandas frame or of a PyArrow table holds UUIDs."""
    if hasattr(source, "column_names") and hasattr(source, "schema"):
        return any(str(field.type) == "extension<arrow.uuid>" for field in source.schema)
    if not is_pandas(source):
        return False
    objects = (source[column] for column in source.columns if str(source.dtypes[column]) == "object")
    return any(isinstance(value, UUID) for column in objects for value in column.head(1).to_list())


def _used_columns(frame: object, source: TableSource) -> Any:
    """The input for Polars: of a PyArrow table only the used columns, since others may have unreadable types."""
    if not (hasattr(frame, "column_names") and hasattr(frame, "select") and hasattr(frame, "schema")):
        return ArrowStream(frame) if hasattr(frame, "__arrow_c_stream__") and not is_pandas(frame) else frame
    lists = [field.name for field in frame.schema if str(field.type).startswith(_LISTS)]
    columns = source.find_columns(frame.column_names, lists)
    names = list(dict.fromkeys(name for name in columns.roles.values() if name is not None))
    for name in names:
        kind = str(frame.schema.field(name).type)
        if kind.startswith(_UNREADABLE):
            raise DataError(f"the column {name!r} is of type {kind}, which cannot be read. Convert it.", source.label)
    return frame.select(names)


def is_pandas(source: object) -> TypeGuard[pd.DataFrame]:
    """Whether this is a frame of pandas, or of a library with the same interface. Polars has no index."""
    return hasattr(source, "to_dict") and hasattr(source, "columns") and hasattr(source, "index")


def _known_value(value: object) -> object:
    """A value of pandas; None if it is one of its marks for a missing value. An array is a list."""
    if hasattr(value, "tolist") and getattr(value, "ndim", False):
        return value.tolist()
    return value if is_known(value) else None
