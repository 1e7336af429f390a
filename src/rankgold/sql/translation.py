"""A query in Hive's SQL or another dialect in, the same query for DuckDB or Spark out; sqlglot parses and prints it."""

from __future__ import annotations

from typing import TYPE_CHECKING, get_args

from rankgold.errors import DataError, MissingDependency
from rankgold.sql.installation import SqlEngine
from rankgold.sql.macro_script import Flavour, check_flavour

if TYPE_CHECKING:
    from sqlglot import exp


def translated(query: str, engine: SqlEngine, dialect: str = "hive", flavour: Flavour = "hivemall") -> str:
    """A query, or a single expression, in the SQL of the engine.

    >>> translated("select to_ordered_list(item, score, '-k 2') from t", "duckdb")
    'SELECT RANKGOLD_PAGE_TO_ORDERED_LIST("item", "score", \\'-k 2\\') FROM "t"'
    """
    if engine not in get_args(SqlEngine):
        raise DataError(f"engine must be one of duckdb, spark, not {engine!r}.")
    tree = parse_query(query, dialect)
    from rankgold.sql.call_rewriting import rewrite_calls  # which needs sqlglot

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
