"""Registers the functions with Spark."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import polars as pl

from rankgold.core.errors import DataError, MissingDependency
from rankgold.engines.protocol import Flavour
from rankgold.engines.sql.functions import BY_NAME, FUNCTIONS
from rankgold.engines.sql.row_values import row_values

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


try:
    import pyarrow as pa
    from pyspark.sql.functions import arrow_udf
except ImportError:
    raise MissingDependency("PySpark 4.1 or later", "'pyspark[connect]'") from None


def install_in_spark(spark: "SparkSession", flavour: Flavour) -> None:
    """Registers the functions with a session under all their names."""
    make = _row_function if flavour == "rankgold" else _aggregate
    for function in FUNCTIONS:
        made = make(function.name, flavour)
        for name in function.names:
            spark.udf.register(name, made)


def register_row_functions(spark: "SparkSession", flavour: Flavour, prefix: str, names: Iterable[str]) -> None:
    """Registers functions that return one value per row."""
    for name in names:
        spark.udf.register(prefix + name, _row_function(name, flavour))


def _row_function(name: str, flavour: Flavour) -> Any:
    def value(rec: pa.Array, truth: pa.Array = None, k: pa.Array = None, *more: pa.Array) -> pa.Array:
        return _values(name, (rec, truth, k, *more), flavour).to_arrow()

    return arrow_udf(value, "double")


def _aggregate(name: str, flavour: Flavour) -> Any:
    """The mean over the rows of a group. Spark passes all of them at once."""

    def mean(rec: pa.Array, truth: pa.Array = None, k: pa.Array = None, *more: pa.Array) -> float:
        average = _values(name, (rec, truth, k, *more), flavour).mean()
        return 0.0 if average is None else float(average)  # type: ignore[arg-type]

    return arrow_udf(mean, "double")


def _values(name: str, arguments: tuple[pa.Array, ...], flavour: Flavour) -> pl.Series:
    rec, truth, k, *more = arguments
    function = BY_NAME[name]
    if truth is None or more or (k is not None and not function.takes_k):
        raise DataError(f"{function.wrong_number(name)}.")
    return row_values(name, _series(rec), _series(truth), None if k is None else _series(k), flavour)


def _series(column: pa.Array) -> pl.Series:
    series = pl.from_arrow(column)
    assert isinstance(series, pl.Series)
    return series
