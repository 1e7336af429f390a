"""Replaces calls by what the engine knows."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

import sqlglot
from sqlglot import exp

from rankgold.core.errors import DataError
from rankgold.engines.protocol import Flavour
from rankgold.engines.sql.functions import BY_NAME
from rankgold.engines.sql.macro_script import SqlEngine, function_prefix

_ROW_NUMBER = "rankgold_row_number"


def window_query(select: exp.Select) -> exp.Select:
    """Replaces `each_top_k(k, group, key, columns...)`, the only column of a query, by window functions.

    The rank counts the different keys. A group keeps at most k rows: those with the largest keys, or with the smallest
    where k is negative.
    """
    if len(select.expressions) != 1:
        raise DataError("each_top_k must be the only column of its query. Pass other columns as its arguments.")
    k, group, key, columns = _arguments(top_k_calls(select)[0])
    names = _names(select.expressions[0], len(columns))
    # Rows without a key come last, whatever the engine or the connection does with NULL by default.
    is_null = exp.Is(this=exp.Paren(this=key.copy()), expression=exp.Null())
    order = exp.Order(expressions=[exp.Ordered(this=is_null, desc=False), exp.Ordered(this=key.copy(), desc=k > 0)])

    def over(function: exp.Func) -> exp.Window:
        return exp.Window(this=function, partition_by=[group.copy()], order=order.copy())

    inner = select.copy()
    values = [over(exp.DenseRank()), key, *columns]
    inner.set(
        "expressions",
        [
            *(exp.alias_(value.copy(), name, quoted=True) for value, name in zip(values, names, strict=True)),
            exp.alias_(over(exp.RowNumber()), _ROW_NUMBER, quoted=True),
        ],
    )
    moved = {part: inner.args.pop(part, None) for part in ("with_", "order", "limit")}
    outer = exp.select(*(exp.column(name, quoted=True) for name in names)).from_(inner.subquery("rankgold_ranked"))
    outer = outer.where(exp.LTE(this=exp.column(_ROW_NUMBER, quoted=True), expression=exp.Literal.number(abs(k))))
    for part, node in moved.items():
        if node is not None:
            outer.set(part, node)
    return outer


def top_k_calls(select: exp.Select) -> list[exp.Anonymous]:
    """The calls of each_top_k among the columns of a query."""
    return [call for call in map(_call, select.expressions) if call is not None]


def _call(column: exp.Expr) -> exp.Anonymous | None:
    inner = column.this if isinstance(column, (exp.Alias, exp.Aliases)) else column
    return inner if isinstance(inner, exp.Anonymous) and inner.name.lower() == "each_top_k" else None


def _arguments(call: exp.Anonymous) -> tuple[int, exp.Expr, exp.Expr, list[exp.Expr]]:
    arguments = call.expressions
    if len(arguments) < 4:
        raise DataError(f"each_top_k takes k, a group, a key and at least one column, not {len(arguments)} arguments.")
    k = integer_constant(arguments[0])
    if not k:
        raise DataError("The first argument of each_top_k must be a constant whole number other than 0.")
    return k, arguments[1], arguments[2], arguments[3:]


def integer_constant(node: exp.Expr) -> int | None:
    """The value of an integer literal; None for any other expression."""
    if isinstance(node, exp.Neg):
        return None if (number := integer_constant(node.this)) is None else -number
    if isinstance(node, exp.Literal) and not node.is_string and node.this.isdecimal():
        return int(node.this)
    return None


def _names(column: exp.Expr, count: int) -> list[str]:
    """The names of rank, key and columns: the query's aliases, or Hivemall's names."""
    if isinstance(column, exp.Aliases):
        names = [alias.name for alias in column.expressions]
        if len(names) != count + 2:
            raise DataError(f"each_top_k returns {count + 2} columns (rank, key and {count} more), not {len(names)}.")
        return names
    return ["rank", "key", *(f"c{i}" for i in range(1, count + 1))]


_FLAGS = {
    "-reverse": "reverse", "-reverse_order": "reverse", "-dedup": "dedup",
    "-kv": "kv", "-kv_map": "kv", "-vk": "vk", "-vk_map": "vk",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class OrderOptions:
    """The order of entries, and which to keep.

    >>> OrderOptions.of("-k 2 -kv_map")
    OrderOptions(k=2, reverse=False, dedup=False, result='kv')
    >>> OrderOptions.of("-k -2").descends
    False
    """

    k: int | None = None
    reverse: bool = False
    dedup: bool = False
    result: Literal["list", "kv", "vk"] = "list"

    @classmethod
    def of(cls, text: str, *, has_key: bool = True) -> OrderOptions:
        words = text.split()
        found: dict[str, int | bool] = {}
        while words:
            word = words.pop(0)
            if word == "-k" and words and words[0].lstrip("-").isdecimal() and words[0].count("-") <= 1:
                found["k"] = int(words.pop(0))
            elif word in _FLAGS:
                found[_FLAGS[word]] = True
            else:
                raise DataError(f"options are -k N, -reverse, -dedup, -kv_map and -vk_map, not {text!r}.")
        if found.get("k") == 0:
            raise DataError("-k must be a whole number other than 0.")
        if "kv" in found and "vk" in found:
            raise DataError("-kv_map and -vk_map cannot be combined.")
        if ("kv" in found or "vk" in found) and not has_key:
            raise DataError("a map needs keys: to_ordered_list(value, key, options).")
        result: Literal["list", "kv", "vk"] = "kv" if "kv" in found else "vk" if "vk" in found else "list"
        return cls(found.get("k"), "reverse" in found, "dedup" in found, result)

    @property
    def descends(self) -> bool:
        """Whether the largest comes first: if the order is reversed or the top k are requested, but not both."""
        return self.reverse != (self.k is not None and self.k > 0)

    @property
    def text(self) -> str:
        """The options as the DuckDB macros take them."""
        words = ["" if self.k is None else f"-k {self.k}", "-reverse" * self.reverse, "-dedup" * self.dedup]
        return " ".join(filter(None, words))


_ENTRIES = "collect_list(struct({key} AS k, {value} AS v)) FILTER (WHERE {kept})"
# The first entry of each key. A slice of no entries is an empty list of their type.
_FIRSTS = (
    "aggregate({entries}, slice({entries}, 1, 0), (rankgold_list, rankgold_entry) -> if(exists(rankgold_list,"
    " rankgold_known -> rankgold_known.k <=> rankgold_entry.k), rankgold_list,"
    " concat(rankgold_list, array(rankgold_entry))))"
)
_VALUES = "transform({entries}, rankgold_entry -> rankgold_entry.v)"
_SWAPPED = "transform({entries}, rankgold_entry -> struct(rankgold_entry.v AS k, rankgold_entry.k AS v))"


def ordered_list(value: exp.Expr, key: exp.Expr, options: OrderOptions) -> exp.Expr:
    """Rows without value or key are ignored; without any row left the result is NULL."""
    kept = f"{_sql(value)} IS NOT NULL AND {_sql(key)} IS NOT NULL"
    entries = _top(_sorted_entries(key, value, kept, options), options)
    if options.result == "list":
        return _or_null(_VALUES.format(entries=entries), kept)
    if options.result == "vk":
        entries = _SWAPPED.format(entries=entries)
    return _or_null(f"map_from_entries({_FIRSTS.format(entries=entries)})", kept)


def ordered_map(key: exp.Expr, value: exp.Expr, options: OrderOptions) -> exp.Expr:
    """Rows without key are ignored. Of several values of one key, the first in order stays."""
    kept = f"{_sql(key)} IS NOT NULL"
    entries = _FIRSTS.format(entries=_sorted_entries(key, value, kept, options))
    return _or_null(f"map_from_entries({_top(entries, options)})", kept)


def _sorted_entries(key: exp.Expr, value: exp.Expr, kept: str, options: OrderOptions) -> str:
    entries = _ENTRIES.format(key=_sql(key), value=_sql(value), kept=kept)
    if options.dedup:
        entries = f"array_distinct({entries})"
    return f"sort_array({entries}, {str(not options.descends).lower()})"


def _top(entries: str, options: OrderOptions) -> str:
    return entries if options.k is None else f"slice({entries}, 1, {abs(options.k)})"


def _or_null(result: str, kept: str) -> exp.Expr:
    return sqlglot.parse_one(f"CASE WHEN count_if({kept}) > 0 THEN {result} END", read="spark")


def _sql(node: exp.Expr) -> str:
    text: str = node.sql(dialect="spark", identify=True)
    return f"({text})"


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
            return ordered_list(value, key, options)
        kind = "list" if options.result == "list" else f"{options.result}_map"
        return _prefixed(f"to_ordered_{kind}", [value, key, exp.Literal.string(options.text)], flavour)
    if name == "to_ordered_map":
        key, value, options = _map_arguments(arguments)
        if engine == "spark":
            return ordered_map(key, value, options)
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
