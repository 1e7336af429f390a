"""A DuckDB connection or a SparkSession in; the functions are registered with it."""

from typing import Any, Literal

from rankgold.engines.registry import engine_of_object
from rankgold.errors import DataError
from rankgold.sql.macro_script import Flavour, check_flavour, script

SqlEngine = Literal["duckdb", "spark"]
"""The engines that have SQL functions."""


def install(engine: Any, flavour: Flavour = "rankgold") -> None:
    """Registers the functions with a DuckDB connection or a SparkSession, until it is closed.

    With the flavour `rankgold` a function returns one value per row. With `hivemall` and `hivemall-code` it is an
    aggregate over rows, as in Hivemall.
    """
    flavour = check_flavour(flavour)
    if engine_kind(engine, "install") == "duckdb":
        from rankgold.engines.duckdb.database import duckdb_errors

        with duckdb_errors():
            engine.execute(script(flavour, temporary=True))
    else:
        from rankgold.sql.spark_functions import install_in_spark

        install_in_spark(engine, flavour)


def engine_kind(engine: object, function: str) -> SqlEngine:
    """Which engine a connection or session belongs to. `function` is the caller's name, for the error message."""
    name = engine_of_object(engine)
    if name == "duckdb" and hasattr(engine, "execute"):
        return "duckdb"
    if name == "spark" and hasattr(engine, "sql") and hasattr(engine, "udf"):
        return "spark"
    raise DataError(f"{function} takes a DuckDB connection or a SparkSession, not {type(engine).__name__}.")
