"""Translates Hive SQL, and refuses what does more than read."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, get_args

from rankgold.core.errors import DataError, MissingDependency
from rankgold.engines.protocol import Flavour
from rankgold.engines.sql.macro_script import SqlEngine, check_flavour

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection
    from sqlglot import exp


def translated(query: str, engine: SqlEngine, dialect: str = "hive", flavour: Flavour = "hivemall") -> str:
    """A query, or a single expression, in the SQL of the engine.

    >>> translated("select to_ordered_list(item, score, '-k 2') from t", "duckdb")
    'SELECT RANKGOLD_PAGE_TO_ORDERED_LIST("item", "score", \\'-k 2\\') FROM "t"'
    """
    if engine not in get_args(SqlEngine):
        raise DataError(f"engine must be one of duckdb, spark, not {engine!r}.")
    tree = parse_query(query, dialect)
    from rankgold.engines.sql.call_rewriting import rewrite_calls  # which needs sqlglot

    return sql_text(rewrite_calls(tree, engine, check_flavour(flavour)), engine)


def parse_query(query: str, dialect: str) -> exp.Expr:
    """The syntax tree of the single statement in a text."""
    try:
        import sqlglot
        from sqlglot.errors import ParseError, SqlglotError
    except ImportError:
        raise MissingDependency("sqlglot", "sqlglot") from None
    if not isinstance(query, str):
        raise DataError(f"A query must be text, not {type(query).__name__}.")
    try:
        parsed = sqlglot.parse(query, read=_check_dialect(dialect))
    except ParseError as error:
        first = error.errors[0]
        place = f"the query, line {first['line']}, column {first['col']}"
        raise DataError(f"{_plain(first['description'])}, at {first['highlight']!r}.", place) from None
    except SqlglotError as error:
        raise DataError(f"{error}.", "the query") from None
    except RecursionError:
        raise DataError("it is nested too deeply.", "the query") from None
    statements = [statement for statement in parsed if statement is not None]
    if not statements:
        raise DataError("there is no statement.", "the query")
    if len(statements) > 1:
        raise DataError(f"A query must be one statement, not {len(statements)}. Run them one by one.")
    return statements[0]


def _check_dialect(dialect: str) -> str:
    from sqlglot.dialects.dialect import Dialect

    if not isinstance(dialect, str) or Dialect.get(dialect.lower()) is None:
        raise DataError(f"dialect must be one of sqlglot's, such as hive, spark, trino or duckdb, not {dialect!r}.")
    return dialect.lower()


def _plain(description: str) -> str:
    """A message of sqlglot without the names of its classes."""
    return description.partition(" but got <Token")[0].partition(" for <class")[0]


def sql_text(tree: exp.Expr, engine: SqlEngine) -> str:
    """The SQL of a syntax tree, with every name quoted."""
    from sqlglot.errors import ErrorLevel

    text: str = tree.sql(dialect=engine, identify=True, comments=False, unsupported_level=ErrorLevel.IGNORE)
    return text


_WRITING_FUNCTIONS = {"nextval", "setval", "write_log", "reflect", "try_reflect", "java_method"}
"""Functions of DuckDB that change the database, and of Hive and Spark that call any method of Java."""

_READING_NODES = {"SELECT", "SET_OPERATION", "RECURSIVE_CTE", "CTE"}
_FUNCTION_NAME = r'"function_name":"((?:[^"\\]|\\.)*)"'

# Any other table function of DuckDB or of its extensions may write, such as checkpoint, dbgen or postgres_execute, or
# run a text as a query, such as query.
_READING_TABLE_FUNCTIONS = re.compile(
    r"read_\w+|st_read\w*|(parquet|postgres|mysql|sqlite|delta|iceberg|lance)_scan\w*|parquet_\w+|json_each|json_tree"
    r"|range|generate_series|repeat|repeat_row|unnest|glob|query_table|sniff_csv|summary|duckdb_\w+|pragma_\w+"
)


def check_tree(tree: exp.Expr) -> None:
    """Raises an error if any statement in the query writes, or runs a program."""
    from sqlglot import exp

    if not isinstance(tree, exp.Query):
        raise DataError(f"A query must begin with SELECT or WITH, not {tree.key.upper()}.")
    writing = (exp.DML, exp.DDL, exp.Command, exp.Into, exp.QueryTransform, exp.NextValueFor)
    for node in tree.walk():
        statement = node.this if isinstance(node, exp.CTE) else None
        if statement is not None and not isinstance(statement, (exp.Query, exp.Values)):
            raise _writing(statement.key)
        if isinstance(node, writing) and not isinstance(node, exp.Query):
            raise _writing(node.key)
        if isinstance(node, exp.Func) and node.name.lower() in _WRITING_FUNCTIONS:
            raise _writing(node.name)


def check_in_duckdb(text: str, connection: DuckDBPyConnection) -> None:
    """Raises an error if DuckDB takes the translated text for more than one statement, or for one that writes.

    DuckDB's own syntax tree is JSON text, and is searched as text, since it can be nested too deeply for Python. A
    quotation mark in a text of the query is escaped there, so no such text looks like a part of the tree.
    """
    statements = connection.extract_statements(text)
    serialized = "SELECT system.main.json_serialize_sql(?::VARCHAR)"
    tree = connection.execute(serialized, [text]).fetchall()[0][0] if len(statements) == 1 else ""
    if not tree.startswith('{"error":false'):
        raise DataError(
            "DuckDB does not take this for a query that only reads. In PIVOT, list the values: ON x IN ('a', 'b').",
            "the query",
        )
    for kind in re.findall(r'"type":"(\w+)_NODE"', tree):
        if kind not in _READING_NODES:
            raise _writing(kind.removesuffix("_QUERY"))
    for name in re.findall(_FUNCTION_NAME, tree):
        if name.lower() in _WRITING_FUNCTIONS:
            raise _writing(name)
    for name in re.findall(f'"type":"TABLE_FUNCTION".*?{_FUNCTION_NAME}', tree):
        _check_table_function(json.loads(f'"{name}"'), connection)


def _check_table_function(name: str, connection: DuckDBPyConnection) -> None:
    if _READING_TABLE_FUNCTIONS.fullmatch(name.lower()):
        return
    macros = "SELECT 1 FROM duckdb_functions() WHERE function_type = 'table_macro' AND lower(function_name) = lower(?)"
    if not connection.execute(macros, [name]).fetchall():
        raise _writing(name)


def _writing(what: str) -> DataError:
    return DataError(f"A query must only read, and this one has {what.upper()}.", "the query")
