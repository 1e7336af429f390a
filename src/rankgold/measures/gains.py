"""Names the gains, discounts and stop probabilities that measures use.

A `FunctionSet` holds the functions of one kind. A `NamedFunction` is one of them with its numbers decided, such as
`zipf(1, 0.5)`. To add a function, decorate it with its set and a name; one that takes numbers gives an example.
"""

from __future__ import annotations

import inspect
import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Annotated

import numpy as np

from rankgold.core.errors import MeasureError, brief, nearest
from rankgold.core.segments import Floats, Ints

_CALL = re.compile(r"\s*([A-Za-z_]\w*)\s*(?:\(([^()]*)\))?\s*")

Function = Callable[..., Floats]


@dataclass(frozen=True)
class NamedFunction:
    """One function of a set with its numbers decided. Its text is its identity."""

    name: str
    numbers: tuple[float, ...]
    function: Function = field(compare=False, repr=False)

    def __call__(self, values: object, **context: object) -> Floats:
        return self.function(values, *self.numbers, **context)

    def __str__(self) -> str:
        if not self.numbers:
            return self.name
        return f"{self.name}({', '.join(number_text(number) for number in self.numbers)})"


@dataclass(frozen=True)
class FunctionSet:
    """A set of functions that are chosen by name; `what` names the set in errors."""

    what: str
    members: dict[str, Function] = field(default_factory=dict)
    examples: list[str] = field(default_factory=list)
    """Members with other numbers than their defaults, for tests of all measures to try."""

    def __call__(self, name: str, *, example: str | None = None) -> Callable[[Function], Function]:
        """Adds the decorated function under a name."""

        def add(function: Function) -> Function:
            self.members[name] = function
            self.examples.extend([example] if example else [])
            return function

        return add

    def parse(self, choice: str | NamedFunction) -> NamedFunction:
        if isinstance(choice, NamedFunction):
            return choice
        found = _CALL.fullmatch(choice) if isinstance(choice, str) else None
        name = found[1].lower() if found else choice
        if found is None or name not in self.members:
            hint = nearest(name, self.members) if found else ""
            raise MeasureError(f"{self.what} must be one of {', '.join(self.members)}, not {brief(choice)}.{hint}")
        given = [_number(piece, choice) for piece in (found[2] or "").split(",") if piece.strip()]
        wanted = self.numbers_of(name)
        if len(given) > len(wanted):
            raise MeasureError(f"{name} takes {len(wanted)} numbers, and {brief(choice)} has {len(given)}.")
        numbers = (*given, *(parameter.default for parameter in wanted[len(given) :]))
        return NamedFunction(name, numbers, self.members[name])

    def numbers_of(self, name: str) -> list[inspect.Parameter]:
        """The numbers that a function takes besides the values."""
        parameters = inspect.signature(self.members[name]).parameters.values()
        return [parameter for parameter in parameters if parameter.kind is parameter.POSITIONAL_OR_KEYWORD][1:]


def _number(text: str, choice: str) -> float:
    try:
        number = math.e if text.strip() == "e" else float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise MeasureError(f"{brief(text.strip())} in {brief(choice)} is not a number.")
    return number


def number_text(number: float) -> str:
    """A number in short form: 2 for 2.0, e for Euler's number."""
    if number == math.e:
        return "e"
    return str(int(number)) if float(number).is_integer() and abs(number) < 1e15 else repr(float(number))


gain = FunctionSet("gain")
Gain = Annotated[NamedFunction, gain, "what a grade is worth"]


@gain("linear")
def linear_gain(grade: Floats) -> Floats:
    """The grade itself; a negative grade is worth nothing."""
    return np.maximum(grade, 0.0)


@gain("exp")
def exponential_gain(grade: Floats) -> Floats:
    """2^grade - 1, which sets the top grades far apart."""
    if len(grade) and grade.max() > 1000:
        raise MeasureError(f"2^{grade.max():g} is beyond what a number can hold. Use gain=linear for such grades.")
    return np.exp2(np.maximum(grade, 0.0)) - 1


@gain("binary")
def binary_gain(grade: Floats) -> Floats:
    """1 for every positive grade."""
    return (grade > 0).astype(np.float64)


LINEAR = gain.parse("linear")

discount = FunctionSet("discount")
Discount = Annotated[NamedFunction, discount, "what the gain at a rank is divided by"]


@discount("log2")
def log2_discount(rank: Ints) -> Floats:
    """log2(rank + 1): 1, 1.585, 2, 2.322, ..."""
    divisor: Floats = np.log2(rank + 1.0)
    return divisor


@discount("log", example="log(10)")
def logarithmic_discount(rank: Ints, base: float = math.e) -> Floats:
    """The logarithm of rank + 1 to any base above 1; `log(e)` is the natural one."""
    if base <= 1:
        raise MeasureError(f"The base of a logarithm must be above 1, not {base}.")
    divisor: Floats = np.log(rank + 1.0) / math.log(base)
    return divisor


@discount("jk")
def jk_discount(rank: Ints) -> Floats:
    """The form of Järvelin and Kekäläinen 2002: ranks 1 and 2 undiscounted, then log2(rank)."""
    return np.log2(np.maximum(rank, 2).astype(np.float64))


@discount("linear")
def linear_discount(rank: Ints) -> Floats:
    """The rank itself, so that rank 10 counts a tenth."""
    return rank.astype(np.float64)


@discount("exponential", example="exponential(0.1)")
def exponential_discount(rank: Ints, rate: float = 0.5) -> Floats:
    """e^(rate (rank - 1)): attention falls by the same factor from each rank to the next."""
    if rate <= 0:
        raise MeasureError(f"The rate of an exponential discount must be above 0, not {rate}.")
    divisor: Floats = np.exp(np.minimum(rate * (rank - 1.0), 700.0))
    return divisor


@discount("zipf", example="zipf(1, 0.5)")
def zipf_discount(rank: Ints, p: float = 0, s: float = 1) -> Floats:
    """(rank + p)^s, the power law that Zipf's law states."""
    if p <= -1 or not 0 <= s <= 30:
        raise MeasureError(f"A zipf discount must have p above -1 and s from 0 to 30, not p={p} and s={s}.")
    return (rank + float(p)) ** s


LOG2 = discount.parse("log2")

stop = FunctionSet("stop")
Stop = Annotated[NamedFunction, stop, "the chance that a reader stops at a grade"]


@stop("exp")
def exponential_stop(grade: Floats, *, top: float) -> Floats:
    """(2^grade - 1) / 2^top, where `top` is the best grade of the scale."""
    # (2^grade - 1) / 2^top, in a form that does not overflow for long scales.
    chance: Floats = np.exp2(np.clip(grade, 0.0, top) - top) - np.exp2(-float(top))
    return chance


@stop("sigmoid", example="sigmoid(2, 1.5)")
def sigmoid_stop(grade: Floats, alpha: float = 1, beta: float = 0, *, top: float) -> Floats:
    """1 / (1 + e^(-alpha (grade - beta))): alpha sets how steep, beta the grade at which half of the readers stop."""
    if max(abs(alpha), abs(beta)) > 1e100:
        raise MeasureError(f"alpha and beta of a sigmoid must be within 1e100, not {alpha} and {beta}.")
    steepness = np.clip(alpha * (np.maximum(grade, 0.0) - beta), -700.0, 700.0)
    return 1 / (1 + np.exp(-steepness))


@stop("identity")
def identity_stop(grade: Floats, *, top: float) -> Floats:
    """The grade itself, for judgements that are probabilities already."""
    return np.clip(grade, 0.0, 1.0)


EXP = stop.parse("exp")
