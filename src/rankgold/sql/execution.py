"""A query that calls the functions, an engine and frames in; the result of the query out."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rankgold.engines.duckdb.database import duckdb_errors
from rankgold.errors import DataError
from rankgold.sql.installation import engine_kind
from rankgold.sql.macro_script import Flavour, check_flavour, function_prefix, script
from rankgold.sql.query_tables import check_tables, duckdb_frame, spark_frame
from rankgold.sql.read_only import check_in_duckdb, check_tree
from rankgold.sql.translation import parse_query, sql_text

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection, DuckDBPyRelation
    from pyspark.sql import DataFrame, SparkSession
    from sqlglot import exp


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
    from rankgold.sql.call_rewriting import rewrite_calls  # which needs sqlglot

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

    from rankgold.sql.spark_functions import register_row_functions

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
