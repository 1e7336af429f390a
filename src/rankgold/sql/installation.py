"""Making the functions known to an engine."""

from __future__ import annotations

from typing import Any, Literal

from rankgold.errors import DataError
from rankgold.sql.script import Flavour, checked_flavour, script


def install(engine: Any, flavour: Flavour = "rankgold") -> None:
    """Makes the functions known to a DuckDB connection or a SparkSession, for as long as it is open.

    With the flavour `rankgold` a function has one value a row. With `hivemall` and `hivemall-code` it is an aggregate
    over rows, as in Hivemall.
    """
    flavour = checked_flavour(flavour)
    if kind_of(engine, "install") == "duckdb":
        from rankgold.engines.duckdb.database import duckdb_errors

        with duckdb_errors():
            engine.execute(script(flavour, temporary=True))
    else:
        from rankgold.sql.spark_functions import install_in_spark

        install_in_spark(engine, flavour)


def kind_of(engine: Any, function: str) -> Literal["duckdb", "spark"]:
    """Which of the engines this is."""
    module = type(engine).__module__
    if module.partition(".")[0].endswith("duckdb") and hasattr(engine, "execute"):
        return "duckdb"
    if module.startswith("pyspark.sql.") and hasattr(engine, "sql") and hasattr(engine, "udf"):
        return "spark"
    raise DataError(f"{function} takes a DuckDB connection or a SparkSession, not {type(engine).__name__}.")
