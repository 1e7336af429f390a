"""Queries that call the functions, from Hive's SQL or another dialect to that of the engine, by sqlglot."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Literal

from rankgold.errors import DataError, MissingDependency
from rankgold.sql.list_macros import FUNCTIONS
from rankgold.sql.ordering import Ordering
from rankgold.sql.script import Flavour, checked_flavour

if TYPE_CHECKING:
    from sqlglot import exp

Engine = Literal["duckdb", "spark"]

# Hivemall's names before its version 0.5, when Hive had not yet reserved the second.
_FORMER = {"recall": "recall_at", "precision": "precision_at"}
_MEASURES = {one.name for one in FUNCTIONS}


def prefix_of(flavour: Flavour) -> str:
    """What the names of functions begin with that translated queries call, so that they are nobody else's."""
    return {"rankgold": "rankgold_row_", "hivemall": "rankgold_page_", "hivemall-code": "rankgold_code_"}[flavour]


def translated(query: str, engine: Engine, dialect: str = "hive", flavour: str = "hivemall") -> str:
    """A query, or a single expression, as the engine takes it.

    >>> translated("select to_ordered_list(item, score, '-k 2') from t", "duckdb")
    'SELECT RANKGOLD_PAGE_TO_ORDERED_LIST("item", "score", \\'-k 2\\') FROM "t"'
    """
    if engine not in ("duckdb", "spark"):
        raise DataError(f"engine is one of duckdb, spark, not {engine!r}.")
    return text_of(rewritten(parsed(query, dialect), engine, checked_flavour(flavour)), engine)


def parsed(query: str, dialect: str) -> exp.Expr:
    """The one statement of a query."""
    try:
        import sqlglot
        from sqlglot.errors import ParseError, SqlglotError
    except ImportError:
        raise MissingDependency("sqlglot", "sqlglot") from None
    if not isinstance(query, str):
        raise DataError(f"A query is text, not {type(query).__name__}.")
    try:
        statements = [one for one in sqlglot.parse(query, read=_known(dialect)) if one is not None]
    except ParseError as error:
        first = error.errors[0]
        where = f"the query, line {first['line']}, column {first['col']}"
        raise DataError(f"{_plain(first['description'])}, at {first['highlight']!r}.", where) from None
    except SqlglotError as error:
        raise DataError(f"{error}.", "the query") from None
    except RecursionError:
        raise DataError("it is nested too deep.", "the query") from None
    if not statements:
        raise DataError("there is no statement.", "the query")
    if len(statements) > 1:
        raise DataError(f"A query is one statement, and here are {len(statements)}. Run them one by one.")
    return statements[0]


def _known(dialect: str) -> str:
    from sqlglot.dialects.dialect import Dialect

    if not isinstance(dialect, str) or Dialect.get(dialect.lower()) is None:
        raise DataError(f"dialect is one that sqlglot reads, such as hive, spark, trino or duckdb, not {dialect!r}.")
    return dialect.lower()


def _plain(description: str) -> str:
    """What sqlglot says, without what only its developers read."""
    return description.partition(" but got <Token")[0].partition(" for <class")[0]


def text_of(tree: exp.Expr, engine: Engine) -> str:
    """Every name is quoted, whoever gave it."""
    from sqlglot.errors import ErrorLevel

    text: str = tree.sql(dialect=engine, identify=True, comments=False, unsupported_level=ErrorLevel.IGNORE)
    return text


def rewritten(tree: exp.Expr, engine: Engine, flavour: Flavour) -> exp.Expr:
    """The same with calls of the functions as the engine knows them."""
    from sqlglot import exp

    tree = _with_windows(tree)
    # From the inside out, so that a call in a call is there when it is needed.
    for call in reversed(list(tree.find_all(exp.Anonymous))):
        new = _call(call, engine, flavour)
        if new is not call:
            tree = new if call is tree else tree
            call.replace(new)
    return tree


