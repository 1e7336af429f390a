"""The statements that define the functions in DuckDB."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Literal, get_args

from karat.errors import DataError
from karat.sql import functions, hivemall, ordered
from karat.sql.functions import FUNCTIONS, Function

Flavour = Literal["karat", "hivemall", "hivemall-code"]
"""`karat`: one value a row. `hivemall`: Hivemall's aggregates, with average precision over all relevant documents as on
its page; `hivemall-code`: over those found, as in its code since 2017."""

FLAVOURS: tuple[Flavour, ...] = get_args(Flavour)

Form = tuple[str, str]
"""The parameters and the body of a macro."""


def checked_flavour(flavour: str) -> Flavour:
    for known in FLAVOURS:
        if flavour == known:
            return known
    raise DataError(f"flavour is one of {', '.join(FLAVOURS)}, not {flavour!r}.")


def script(flavour: str = "karat", *, temporary: bool = False, prefix: str = "") -> str:
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
    return functions.HELPERS | hivemall.HELPERS | ordered.HELPERS


def _macros(flavour: Flavour, prefix: str) -> Iterator[tuple[str, Iterable[Form]]]:
    """Every function with its forms."""
    for one in FUNCTIONS:
        parameters, body = _form(one, flavour)
        yield prefix + one.name, [(parameters, body if flavour == "karat" else f"coalesce(avg({body}), 0.0)")]
    for name, ordered_forms in ordered.MACROS.items():
        yield prefix + name, ordered_forms


def _form(one: Function, flavour: Flavour) -> Form:
    """A function whose value is that of one row."""
    if flavour == "karat":
        return one.parameters, one.sql
    if one.name not in hivemall.FORMULAS:
        return one.parameters, re.sub(r"\brec\b", "coalesce(rec, [])", one.sql)
    by_found = flavour == "hivemall-code" and one.name == "average_precision"
    return one.parameters, hivemall.sql(hivemall.BY_FOUND if by_found else hivemall.FORMULAS[one.name])
