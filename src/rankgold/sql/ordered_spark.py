"""to_ordered_list and to_ordered_map as expressions of Spark SQL."""

from __future__ import annotations

from typing import Any

from rankgold.sql.ordering import Ordering

_ENTRIES = "collect_list(struct({key} AS k, {value} AS v)) FILTER (WHERE {kept})"
# The first entry of each key; a slice of none of the entries is an empty list of their type.
_FIRSTS = (
    "aggregate({entries}, slice({entries}, 1, 0), (rankgold_list, rankgold_entry) -> if(exists(rankgold_list,"
    " rankgold_known -> rankgold_known.k <=> rankgold_entry.k), rankgold_list,"
    " concat(rankgold_list, array(rankgold_entry))))"
)
_VALUES = "transform({entries}, rankgold_entry -> rankgold_entry.v)"
_SWAPPED = "transform({entries}, rankgold_entry -> struct(rankgold_entry.v AS k, rankgold_entry.k AS v))"


def ordered_list(value: Any, key: Any, ordering: Ordering) -> Any:
    """Rows without value or key are left out; where none is left the result is NULL."""
    kept = f"{_sql(value)} IS NOT NULL AND {_sql(key)} IS NOT NULL"
    entries = _sorted(_ENTRIES.format(key=_sql(key), value=_sql(value), kept=kept), ordering)
    if ordering.k is not None:
        entries = f"slice({entries}, 1, {abs(ordering.k)})"
    if ordering.result == "list":
        return _or_null(_VALUES.format(entries=entries), kept)
    if ordering.result == "vk":
        entries = _SWAPPED.format(entries=entries)
    return _or_null(f"map_from_entries({_FIRSTS.format(entries=entries)})", kept)


def ordered_map(key: Any, value: Any, ordering: Ordering) -> Any:
    """Rows without key are left out. Of several values of one key, the first in order stays."""
    kept = f"{_sql(key)} IS NOT NULL"
    entries = _sorted(_ENTRIES.format(key=_sql(key), value=_sql(value), kept=kept), ordering)
    entries = _FIRSTS.format(entries=entries)
    if ordering.k is not None:
        entries = f"slice({entries}, 1, {abs(ordering.k)})"
    return _or_null(f"map_from_entries({entries})", kept)


def _sorted(entries: str, ordering: Ordering) -> str:
    if ordering.dedup:
        entries = f"array_distinct({entries})"
    return f"sort_array({entries}, {str(not ordering.descends).lower()})"


def _or_null(result: str, kept: str) -> Any:
    import sqlglot

    return sqlglot.parse_one(f"CASE WHEN count_if({kept}) > 0 THEN {result} END", read="spark")


def _sql(node: Any) -> str:
    text: str = node.sql(dialect="spark", identify=True)
    return f"({text})"
