"""Functions of one variable that are chosen by name: gains, discounts, stop probabilities.

A family holds the functions; a `Named` is one of them with its numbers decided, such as `zipf(1, 0.5)`. To add one,
decorate a function with its family.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from rankgold.errors import MeasureError, nearest
from rankgold.kernels.segments import Floats

_CALL = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\(([^()]*)\))?\s*")


@dataclass(frozen=True)
class Named:
    """One function of a family with its numbers decided. Its text is its identity."""

    name: str
    numbers: tuple[float, ...]
    function: Callable[..., Floats] = field(compare=False, repr=False)

    def __call__(self, values: Any, **context: Any) -> Floats:
        return self.function(values, *self.numbers, **context)

    def __str__(self) -> str:
        if not self.numbers:
            return self.name
        return f"{self.name}({', '.join(number_text(number) for number in self.numbers)})"


@dataclass(frozen=True)
class Family:
    """A set of functions chosen by name; `what` names the family in errors."""

    what: str
    members: dict[str, Callable[..., Floats]] = field(default_factory=dict)

    def __call__(self, function: Callable[..., Floats]) -> Callable[..., Floats]:
        self.members[function.__name__] = function
        return function

    def parse(self, choice: str | Named) -> Named:
        if isinstance(choice, Named):
            return choice
        found = _CALL.fullmatch(choice) if isinstance(choice, str) else None
        name = found[1].lower() if found else choice
        if found is None or name not in self.members:
            hint = nearest(name, self.members) if found else ""
            raise MeasureError(f"{self.what} is one of {', '.join(self.members)}, not {choice!r}.{hint}")
        function = self.members[name]
        given = [self._number(piece, choice) for piece in (found[2] or "").split(",") if piece.strip()]
        return Named(name, self._completed(function, given, choice), function)

    def _number(self, text: str, choice: str) -> float:
        try:
            number = math.e if text.strip() == "e" else float(text)
        except ValueError:
            number = math.nan
        if not math.isfinite(number):
            raise MeasureError(f"{text.strip()!r} in {choice!r} is not a number.")
        return number

    def _completed(self, function: Callable[..., Floats], given: list[float], choice: str) -> tuple[float, ...]:
        wanted = [p for p in inspect.signature(function).parameters.values() if p.kind is p.POSITIONAL_OR_KEYWORD][1:]
        if len(given) > len(wanted):
            raise MeasureError(f"{function.__name__} takes {len(wanted)} numbers, and {choice!r} has {len(given)}.")
        return (*given, *(parameter.default for parameter in wanted[len(given) :]))


def number_text(number: float) -> str:
    """A number as a person would write it: 2 for 2.0, e for Euler's number."""
    if number == math.e:
        return "e"
    return str(int(number)) if float(number).is_integer() and abs(number) < 1e15 else repr(float(number))
