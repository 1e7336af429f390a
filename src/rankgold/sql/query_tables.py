"""Frames that a query reads as tables in; frames that DuckDB or Spark can read out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankgold.engines.spark.session import is_spark_frame
from rankgold.errors import DataError
from rankgold.forked_process import check_polars

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def check_tables(tables: object) -> dict[str, Any]:
    if tables is None:
        return {}
    if not isinstance(tables, Mapping) or not all(isinstance(name, str) and name for name in tables):
        raise DataError("tables maps table names to frames, as in {'dummy_rec': frame}.")
    folded: dict[str, str] = {}
    for name in tables:
        if name.lower() in folded:
            raise DataError(f"tables has {folded[name.lower()]!r} and {name!r}, but SQL ignores case. Rename one.")
        folded[name.lower()] = name
    return dict(tables)


def duckdb_frame(frame: Any, name: str) -> Any:
    """A frame as something that DuckDB reads."""
    return frame.toArrow() if is_spark_frame(frame) else _frame(frame, name)


def spark_frame(frame: object, name: str, spark: SparkSession) -> DataFrame:
    """A frame as a DataFrame of Spark."""
    import polars as pl
    import pyarrow as pa

    from rankgold.engines.spark.dataframes import to_spark

    if is_spark_frame(frame):
        return frame
    frame = _frame(frame, name)
    if isinstance(frame, pl.LazyFrame):
        frame = frame.collect()
    if isinstance(frame, pl.DataFrame):
        return to_spark(frame, spark)
    has_arrow = hasattr(frame, "__arrow_c_stream__")
    return spark.createDataFrame(pa.table(frame) if has_arrow else pa.Table.from_pandas(frame, preserve_index=False))


def _frame(frame: object, name: str) -> Any:
    """The frame itself, or a Polars frame made of a list of dicts."""
    import polars as pl

    if isinstance(frame, (pl.DataFrame, pl.LazyFrame)):
        check_polars()
        return frame
    if _is_pandas(frame) or hasattr(frame, "__arrow_c_stream__"):
        return frame
    if isinstance(frame, Sequence) and frame and all(isinstance(row, Mapping) for row in frame):
        check_polars()
        try:
            return pl.DataFrame([dict(row) for row in frame], infer_schema_length=None)
        except (TypeError, ValueError, pl.exceptions.PolarsError) as error:
            raise DataError(f"{error}".splitlines()[0], f"table {name!r}") from None
    raise DataError(
        f"table {name!r} must be a frame of pandas, Polars, PyArrow or Spark, or a list of dicts,"
        f" not {type(frame).__name__}{'' if frame else ' without rows'}."
    )


def _is_pandas(frame: object) -> bool:
    return type(frame).__module__.partition(".")[0] == "pandas" and hasattr(frame, "columns")
