"""Frames: Polars, and through the Arrow PyCapsule interface pandas, PyArrow, DuckDB and whatever else offers it."""

from __future__ import annotations

from typing import Any

import polars as pl

from karat.data.schema import Kind
from karat.data.table import Table, checked_table, rows_of
from karat.errors import DataError, MissingDependency


def is_frame(source: Any) -> bool:
    return isinstance(source, (pl.DataFrame, pl.LazyFrame)) or hasattr(source, "__arrow_c_stream__")


def read_frame(source: Any, kind: Kind, named: dict[str, str]) -> Table:
    """The table in a frame."""
    what = "the judgements" if kind == "qrels" else "the run"
    table = checked_table(_as_polars(source, what), kind, named, "run", what, rows_of(what))
    if table.frame.height == 0:
        raise DataError("there are no rows.", what)
    return table


def _as_polars(source: Any, what: str) -> pl.DataFrame | pl.LazyFrame:
    if isinstance(source, (pl.DataFrame, pl.LazyFrame)):
        return source
    if isinstance(source, pl.Series):
        raise DataError("a single column is not a table of queries, documents and numbers.", what)
    try:
        return pl.DataFrame(source)
    except ImportError as error:
        if "pyarrow" not in str(error):
            raise
        if hasattr(source, "to_dict") and hasattr(source, "columns"):
            return pl.DataFrame({str(column): source[column].to_list() for column in source.columns}, strict=False)
        raise MissingDependency("pyarrow", "arrow") from None
    except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
        raise DataError(f"this {type(source).__name__} cannot be read as a table: {error}.", what) from None
