"""Prints the statements that define the functions, and registers them with a connection.

`list` collects the rows. Entries are ordered by key, and by value where keys are equal; the largest comes first if the
order is reversed or the top k are requested. Rows without key or value are ignored; without any row left the result is
NULL.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Any, Literal, get_args

from rankgold.core.errors import DataError
from rankgold.engines.protocol import Flavour, engine_of_object
from rankgold.engines.sql import functions, hivemall_macros
from rankgold.engines.sql.functions import FUNCTIONS, Function

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


FLAVOURS: tuple[Flavour, ...] = get_args(Flavour)


def check_flavour(flavour: str) -> Flavour:
    for known in FLAVOURS:
        if flavour == known:
            return known
    raise DataError(f"flavour must be one of {', '.join(FLAVOURS)}, not {flavour!r}.")


def function_prefix(flavour: Flavour) -> str:
    """The prefix of the macros that other macros and translated queries call. No function of the user has it."""
    return {"rankgold": "rankgold_row_", "hivemall": "rankgold_page_", "hivemall-code": "rankgold_code_"}[flavour]


def script(flavour: Flavour = "rankgold", *, temporary: bool = False, prefixed_only: bool = False) -> str:
    """The statements that define all functions, or only those with the prefix. Any DuckDB client can run them.

    >>> "MACRO recall_at(rec, truth, k := NULL)" in script()
    True
    """
    flavour = check_flavour(flavour)
    create = f"CREATE OR REPLACE {'TEMP ' if temporary else ''}MACRO"
    helpers = functions.HELPERS | hivemall_macros.HELPERS | HELPERS
    lines = [f"{create} {signature} AS {body};" for signature, body in helpers.items()]
    lines += [f"{create} {_statement(name, forms)};" for name, forms in _prefixed_macros(flavour)]
    if not prefixed_only:
        lines += [f"{create} {_statement(name, forms)};" for name, forms in _public_macros(flavour)]
    # Quotients of floats, because a connection may divide integers as integers (SET integer_division = true).
    return "\n".join(lines).replace(" / ", " * 1e0 / ") + "\n"


def _statement(name: str, forms: Iterable[tuple[str, str]]) -> str:
    return f"{name}{', '.join(f'({parameters}) AS {body}' for parameters, body in forms)}"


def _prefixed_macros(flavour: Flavour) -> Iterator[tuple[str, Iterable[tuple[str, str]]]]:
    """Every macro under its one name, with the parameters and the body of each of its forms."""
    for function in FUNCTIONS:
        if function.in_duckdb:
            checked = f"rankgold_checked(rec, truth, {'k' if function.takes_k else 'NULL'})"
            value = f"{checked} + {_row_formula(function, flavour)}"
            body = value if flavour == "rankgold" else f"coalesce(avg({value}), 0.0)"
            yield function_prefix(flavour) + function.name, [(_signature(function), body)]
    for name, forms in MACROS.items():
        yield function_prefix(flavour) + name, forms


def _public_macros(flavour: Flavour) -> Iterator[tuple[str, Iterable[tuple[str, str]]]]:
    """The names that users call. A call with a wrong number of arguments is an error that says so."""
    for function in FUNCTIONS:
        if function.in_duckdb:
            call = f"{function_prefix(flavour)}{function.name}({function.parameters})"
            for name in function.names:
                fault = f"error('{function.wrong_number(name)}')"
                wrong = ["", "rec", *([] if function.takes_k else ["rec, truth, k"]), "rec, truth, k, more"]
                yield name, [(_signature(function), call), *((parameters, fault) for parameters in wrong)]
    yield from MACROS.items()


def _signature(function: Function) -> str:
    return "rec, truth, k := NULL" if function.takes_k else "rec, truth"


def _row_formula(function: Function, flavour: Flavour) -> str:
    """The SQL of a function's value for one row."""
    formula = functions.measure_macro(function.name, takes_k=function.takes_k)
    if flavour == "rankgold":
        return formula
    if flavour == "hivemall-code" and function.name == "ap":
        return hivemall_macros.macro_body(hivemall_macros.AVERAGE_PRECISION_OF_FOUND)
    if function.name in hivemall_macros.FORMULAS:
        return hivemall_macros.macro_body(hivemall_macros.FORMULAS[function.name])
    return re.sub(r"\brec\b", "coalesce(rec, [])", formula)


SqlEngine = Literal["duckdb", "spark"]
"""The engines that have SQL functions."""


def install(engine: Any, flavour: Flavour = "rankgold") -> None:
    """Registers the functions with a DuckDB connection or a SparkSession, until it is closed.

    With the flavour `rankgold` a function returns one value per row. With `hivemall` and `hivemall-code` it is an
    aggregate over rows, as in Hivemall.
    """
    flavour = check_flavour(flavour)
    if engine_kind(engine, "install") == "duckdb":
        from rankgold.engines.duckdb.database import duckdb_errors

        with duckdb_errors():
            engine.execute(script(flavour, temporary=True))
    else:
        from rankgold.engines.sql.spark_functions import install_in_spark

        install_in_spark(engine, flavour)


def engine_kind(engine: object, function: str) -> SqlEngine:
    """Which engine a connection or session belongs to. `function` is the caller's name, for the error message."""
    name = engine_of_object(engine)
    if name == "duckdb" and hasattr(engine, "execute"):
        return "duckdb"
    if name == "spark" and hasattr(engine, "sql") and hasattr(engine, "udf"):
        return "spark"
    raise DataError(f"{function} takes a DuckDB connection or a SparkSession, not {type(engine).__name__}.")
