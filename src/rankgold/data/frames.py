"""Frames in, checked tables out: Polars, and through the Arrow PyCapsule interface pandas, PyArrow, DuckDB."""

from __future__ import annotations

from typing import Any

import polars as pl

from rankgold.data.columns import WHAT, Kind
from rankgold.data.records import table_of_values
from rankgold.data.table import Table, check_table, row_places
from rankgold.errors import DataError, MissingDependency


def read_frame(source: Any, kind: Kind, named: dict[str, str]) -> Table:
    """The table in a frame."""
    what = WHAT[kind]
    try:
        table = _table(source, kind, named, what)
    except (pl.exceptions.PolarsError, FileNotFoundError) as error:
        raise DataError(f"the frame cannot be evaluated: {str(error).strip().splitlines()[0]}.", what) from None
    if table.frame.height == 0:
        raise DataError("there are no rows.", what)
    return table


def _table(source: Any, kind: Kind, named: dict[str, str], what: str) -> Table:
    place = row_places(what)
    if isinstance(source, (pl.DataFrame, pl.LazyFrame)):
        return check_table(source, kind, named, "run", what, place)
    try:
        return check_table(pl.DataFrame(source), kind, named, "run", what, place)
    except ImportError as error:
        if "pyarrow" not in str(error):
            raise
        if not _is_pandas(source):
            raise MissingDependency("pyarrow", "pyarrow") from None
    except (TypeError, ValueError, OverflowError, pl.exceptions.PolarsError) as error:
        if isinstance(error, DataError):
            raise
        if not _is_pandas(source):
            raise DataError(f"this {type(source).__name__} cannot be read as a table: {error}.", what) from None
    # A column of pandas may hold values of several types, which Arrow does not read.
    columns = {str(column): [_known(value) for value in source[column].to_list()] for column in source.columns}
    return table_of_values(columns, kind, named, "run", what, place)


def _is_pandas(source: Any) -> bool:
    return hasattr(source, "to_dict") and hasattr(source, "columns")


def _known(value: Any) -> Any:
    """A value of pandas; None if it is one of its marks for a missing value."""
    try:
        return value if value == value else None
    except TypeError:  # pandas' NA
        return None
