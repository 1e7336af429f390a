"""Reads parameters from a signature; checks and prints their values."""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from typing import Annotated, Any, ClassVar, Literal, get_args, get_origin, get_type_hints

from rankgold.core.errors import MeasureError, brief, nearest
from rankgold.measures.gains import FunctionSet, number_text


@dataclass(frozen=True, slots=True, eq=False)
class Bound:
    """In an annotation: a limit for a number, or for each number of a list. Subclasses define which."""

    limit: float
    words: ClassVar[str]
    admits: ClassVar[Callable[[float, float], bool]]


class Above(Bound):
    """The number is higher than the limit."""

    words, admits = "above", operator.gt


class AtLeast(Bound):
    """The number is the limit or higher."""

    words, admits = "at least", operator.ge


class Below(Bound):
    """The number is lower than the limit."""

    words, admits = "below", operator.lt


class AtMost(Bound):
    """The number is the limit or lower."""

    words, admits = "at most", operator.le


class Examples(tuple[Any, ...]):
    """In an annotation: further values of a parameter, which the tests of all measures try."""

    def __new__(cls, *values: object) -> Examples:
        return super().__new__(cls, values)


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """One parameter of a metric or of a method of fusion, read from the signature of its function."""

    name: str
    default: Any
    about: str
    choices: tuple[str, ...] = ()
    functions: FunctionSet | None = None
    kind: Literal["number", "whole", "numbers", "text"] = "number"
    """What a value is, unless there are choices or named functions."""
    optional: bool = False
    bounds: tuple[Bound, ...] = ()
    examples: tuple[Any, ...] = ()

    def value(self, given: Any) -> Any:
        """The value for the measure's function, from what the user gave."""
        if given is None and self.optional:
            return None
        if self.functions is not None:
            return self.functions.parse(given)
        if self.choices:
            choice = given.lower() if isinstance(given, str) else given
            if choice not in self.choices:
                raise MeasureError(f"{self.name} must be one of {', '.join(self.choices)}, not {brief(given)}.")
            return choice
        if self.kind == "numbers":
            return self._numbers(given)
        if self.kind == "text":
            return str(given).strip()
        return self._number(given)

    def _number(self, given: Any) -> float:
        try:
            number = float(given)
        except (TypeError, ValueError):
            number = math.nan
        except OverflowError:
            raise MeasureError(f"{self.name} must be at most 1.79e308, not {brief(given)}.") from None
        whole = "a whole number" if self.kind == "whole" else "a number"
        if isinstance(given, bool) or not math.isfinite(number) or (self.kind == "whole" and not number.is_integer()):
            raise MeasureError(f"{self.name} must be {whole}, not {brief(given)}.")
        for bound in self.bounds:
            if not type(bound).admits(number, bound.limit):
                raise MeasureError(f"{self.name} must be {bound.words} {number_text(bound.limit)}, not {brief(given)}.")
        # Larger whole numbers do not fit into the integers of NumPy.
        is_whole = number.is_integer() and (self.kind == "whole" or abs(number) < 2**53)
        return int(number) if is_whole else number

    def _numbers(self, given: object) -> tuple[float, ...]:
        if isinstance(given, str):
            given = [piece for piece in given.strip("()[] ").split(",") if piece.strip()]
        if isinstance(given, (int, float)):
            given = [given]
        if not isinstance(given, Iterable):
            raise MeasureError(f"{self.name} must be a list of numbers such as (0.2, 0.8), not {brief(given)}.")
        return tuple(self._number(number) for number in given)

    def text(self, value: object) -> str:
        if isinstance(value, tuple):
            return f"({', '.join(map(number_text, value))})"
        return number_text(value) if isinstance(value, (int, float)) else str(value)

    @property
    def takes(self) -> str:
        """The values it takes, for documentation."""
        if self.functions is not None:
            return " | ".join(_member_text(self.functions, name) for name in self.functions.members)
        if self.choices:
            return " | ".join(self.choices)
        return {"number": "number", "whole": "whole number", "numbers": "(number, ...)", "text": "text"}[self.kind]


def _member_text(functions: FunctionSet, name: str) -> str:
    numbers = [number.name for number in functions.numbers_of(name)]
    return f"{name}({', '.join(numbers)})" if numbers else name


def parameters_of(function: Callable[..., Any]) -> dict[str, Parameter]:
    """The keyword-only arguments of a function, in the order of its signature."""
    hints = get_type_hints(function, include_extras=True)
    return {
        argument.name: _parameter(argument.name, hints[argument.name], argument.default)
        for argument in inspect.signature(function).parameters.values()
        if argument.kind is argument.KEYWORD_ONLY
    }


def _parameter(name: str, hint: object, default: object) -> Parameter:
    base, *extras = get_args(hint) if get_origin(hint) is Annotated else (hint,)
    optional = type(None) in get_args(base)
    if optional:
        base = next(type_ for type_ in get_args(base) if type_ is not type(None))
    functions = next((extra for extra in extras if isinstance(extra, FunctionSet)), None)
    examples = next((extra for extra in extras if isinstance(extra, Examples)), ())
    kind: Literal["number", "whole", "numbers", "text"] = "number"
    if get_origin(base) is tuple:
        kind = "numbers"
    elif base in (int, str):
        kind = "whole" if base is int else "text"
    return Parameter(
        name,
        default,
        about=next((extra for extra in extras if isinstance(extra, str)), ""),
        choices=get_args(base) if get_origin(base) is Literal else (),
        functions=functions,
        kind=kind,
        optional=optional,
        bounds=tuple(extra for extra in extras if isinstance(extra, Bound)),
        examples=examples if functions is None else tuple(functions.examples),
    )


def unknown_parameter(owner: str, known: Collection[str], name: str, others: Iterable[str] = ()) -> str:
    """The message for an unknown parameter. `others` are further names that may be meant."""
    takes = f"It takes {', '.join(known) or 'none'}."
    return f"{owner} has no parameter {name!r}.{nearest(name, (*known, *others))} {takes}"


Cutoff = Annotated[int | None, "how many documents of the list count; all without it"]
Rel = Annotated[float, Above(0), "the lowest grade that counts as relevant", Examples(2)]
