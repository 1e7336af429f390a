"""A query in Hive's SQL or another dialect in, the same query for DuckDB or Spark out; sqlglot parses and prints it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from rankgold.errors import DataError, MissingDependency
from rankgold.sql.functions import BY_NAME
from rankgold.sql.macro_script import Flavour, check_flavour, function_prefix
from rankgold.sql.order_options import OrderOptions

if TYPE_CHECKING:
    from sqlglot import exp

Engine = Literal["duckdb", "spark"]

# Hivemall's name before version 0.5. Hive later reserved the word.
_FUNCTIONS = BY_NAME | {"precision": BY_NAME["p"]}


def translated(query: str, engine: Engine, dialect: str = "hive", flavour: str = "hivemall") -> str:
    """A query, or a single expression, in the SQL of the engine.

    >>> translated("select to_ordered_list(item, score, '-k 2') from t", "duckdb")
    'SELECT RANKGOLD_PAGE_TO_ORDERED_LIST("item", "score", \\'-k 2\\') FROM "t"'
    """
    if engine not in ("duckdb", "spark"):
        raise DataError(f"engine is one of duckdb, spark, not {engine!r}.")
    return sql_text(rewrite_calls(parse_query(query, dialect), engine, check_flavour(flavour)), engine)


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


def sql_text(tree: exp.Expr, engine: Engine) -> str:
    """The SQL of a syntax tree, with every name quoted."""
    from sqlglot.errors import ErrorLevel

    text: str = tree.sql(dialect=engine, identify=True, comments=False, unsupported_level=ErrorLevel.IGNORE)
    return text


def rewrite_calls(tree: exp.Expr, engine: Engine, flavour: Flavour) -> exp.Expr:
    """Replaces calls of the functions by expressions that the engine knows."""
    from sqlglot import exp

    tree = _replace_each_top_k(tree)
    # From the inside out, so that the arguments of a call are rewritten before it is.
    for call in reversed(list(tree.find_all(exp.Anonymous))):
        new = _rewritten_call(call, engine, flavour)
        if new is not call:
            tree = new if call is tree else tree
            call.replace(new)
    return tree


def _replace_each_top_k(tree: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    from rankgold.sql.each_top_k import top_k_calls, window_query

    while (select := next((node for node in tree.find_all(exp.Select) if top_k_calls(node)), None)) is not None:
        window = window_query(select)
        tree = window if select is tree else tree
        if select is not tree and select.parent is not None:
            select.replace(window)
    return tree


def _rewritten_call(call: exp.Anonymous, engine: Engine, flavour: Flavour) -> exp.Expr:
    from sqlglot import exp

    from rankgold.sql import spark_ordered_lists

    name = call.name.lower()
    arguments = call.expressions
    if (function := _FUNCTIONS.get(name)) is not None:
        if len(arguments) not in ((2, 3) if function.takes_k else (2,)):
            raise DataError(f"{function.wrong_number(name)}.")
        if engine == "duckdb" and not function.in_duckdb:
            raise DataError(
                f"{name} is a function on Spark only. Use Spark, or rankgold.evaluate with engine='duckdb'."
            )
        return _measure_call(function.name, arguments, engine, flavour)
    if name == "to_ordered_list":
        value, key, options = _list_arguments(arguments)
        if engine == "spark":
            return spark_ordered_lists.ordered_list(value, key, options)
        kind = "list" if options.result == "list" else f"{options.result}_map"
        return _prefixed(f"to_ordered_{kind}", [value, key, exp.Literal.string(options.text)], flavour)
    if name == "to_ordered_map":
        key, value, options = _map_arguments(arguments)
        if engine == "spark":
            return spark_ordered_lists.ordered_map(key, value, options)
        return _prefixed(name, arguments, flavour)
    if name == "each_top_k":
        raise DataError("each_top_k must be the only column of a query, not part of an expression.")
    return call


def _measure_call(name: str, arguments: list[Any], engine: Engine, flavour: Flavour) -> exp.Expr:
    from sqlglot import exp

    call = _prefixed(name, arguments, flavour)
    if engine == "duckdb" or flavour == "rankgold":
        return call
    # Spark computes an average in parts, on each machine. An aggregate of our own would need all rows on one machine.
    return exp.Coalesce(this=exp.Avg(this=call), expressions=[exp.cast(exp.Literal.number(0), "double")])


def _list_arguments(arguments: list[Any]) -> tuple[Any, Any, OrderOptions]:
    from sqlglot import exp

    count = len(arguments)
    if not 1 <= count <= 3:
        raise DataError(f"to_ordered_list takes a value, a key and options, not {count} arguments.")
    last = arguments[-1]
    text = last.this if count > 1 and isinstance(last, exp.Literal) and last.is_string else None
    if count == 3 and text is None:
        raise DataError("The options of to_ordered_list must be a constant text such as '-k 2 -reverse'.")
    has_key = count - (text is not None) == 2
    key = arguments[1] if has_key else arguments[0]
    return arguments[0], key.copy(), OrderOptions.of(text or "", has_key=has_key)


def _map_arguments(arguments: list[Any]) -> tuple[Any, Any, OrderOptions]:
    from sqlglot import exp

    count = len(arguments)
    if count not in (2, 3):
        raise DataError(f"to_ordered_map takes a key, a value and k or whether to reverse, not {count} arguments.")
    third = arguments[2] if count == 3 else None
    if third is None or isinstance(third, exp.Boolean):
        return arguments[0], arguments[1], OrderOptions(reverse=third is not None and third.this)
    k = integer_constant(third)
    if not k:
        raise DataError(
            "The third argument of to_ordered_map must be true, false or a constant whole number other than 0."
        )
    return arguments[0], arguments[1], OrderOptions(k=k)


def integer_constant(node: Any) -> int | None:
    """The value of an integer literal; None for any other expression."""
    from sqlglot import exp

    if isinstance(node, exp.Neg):
        return None if (number := integer_constant(node.this)) is None else -number
    if isinstance(node, exp.Literal) and not node.is_string and node.this.isdecimal():
        return int(node.this)
    return None


def _prefixed(name: str, arguments: Iterable[Any], flavour: Flavour) -> exp.Anonymous:
    from sqlglot import exp

    return exp.Anonymous(this=function_prefix(flavour) + name, expressions=[argument.copy() for argument in arguments])
