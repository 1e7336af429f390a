"""Keys, values and options in, expressions of Spark SQL out: to_ordered_list and to_ordered_map."""

from __future__ import annotations

import sqlglot
from sqlglot import exp

from rankgold.sql.order_options import OrderOptions

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
