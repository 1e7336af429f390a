"""A flavour in, the SQL statements that define the functions in DuckDB out."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from rankgold.errors import DataError
from rankgold.sql import hivemall_macros, list_macros, ordered_list_macros
from rankgold.sql.functions import FUNCTIONS, Function

Flavour = Literal["rankgold", "hivemall", "hivemall-code"]
"""`rankgold`: one value per row. `hivemall`: Hivemall's aggregates, where average precision divides by all relevant
documents, as on Hivemall's page. `hivemall-code`: it divides by those found, as in Hivemall's code since 2017."""

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
    helpers = list_macros.HELPERS | hivemall_macros.HELPERS | ordered_list_macros.HELPERS
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
    for name, forms in ordered_list_macros.MACROS.items():
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
    yield from ordered_list_macros.MACROS.items()


def _signature(function: Function) -> str:
    return "rec, truth, k := NULL" if function.takes_k else "rec, truth"


def _row_formula(function: Function, flavour: Flavour) -> str:
    """The SQL of a function's value for one row."""
    formula = list_macros.measure_macro(function.name, takes_k=function.takes_k)
    if flavour == "rankgold":
        return formula
    if flavour == "hivemall-code" and function.name == "ap":
        return hivemall_macros.macro_body(hivemall_macros.AVERAGE_PRECISION_OF_FOUND)
    if function.name in hivemall_macros.FORMULAS:
        return hivemall_macros.macro_body(hivemall_macros.FORMULAS[function.name])
    return re.sub(r"\brec\b", "coalesce(rec, [])", formula)
