"""A flavour in, the SQL statements that define the functions in DuckDB out."""

import re
from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from rankgold.errors import DataError
from rankgold.sql import hivemall_macros, list_macros, ordered_list_macros
from rankgold.sql.list_macros import FUNCTIONS, Function

Flavour = Literal["rankgold", "hivemall", "hivemall-code"]
"""`rankgold`: one value per row. `hivemall`: Hivemall's aggregates, where average precision divides by all relevant
documents, as on Hivemall's page. `hivemall-code`: it divides by those found, as in Hivemall's code since 2017."""

FLAVOURS: tuple[Flavour, ...] = get_args(Flavour)


def check_flavour(flavour: str) -> Flavour:
    for known in FLAVOURS:
        if flavour == known:
            return known
    raise DataError(f"flavour is one of {', '.join(FLAVOURS)}, not {flavour!r}.")


def script(flavour: str = "rankgold", *, temporary: bool = False, prefix: str = "") -> str:
    """The statements that define all functions. Any DuckDB client can run them.

    >>> "MACRO recall_at(rec, truth, k := NULL)" in script()
    True
    """
    create = f"CREATE OR REPLACE {'TEMP ' if temporary else ''}MACRO"
    helpers = list_macros.HELPERS | hivemall_macros.HELPERS | ordered_list_macros.HELPERS
    lines = [f"{create} {signature} AS {body};" for signature, body in helpers.items()]
    for name, forms in _macros(check_flavour(flavour)):
        lines.append(f"{create} {prefix}{name}{', '.join(f'({parameters}) AS {body}' for parameters, body in forms)};")
    return "\n".join(lines) + "\n"


def _macros(flavour: Flavour) -> Iterator[tuple[str, Iterable[tuple[str, str]]]]:
    """Every function with the parameters and the body of each of its forms."""
    for function in FUNCTIONS:
        body = _row_formula(function, flavour)
        yield function.name, [(function.parameters, body if flavour == "rankgold" else f"coalesce(avg({body}), 0.0)")]
    yield from ordered_list_macros.MACROS.items()


def _row_formula(function: Function, flavour: Flavour) -> str:
    """The SQL of a function's value for one row."""
    if flavour == "rankgold":
        return function.sql
    if flavour == "hivemall-code" and function.name == "average_precision":
        return hivemall_macros.sql(hivemall_macros.AVERAGE_PRECISION_OF_FOUND)
    if function.name in hivemall_macros.FORMULAS:
        return hivemall_macros.sql(hivemall_macros.FORMULAS[function.name])
    return re.sub(r"\brec\b", "coalesce(rec, [])", function.sql)
