"""to_ordered_list and to_ordered_map as DuckDB macros around `list`, which collects the rows.

Entries are ordered by key and, where keys are equal, by value; largest first where the order is reversed or the top k
are wanted. Rows without key or value are left out, and where none is left the result is NULL.
"""

from __future__ import annotations

HELPERS = {
    "karat_option(options, name)": "regexp_matches(options, '(^|\\s)' || name || '(\\s|$)')",
    "karat_limit(options)": (
        "CASE CAST(nullif(regexp_extract(options, '(?:^|\\s)-k\\s+(-?\\d+)', 1), '') AS BIGINT)"
        " WHEN 0 THEN error('-k is any whole number but 0')"
        " ELSE CAST(nullif(regexp_extract(options, '(?:^|\\s)-k\\s+(-?\\d+)', 1), '') AS BIGINT) END"
    ),
    "karat_descends(options)": (
        "(karat_option(options, '-reverse(_order)?') <> coalesce(karat_limit(options) > 0, false))"
    ),
    # The options themselves, or an error.
    "karat_options(options)": (
        "CASE WHEN NOT regexp_full_match(options, '\\s*((-k\\s+-?\\d+|-reverse(_order)?|-dedup|-kv(_map)?|-vk(_map)?)"
        "(\\s+|$))*') THEN error('options are -k N, -reverse, -dedup, -kv_map and -vk_map, not: ' || options)"
        " WHEN karat_option(options, '-kv(_map)?') AND karat_option(options, '-vk(_map)?')"
        " THEN error('only one of -kv_map and -vk_map can be had') ELSE options END"
    ),
    "karat_as_list(options)": (
        "CASE WHEN karat_option(options, '-[kv][kv](_map)?')"
        " THEN error('the result of -kv_map and -vk_map is a map: call to_ordered_kv_map or to_ordered_vk_map')"
        " ELSE karat_options(options) END"
    ),
    "karat_sorted(entries, descends)": (
        "if(descends, list_sort(entries, 'DESC', 'NULLS LAST'), list_sort(entries, 'ASC', 'NULLS LAST'))"
    ),
    "karat_top(entries, n)": "entries[1:coalesce(abs(n), len(entries))]",
    "karat_entries(value, key)": (
        "list({'k': key, 'v': value}) FILTER (WHERE (key IS NOT NULL) AND (value IS NOT NULL))"
    ),
    "karat_distinct_entries(entries, options)": (
        "if(karat_option(options, '-dedup'), list_distinct(entries), entries)"
    ),
    "karat_ordered(entries, options)": (
        "karat_top(karat_sorted(karat_distinct_entries(entries, options), karat_descends(options)),"
        " karat_limit(options))"
    ),
    "karat_keys(entries)": "list_transform(entries, lambda e: struct_extract(e, 'k'))",
    "karat_values(entries)": "list_transform(entries, lambda e: struct_extract(e, 'v'))",
    # The first entry of each key.
    "karat_firsts(entries)": (
        "list_filter(entries, lambda e, i: list_position(karat_keys(entries), struct_extract(e, 'k')) = i)"
    ),
    "karat_swapped(entries)": (
        "list_transform(entries, lambda e: {'k': struct_extract(e, 'v'), 'v': struct_extract(e, 'k')})"
    ),
    "karat_map(entries)": "map(karat_keys(karat_firsts(entries)), karat_values(karat_firsts(entries)))",
    "karat_keyed(key, value)": "list({'k': key, 'v': value}) FILTER (WHERE key IS NOT NULL)",
    "karat_not_0(k)": "CASE k WHEN 0 THEN error('the third argument is any whole number but 0') ELSE k END",
}

_LIST = "karat_values(karat_ordered(karat_entries(value, {key}), karat_as_list({options})))"
_MAP = "karat_ordered(karat_entries(value, key), karat_options(options))"

MACROS = {
    # A text as the second argument holds options; a key that is text needs the form with three arguments.
    "to_ordered_list": (
        ("value", _LIST.format(key="value", options="''")),
        ("value, options VARCHAR", _LIST.format(key="value", options="options")),
        ("value, key", _LIST.format(key="key", options="''")),
        ("value, key, options", _LIST.format(key="key", options="options")),
    ),
    "to_ordered_kv_map": (("value, key, options := ''", f"karat_map({_MAP})"),),
    "to_ordered_vk_map": (("value, key, options := ''", f"karat_map(karat_swapped({_MAP}))"),),
    "to_ordered_map": (
        ("key, value", "karat_map(karat_sorted(karat_keyed(key, value), false))"),
        ("key, value, reverse BOOLEAN", "karat_map(karat_sorted(karat_keyed(key, value), coalesce(reverse, false)))"),
        (
            "key, value, k BIGINT",
            "karat_map(karat_top(karat_firsts(karat_sorted(karat_keyed(key, value), karat_not_0(k) > 0)), k))",
        ),
    ),
}
"""Every form of a function: its parameters and its body."""
