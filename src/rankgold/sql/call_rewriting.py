"""The syntax tree of a query in, the same tree out with calls of the functions replaced by what the engine knows."""

from __future__ import annotations

from collections.abc import Iterable

from sqlglot import exp

from rankgold.errors import DataError
from rankgold.sql import spark_ordered_lists
from rankgold.sql.each_top_k import integer_constant, top_k_calls, window_query
from rankgold.sql.functions import BY_NAME
from rankgold.sql.installation import SqlEngine
from rankgold.sql.macro_script import Flavour, function_prefix
from rankgold.sql.order_options import OrderOptions

# Hivemall's name before version 0.5. Hive later reserved the word.
_FUNCTIONS = BY_NAME | {"precision": BY_NAME["p"]}


def rewrite_calls(tree: exp.Expr, engine: SqlEngine, flavour: Flavour) -> exp.Expr:
    """Replaces calls of the functions with expressions that the engine knows."""
    tree = _replace_each_top_k(tree)
    # From the inside out, so that the arguments of a call are rewritten before it is.
    for call in reversed(list(tree.find_all(exp.Anonymous))):
        new = _rewritten_call(call, engine, flavour)
        if new is not call:
            tree = new if call is tree else tree
            call.replace(new)
    return tree


def _replace_each_top_k(tree: exp.Expr) -> exp.Expr:
    while (select := next((node for node in tree.find_all(exp.Select) if top_k_calls(node)), None)) is not None:
        window = window_query(select)
        tree = window if select is tree else tree
        if select is not tree and select.parent is not None:
            select.replace(window)
    return tree


def _rewritten_call(call: exp.Anonymous, engine: SqlEngine, flavour: Flavour) -> exp.Expr:
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


def _measure_call(name: str, arguments: list[exp.Expr], engine: SqlEngine, flavour: Flavour) -> exp.Expr:
    call = _prefixed(name, arguments, flavour)
    if engine == "duckdb" or flavour == "rankgold":
        return call
    # Spark computes an average in parts, on each machine. An aggregate of our own would need all rows on one machine.
    return exp.Coalesce(this=exp.Avg(this=call), expressions=[exp.cast(exp.Literal.number(0), "double")])


def _list_arguments(arguments: list[exp.Expr]) -> tuple[exp.Expr, exp.Expr, OrderOptions]:
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


def _map_arguments(arguments: list[exp.Expr]) -> tuple[exp.Expr, exp.Expr, OrderOptions]:
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


def _prefixed(name: str, arguments: Iterable[exp.Expr], flavour: Flavour) -> exp.Anonymous:
    return exp.Anonymous(this=function_prefix(flavour) + name, expressions=[argument.copy() for argument in arguments])
