"""Runs a query that calls the functions."""

from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rankgold.core.errors import DataError
from rankgold.data.polars_guard import check_polars
from rankgold.engines.duckdb.database import duckdb_errors
from rankgold.engines.protocol import Flavour
from rankgold.engines.spark.session import is_spark_frame
from rankgold.engines.sql.macro_script import check_flavour, engine_kind, function_prefix, script
from rankgold.engines.sql.translation import check_in_duckdb, check_tree, parse_query, sql_text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation
    from pyspark.sql import DataFrame, SparkSession
    from sqlglot import exp


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
    is_pandas = type(frame).__module__.partition(".")[0] == "pandas" and hasattr(frame, "columns")
    if is_pandas or hasattr(frame, "__arrow_c_stream__"):
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


def run(
    query: str,
    engine: Any,
    tables: Mapping[str, Any] | None = None,
    dialect: str = "hive",
    flavour: Flavour = "hivemall",
) -> Any:
    """Runs a query that calls the functions. Returns a DuckDB relation or a Spark DataFrame.

    `engine` is a DuckDB connection or a SparkSession. `tables` maps names to frames (pandas, Polars, PyArrow, Spark,
    lists of dicts), which the query reads under these names. The engine's own tables of these names do not change.
    A query that does anything but read is an error, and is not run.

    >>> import duckdb
    >>> rows = [{"rec": [1, 3, 2, 6], "truth": [1, 2, 4]}, {"rec": [2, 1], "truth": [1]}]
    >>> run("select mrr(rec, truth) as mrr from rows", duckdb.connect(), {"rows": rows}).fetchall()
    [(0.75,)]
    """
    kind = engine_kind(engine, "run")
    flavour = check_flavour(flavour)
    frames = check_tables(tables)
    tree = parse_query(query, dialect)
    check_tree(tree)
    table_names = _rename_tables(tree, frames)
    from rankgold.engines.sql.call_rewriting import rewrite_calls  # which needs sqlglot

    tree = rewrite_calls(tree, kind, flavour)
    text = sql_text(tree, kind)
    if kind == "duckdb":
        renamed = {name: duckdb_frame(frames[table], table) for name, table in table_names.items()}
        return _run_in_duckdb(text, engine, renamed, flavour)
    _register_functions(tree, engine, flavour)
    renamed = {name: spark_frame(frames[table], table, engine) for name, table in table_names.items()}
    return _run_in_spark(text, engine, renamed)


def _rename_tables(tree: exp.Expr, frames: Mapping[str, Any]) -> dict[str, str]:
    """Gives every table that is one of the frames a unique name. Returns the unique names with the original ones."""
    from sqlglot import exp
    from sqlglot.optimizer.scope import traverse_scope

    known = {name.lower(): name for name in frames}
    mark = uuid.uuid4().hex[:12]
    names: dict[str, str] = {}
    read = [table for scope in traverse_scope(tree) for table in scope.sources.values() if isinstance(table, exp.Table)]
    for table in read:
        name = known.get(table.name.lower())
        if name is None or table.db:
            continue
        unique = f"rankgold_{mark}_{list(frames).index(name)}"
        if not table.alias:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name, quoted=True)))
        table.set("this", exp.to_identifier(unique, quoted=True))
        names[unique] = name
    return names


def _run_in_duckdb(
    text: str, connection: DuckDBPyConnection, frames: dict[str, Any], flavour: Flavour
) -> DuckDBPyRelation:
    with duckdb_errors("the query"):
        check_in_duckdb(text, connection)
        if function_prefix(flavour) in text.lower():
            connection.execute(script(flavour, temporary=True, prefixed_only=True))
        allowed = "current_setting('python_enable_replacements') AND current_setting('enable_external_access')"
        if not connection.execute(f"SELECT {allowed}").fetchall()[0][0]:
            for name, frame in frames.items():
                connection.register(name, frame)
        return _relation(text, connection, frames)


def _relation(text: str, connection: DuckDBPyConnection, frames: dict[str, Any]) -> DuckDBPyRelation:
    """The relation of a query. It keeps the frames alive, and so do relations and views made from it.

    DuckDB looks for an unknown table among the variables of the module that calls it, so each frame becomes one while
    the relation is created. Registered views would be visible to other queries, would vanish with a rollback, and
    could not be dropped when their last reader is gone.
    """
    variables = globals()
    variables.update(frames)
    try:
        return connection.sql(text)
    finally:
        for name in frames:
            del variables[name]


def _register_functions(tree: exp.Expr, spark: SparkSession, flavour: Flavour) -> None:
    """Registers the functions that the query calls."""
    from sqlglot import exp

    from rankgold.engines.sql.spark_functions import register_row_functions

    prefix = function_prefix(flavour)
    called = {call.name for call in tree.find_all(exp.Anonymous)}
    register_row_functions(
        spark, flavour, prefix, sorted(name.removeprefix(prefix) for name in called if name.startswith(prefix))
    )


def _run_in_spark(text: str, spark: SparkSession, frames: dict[str, DataFrame]) -> DataFrame:
    from pyspark.errors import PySparkException

    if frames:  # every kind of Spark session takes DataFrames for {names} in the text
        text = text.replace("{", "{{").replace("}", "}}")
        for name in frames:
            text = text.replace(f"`{name}`", f"{{{name}}}")
    try:
        result = spark.sql(text, **frames)
        result.schema  # noqa: B018  Spark Connect checks a query only when its result is used
    except PySparkException as error:
        raise DataError(f"Spark says: {str(error).splitlines()[0]}", "the query") from error
    return result