def _with_windows(tree: exp.Expr) -> exp.Expr:
    """The same with windows for each_top_k."""
    from sqlglot import exp

    from rankgold.sql.each_top_k import as_window, calls_in

    while (select := next((one for one in tree.find_all(exp.Select) if calls_in(one)), None)) is not None:
        window = as_window(select)
        tree = window if select is tree else tree
        if select is not tree and select.parent is not None:
            select.replace(window)
    return tree


def _call(call: exp.Anonymous, engine: Engine, flavour: Flavour) -> exp.Expr:
    from rankgold.sql import ordered_spark

    name = call.name.lower()
    given = call.expressions
    if _FORMER.get(name, name) in _MEASURES and len(given) in (2, 3):
        return _measure(_FORMER.get(name, name), given, engine, flavour)
    if name == "to_ordered_list":
        value, key, ordering = _list_arguments(given)
        if engine == "spark":
            return ordered_spark.ordered_list(value, key, ordering)
        kind = "list" if ordering.result == "list" else f"{ordering.result}_map"
        return _anonymous(f"{prefix_of(flavour)}to_ordered_{kind}", [value, key, _text(ordering.text)])
    if name == "to_ordered_map":
        key, value, ordering = _map_arguments(given)
        if engine == "spark":
            return ordered_spark.ordered_map(key, value, ordering)
        return _anonymous(f"{prefix_of(flavour)}to_ordered_map", given)
    if name == "each_top_k":
        raise DataError("each_top_k is the only column of a query, and stands in no other expression.")
    return call


def _measure(name: str, given: list[Any], engine: Engine, flavour: Flavour) -> exp.Expr:
    from sqlglot import exp

    call = _anonymous(prefix_of(flavour) + name, given)
    if engine == "duckdb" or flavour == "rankgold":
        return call
    # Spark averages parts of the rows where they are; a function of all rows would need them in one place.
    return exp.Coalesce(this=exp.Avg(this=call), expressions=[exp.cast(exp.Literal.number(0), "double")])


def _list_arguments(given: list[Any]) -> tuple[Any, Any, Ordering]:
    from sqlglot import exp

    if not 1 <= len(given) <= 3:
        raise DataError(f"to_ordered_list takes a value, a key and options, not {len(given)} arguments.")
    options = given[-1] if len(given) > 1 and isinstance(given[-1], exp.Literal) and given[-1].is_string else None
    if len(given) == 3 and options is None:
        raise DataError("The options of to_ordered_list are a constant text such as '-k 2 -reverse'.")
    has_key = len(given) - (options is not None) == 2
    ordering = Ordering.of("" if options is None else options.this, has_key=has_key)
    return given[0], given[1].copy() if has_key else given[0].copy(), ordering


def _map_arguments(given: list[Any]) -> tuple[Any, Any, Ordering]:
    from sqlglot import exp

    if len(given) not in (2, 3):
        raise DataError(f"to_ordered_map takes a key, a value and k or whether to reverse, not {len(given)} arguments.")
    third = given[2] if len(given) == 3 else None
    if third is None or isinstance(third, exp.Boolean):
        return given[0], given[1], Ordering(reverse=third is not None and third.this)
    k = constant(third)
    if k is None:
        raise DataError("The third argument of to_ordered_map is a constant: true, false or a whole number.")
    if k == 0:
        raise DataError("The third argument of to_ordered_map is any whole number but 0.")
    return given[0], given[1], Ordering(k=k)


def constant(node: Any) -> int | None:
    """The whole number that this is, if it is one."""
    from sqlglot import exp

    if isinstance(node, exp.Neg):
        return None if (number := constant(node.this)) is None else -number
    if isinstance(node, exp.Literal) and not node.is_string and node.this.isdecimal():
        return int(node.this)
    return None


def _anonymous(name: str, given: Iterable[Any]) -> exp.Anonymous:
    from sqlglot import exp

    return exp.Anonymous(this=name, expressions=[one.copy() for one in given])


def _text(text: str) -> exp.Literal:
    from sqlglot import exp

    return exp.Literal.string(text)
