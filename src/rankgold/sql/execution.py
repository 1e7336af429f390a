"""Queries that call the functions, run where the data is."""

from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from rankgold.errors import DataError, MissingDependency
from rankgold.sql.installation import kind_of
from rankgold.sql.script import Flavour, checked_flavour, script
from rankgold.sql.tables import checked_tables, for_duckdb, for_spark
from rankgold.sql.translation import parsed, prefix_of, rewritten, text_of

if TYPE_CHECKING:
    from sqlglot import exp


def run(
    query: str,
    engine: Any,
    tables: Mapping[str, Any] | None = None,
    dialect: str = "hive",
    flavour: Flavour = "hivemall",
) -> Any:
    """The result of a query that calls the functions: a DuckDB relation, or a Spark DataFrame.

    `engine` is a DuckDB connection or a SparkSession. `tables` are frames (pandas, Polars, PyArrow, Spark, lists of
    dicts) that the query sees under the names given; what the engine itself has of these names stays as it is.

    >>> import duckdb
    >>> rows = [{"rec": [1, 3, 2, 6], "truth": [1, 2, 4]}, {"rec": [2, 1], "truth": [1]}]
    >>> run("select mrr(rec, truth) as mrr from rows", duckdb.connect(), {"rows": rows}).fetchall()
    [(0.75,)]
    """
    kind = kind_of(engine, "run")
    flavour = checked_flavour(flavour)
    given = checked_tables(tables)
    tree = _query(query, dialect)
    frames = _named_apart(tree, given)
    tree = rewritten(tree, kind, flavour)
    if kind == "duckdb":
        read = {name: for_duckdb(given[table], table) for name, table in frames.items()}
        return _in_duckdb(text_of(tree, kind), engine, read, flavour)
    _register(tree, engine, flavour)
    return _in_spark(text_of(tree, kind), engine, {n: for_spark(given[t], t, engine) for n, t in frames.items()})


def _query(query: str, dialect: str) -> exp.Expr:
    tree = parsed(query, dialect)
    from sqlglot import exp

    if not isinstance(tree, exp.Query):
        raise DataError(f"A query begins with SELECT or WITH, and this is {tree.key.upper()}.")
    return tree


def _named_apart(tree: exp.Expr, given: Mapping[str, Any]) -> dict[str, str]:
    """Gives every reference to one of the frames a name that nothing else has: that name and the one it stands for."""
    from sqlglot import exp
    from sqlglot.optimizer.scope import traverse_scope

    known = {name.lower(): name for name in given}
    mark = uuid.uuid4().hex[:12]
    names: dict[str, str] = {}
    read = [table for scope in traverse_scope(tree) for table in scope.sources.values() if isinstance(table, exp.Table)]
    for table in read:
        name = known.get(table.name.lower())
        if name is None or table.db:
            continue
        apart = f"rankgold_{mark}_{list(given).index(name)}"
        if not table.alias:
            table.set("alias", exp.TableAlias(this=exp.to_identifier(table.name, quoted=True)))
        table.set("this", exp.to_identifier(apart, quoted=True))
        names[apart] = name
    return names


def _in_duckdb(text: str, connection: Any, frames: dict[str, Any], flavour: Flavour) -> Any:
    import duckdb

    try:
        connection.execute(script(flavour, temporary=True, prefix=prefix_of(flavour)))
        allowed = "current_setting('python_enable_replacements') AND current_setting('enable_external_access')"
        if not connection.execute(f"SELECT {allowed}").fetchall()[0][0]:
            for name, frame in frames.items():
                connection.register(name, frame)
        # DuckDB finds frames among the variables where it is called, and keeps them as long as the relation is there.
        named = {"rankgold_connection": connection, "rankgold_text": text, **frames}
        return eval("rankgold_connection.sql(rankgold_text)", named)
    except duckdb.Error as error:
        raise DataError(f"DuckDB says: {error}", "the query") from error


def _register(tree: exp.Expr, spark: Any, flavour: Flavour) -> None:
    """Registers the functions that the query calls."""
    from sqlglot import exp

    try:
        from rankgold.sql.spark_functions import register_row_functions
    except ImportError as error:
        raise (
            error if isinstance(error, MissingDependency) else MissingDependency("PySpark", "'pyspark[connect]'")
        ) from None
    prefix = prefix_of(flavour)
    called = {call.name for call in tree.find_all(exp.Anonymous)}
    register_row_functions(
        spark, flavour, prefix, sorted(name.removeprefix(prefix) for name in called if name.startswith(prefix))
    )


def _in_spark(text: str, spark: Any, frames: dict[str, Any]) -> Any:
    from pyspark.errors import PySparkException

    if frames:  # Spark takes DataFrames for {names}, in whatever kind of session
        text = text.replace("{", "{{").replace("}", "}}")
        for name in frames:
            text = text.replace(f"`{name}`", f"{{{name}}}")
    try:
        result = spark.sql(text, **frames)
        result.schema  # noqa: B018  Spark Connect looks at a query only when it is asked for something
    except PySparkException as error:
        raise DataError(f"Spark says: {str(error).splitlines()[0]}", "the query") from error
    return result
