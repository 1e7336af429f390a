"""Frames in, checked tables out: Polars, and through the Arrow PyCapsule interface pandas, PyArrow, DuckDB."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import polars as pl

from rankgold.data.columns import WHAT, Kind
from rankgold.data.table import Table, check_table, row_places
from rankgold.errors import DataError, MissingDependency


def read_frame(source: Any, kind: Kind, named: dict[str, str]) -> Table:
    """The table in a frame."""
    what = WHAT[kind]
    try:
        table = check_table(_as_polars(source, what), kind, named, "run", what, row_places(what))
    except (pl.exceptions.PolarsError, FileNotFoundError) as error:
        raise DataError(f"the frame cannot be evaluated: {str(error).strip().splitlines()[0]}.", what) from None
    if table.frame.height == 0:
        raise DataError("there are no rows.", what)
    return table


def _as_polars(source: Any, what: str) -> pl.DataFrame | pl.LazyFrame:
    if isinstance(source, (pl.DataFrame, pl.LazyFrame)):
        return source
    try:
        return pl.DataFrame(source)
    except ImportError as error:
        if "pyarrow" not in str(error):
            raise
        if hasattr(source, "to_dict") and hasattr(source, "columns"):
            return pl.DataFrame({str(column): source[column].to_list() for column in source.columns}, strict=False)
        raise MissingDependency("pyarrow", "pyarrow") from None
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise DataError(f"this {type(source).__name__} cannot be read as a table: {error}.", what) from None


def frame_of_records(records: Sequence[Mapping[str, Any]]) -> pl.DataFrame:
    """Records as a frame. A column of mixed types becomes text, so that 1 and "1" are the same id."""
    columns = list(dict.fromkeys(key for record in records for key in record))
    series = []
    for column in columns:
        values = [record.get(column) for record in records]
        if any(isinstance(value, (dict, list)) for value in values):
            continue
        kinds = {type(value) for value in values if value is not None}
        if len(kinds) > 1 and not kinds <= {int, float}:
            values = [value if value is None else str(value) for value in values]
        series.append(pl.Series(column, values, strict=False))
    return pl.DataFrame(series)
