"""Keys and values of rows in, ordered lists and maps out: to_ordered_list and to_ordered_map as DuckDB macros.

`list` collects the rows. Entries are ordered by key, and by value where keys are equal; the largest comes first if the
order is reversed or the top k are requested. Rows without key or value are ignored; without any row left the result is
NULL.
"""

HELPERS = {
    "rankgold_option(options, name)": "regexp_matches(options, '(^|\\s)' || name || '(\\s|$)')",
    "rankgold_not_0(k, name)": "CASE k WHEN 0 THEN error(name || ' must be a whole number other than 0') ELSE k END",
    "rankgold_limit(options)": (
        "rankgold_not_0(CAST(nullif(regexp_extract(options, '(?:^|\\s)-k\\s+(-?\\d+)', 1), '') AS BIGINT), '-k')"
    ),
    "rankgold_descends(options)": (
        "(rankgold_option(options, '-reverse(_order)?') <> coalesce(rankgold_limit(options) > 0, false))"
    ),
    # The options themselves, or an error.
    "rankgold_options(options)": (
        "CASE WHEN NOT regexp_full_match(options, '\\s*((-k\\s+-?\\d+|-reverse(_order)?|-dedup|-kv(_map)?|-vk(_map)?)"
        "(\\s+|$))*') THEN error('options are -k N, -reverse, -dedup, -kv_map and -vk_map, not: ' || options)"
        " WHEN rankgold_option(options, '-kv(_map)?') AND rankgold_option(options, '-vk(_map)?')"
        " THEN error('-kv_map and -vk_map cannot be combined') ELSE options END"
    ),
    "rankgold_as_list(options)": (
        "CASE WHEN rankgold_option(options, '-[kv][kv](_map)?')"
        " THEN error('-kv_map and -vk_map return a map: call to_ordered_kv_map or to_ordered_vk_map')"
        " ELSE rankgold_options(options) END"
    ),
    "rankgold_sorted(entries, descends)": (
        "if(descends, list_sort(entries, 'DESC', 'NULLS LAST'), list_sort(entries, 'ASC', 'NULLS LAST'))"
    ),
    "rankgold_top(entries, n)": "entries[1:coalesce(abs(n), len(entries))]",
    "rankgold_entries(value, key)": (
        "list({'k': key, 'v': value}) FILTER (WHERE (key IS NOT NULL) AND (value IS NOT NULL))"
    ),
    "rankgold_distinct_entries(entries, options)": (
        "if(rankgold_option(options, '-dedup'), list_distinct(entries), entries)"
    ),
    "rankgold_ordered(entries, options)": (
        "rankgold_top(rankgold_sorted(rankgold_distinct_entries(entries, options), rankgold_descends(options)),"
        " rankgold_limit(options))"
    ),
    "rankgold_keys(entries)": "list_transform(entries, lambda e: struct_extract(e, 'k'))",
    "rankgold_values(entries)": "list_transform(entries, lambda e: struct_extract(e, 'v'))",
    # The first entry of each key.
    "rankgold_firsts(entries)": (
        "list_filter(entries, lambda e, i: list_position(rankgold_keys(entries), struct_extract(e, 'k')) = i)"
    ),
    "rankgold_swapped(entries)": (
        "list_transform(entries, lambda e: {'k': struct_extract(e, 'v'), 'v': struct_extract(e, 'k')})"
    ),
    "rankgold_map(entries)": "map(rankgold_keys(rankgold_firsts(entries)), rankgold_values(rankgold_firsts(entries)))",
    "rankgold_keyed(key, value)": "list({'k': key, 'v': value}) FILTER (WHERE key IS NOT NULL)",
}

_LIST = "rankgold_values(rankgold_ordered(rankgold_entries(value, {key}), rankgold_as_list({options})))"
_MAP = "rankgold_ordered(rankgold_entries(value, key), rankgold_options(options))"

MACROS = {
    # Text as the second argument holds options. A key that is text needs the form with three arguments.
    "to_ordered_list": (
        ("value", _LIST.format(key="value", options="''")),
        ("value, options VARCHAR", _LIST.format(key="value", options="options")),
        ("value, key", _LIST.format(key="key", options="''")),
        ("value, key, options", _LIST.format(key="key", options="options")),
    ),
    "to_ordered_kv_map": (("value, key, options := ''", f"rankgold_map({_MAP})"),),
    "to_ordered_vk_map": (("value, key, options := ''", f"rankgold_map(rankgold_swapped({_MAP}))"),),
    "to_ordered_map": (
        ("key, value", "rankgold_map(rankgold_sorted(rankgold_keyed(key, value), false))"),
        (
            "key, value, reverse BOOLEAN",
            "rankgold_map(rankgold_sorted(rankgold_keyed(key, value), coalesce(reverse, false)))",
        ),
        (
            "key, value, k BIGINT",
            "rankgold_map(rankgold_top(rankgold_firsts(rankgold_sorted(rankgold_keyed(key, value),"
            " rankgold_not_0(k, 'k') > 0)), k))",
        ),
    ),
}
"""The parameters and the body of each form of a function."""
