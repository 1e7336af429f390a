"""The functions on Spark: vectorised Arrow functions, which hand rankgold's own measures whole batches of rows."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import polars as pl
import pyarrow as pa

from rankgold.errors import MissingDependency
from rankgold.sql.list_columns import values
from rankgold.sql.list_macros import FUNCTIONS
from rankgold.sql.script import Flavour

try:
    from pyspark.sql.functions import arrow_udf
except ImportError:
    raise MissingDependency("PySpark 4.1 or later", "'pyspark[connect]'") from None


def install_in_spark(spark: Any, flavour: Flavour) -> None:
    """Registers the functions with a session under their own names."""
    make = _row_function if flavour == "rankgold" else _aggregate
    for one in FUNCTIONS:
        spark.udf.register(one.name, make(one.name, flavour))


def register_row_functions(spark: Any, flavour: Flavour, prefix: str, names: Iterable[str]) -> None:
    """Registers functions whose value is that of one row."""
    for name in names:
        spark.udf.register(prefix + name, _row_function(name, flavour))


def _row_function(name: str, flavour: Flavour) -> Callable[..., Any]:
    def value(rec: pa.Array, truth: pa.Array, k: pa.Array = None) -> pa.Array:
        return values(name, _series(rec), _series(truth), None if k is None else _series(k), flavour).to_arrow()

    return _declared(value)


def _aggregate(name: str, flavour: Flavour) -> Callable[..., Any]:
    """The mean over the rows of a group, all of which Spark hands over at once."""

    def mean(rec: pa.Array, truth: pa.Array, k: pa.Array = None) -> float:
        found = values(name, _series(rec), _series(truth), None if k is None else _series(k), flavour).mean()
        return 0.0 if found is None else float(found)  # type: ignore[arg-type]

    return _declared(mean)


def _declared(function: Callable[..., Any]) -> Callable[..., Any]:
    declared: Callable[..., Any] = arrow_udf(function, "double")
    return declared


def _series(column: Any) -> pl.Series:
    found = pl.from_arrow(column)
    assert isinstance(found, pl.Series)
    return found
