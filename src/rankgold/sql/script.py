"""The statements that define the functions in DuckDB."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from rankgold.errors import DataError
from rankgold.sql import hivemall_macros, list_macros, ordered_macros
from rankgold.sql.list_macros import FUNCTIONS, Function

Flavour = Literal["rankgold", "hivemall", "hivemall-code"]
"""`rankgold`: one value a row. `hivemall`: Hivemall's aggregates, with average precision over all relevant documents as
on its page; `hivemall-code`: over those found, as in its code since 2017."""

FLAVOURS: tuple[Flavour, ...] = get_args(Flavour)

Form = tuple[str, str]
"""The parameters and the body of a macro."""


def checked_flavour(flavour: str) -> Flavour:
    for known in FLAVOURS:
        if flavour == known:
            return known
    raise DataError(f"flavour is one of {', '.join(FLAVOURS)}, not {flavour!r}.")


def script(flavour: str = "rankgold", *, temporary: bool = False, prefix: str = "") -> str:
    """The statements that define all functions, as any DuckDB client takes them.

    >>> "MACRO recall_at(rec, truth, k := NULL)" in script()
    True
    """
    create = f"CREATE OR REPLACE {'TEMP ' if temporary else ''}MACRO"
    lines = [f"{create} {signature} AS {body};" for signature, body in _helpers().items()]
    for name, forms in _macros(checked_flavour(flavour), prefix):
        lines.append(f"{create} {name}{', '.join(f'({parameters}) AS {body}' for parameters, body in forms)};")
    return "\n".join(lines) + "\n"


def _helpers() -> dict[str, str]:
    return list_macros.HELPERS | hivemall_macros.HELPERS | ordered_macros.HELPERS


def _macros(flavour: Flavour, prefix: str) -> Iterator[tuple[str, Iterable[Form]]]:
    """Every function with its forms."""
    for one in FUNCTIONS:
        parameters, body = _form(one, flavour)
        yield prefix + one.name, [(parameters, body if flavour == "rankgold" else f"coalesce(avg({body}), 0.0)")]
    for name, ordered_forms in ordered_macros.MACROS.items():
        yield prefix + name, ordered_forms


def _form(one: Function, flavour: Flavour) -> Form:
    """A function whose value is that of one row."""
    if flavour == "rankgold":
        return one.parameters, one.sql
    if one.name not in hivemall_macros.FORMULAS:
        return one.parameters, re.sub(r"\brec\b", "coalesce(rec, [])", one.sql)
    by_found = flavour == "hivemall-code" and one.name == "average_precision"
    return one.parameters, hivemall_macros.sql(
        hivemall_macros.BY_FOUND if by_found else hivemall_macros.FORMULAS[one.name]
    )
