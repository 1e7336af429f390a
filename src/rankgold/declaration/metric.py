"""What a measure is: the declaration, the registry of all of them, and their names.

`@measure` turns one function into a `Metric`: its parameters come from the signature, its documentation from the
docstring. A `Measure` is a metric with its parameters decided; its text, such as `ndcg(gain=exp)@10`, is its identity.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

import numpy as np

from rankgold.declaration.named_functions import Family, number_text
from rankgold.errors import MeasureError, nearest
from rankgold.hits import SMALLEST_GRADE, Contributions, Hits
from rankgold.kernels.segments import Bools, Floats

Aggregate = Callable[[Floats], float]


def mean(values: Floats) -> float:
    """The mean, the same in whatever order the values come."""
    return math.fsum(values) / len(values) if len(values) else math.nan


@dataclass(frozen=True, slots=True, eq=False)
class Above:
    """In the annotation of a parameter: a number that it must be above."""

    bound: float


class Examples(tuple[Any, ...]):
    """In the annotation of a parameter: values besides its choices and default, for tests of all measures to try."""

    def __new__(cls, *values: Any) -> Examples:
        return super().__new__(cls, values)


@dataclass(frozen=True, slots=True, eq=False)
class Parameter:
    """One parameter of a metric, read from the signature of its function."""

    name: str
    default: Any
    about: str
    choices: tuple[str, ...] = ()
    family: Family | None = None
    kind: Literal["number", "whole", "choice", "named", "numbers"] = "number"
    optional: bool = False
    lowest: float | None = None
    """What a number must be above."""
    examples: tuple[Any, ...] = ()

    def value(self, given: Any) -> Any:
        """What the user gave, as the function takes it."""
        if given is None and self.optional:
            return None
        if self.kind == "named" and self.family is not None:
            return self.family.parse(given)
        if self.kind == "choice":
            choice = given.lower() if isinstance(given, str) else given
            if choice not in self.choices:
                raise MeasureError(f"{self.name} is one of {', '.join(self.choices)}, not {given!r}.")
            return choice
        if self.kind == "numbers":
            return self._numbers(given)
        return self._number(given)

    def _number(self, given: Any) -> float:
        try:
            number = float(given)
        except (TypeError, ValueError):
            number = math.nan
        whole = "a whole number" if self.kind == "whole" else "a number"
        if isinstance(given, bool) or not math.isfinite(number) or (self.kind == "whole" and not number.is_integer()):
            raise MeasureError(f"{self.name} is {whole}, not {given!r}.")
        if self.lowest is not None and number <= self.lowest:
            raise MeasureError(f"{self.name} is above {number_text(self.lowest)}, not {given!r}.")
        return int(number) if number.is_integer() else number

    def _numbers(self, given: Any) -> tuple[float, ...]:
        if isinstance(given, str):
            given = [piece for piece in given.strip("()[] ").split(",") if piece.strip()]
        if isinstance(given, (int, float)):
            given = [given]
        if not isinstance(given, Iterable):
            raise MeasureError(f"{self.name} is a list of numbers such as (0.2, 0.8), not {given!r}.")
        return tuple(self._number(one) for one in given)

    def text(self, value: Any) -> str:
        if isinstance(value, tuple):
            return f"({', '.join(number_text(one) for one in value)})"
        return number_text(value) if isinstance(value, (int, float)) else str(value)

    @property
    def takes(self) -> str:
        """The values it takes, for documentation."""
        if self.kind == "named" and self.family is not None:
            return " | ".join(_member_text(self.family, name) for name in self.family.members)
        return {"number": "number", "whole": "whole number", "numbers": "(number, ...)"}.get(
            self.kind, " | ".join(self.choices)
        )


def _member_text(family: Family, name: str) -> str:
    numbers = [number.name for number in family.numbers_of(name)]
    return f"{name}({', '.join(numbers)})" if numbers else name


@dataclass(frozen=True)
class Metric:
    """A declared measure whose parameters are still open: call it with them, or cut it with `@`."""

    name: str
    function: Callable[..., Contributions]
    aliases: tuple[str, ...] = ()
    span: tuple[float, float] = (0.0, 1.0)
    higher_is_better: bool = True
    monotone: bool = True
    """Whether a better document moved up never makes the value worse."""
    wants_relevant: bool = True
    """Whether a query without a relevant document is a case for the policy."""
    handles_ties: bool = False
    """Whether the formula itself says what tied documents are worth, so that the policy's choice does not matter."""
    scale: str | None = None
    """The parameter that says what the highest grade is, or makes it unimportant; without it the judgements' highest
    grade counts."""
    aggregate: Aggregate = field(default=mean, repr=False)

    def __call__(self, **parameters: Any) -> Measure:
        return Measure.of(self, parameters)

    def __matmul__(self, k: int) -> Measure:
        return self() @ k

    @cached_property
    def parameters(self) -> dict[str, Parameter]:
        """The parameters besides the cutoff, in the order of the signature."""
        hints = get_type_hints(self.function, include_extras=True)
        signature = inspect.signature(self.function).parameters.values()
        return {
            p.name: _parameter(p.name, hints[p.name], p.default)
            for p in signature
            if p.kind is p.KEYWORD_ONLY and p.name != "k"
        }

    @cached_property
    def takes_cutoff(self) -> bool:
        return "k" in inspect.signature(self.function).parameters

    @property
    def documentation(self) -> str:
        return inspect.getdoc(self.function) or ""

    @property
    def summary(self) -> str:
        return self.documentation.partition("\n\n")[0].replace("\n", " ")

    def __repr__(self) -> str:
        return f"<measure {self.name}: {self.summary}>"


def _parameter(name: str, hint: Any, default: Any) -> Parameter:
    about = ""
    family = None
    lowest = None
    examples: tuple[Any, ...] = ()
    if get_origin(hint) is Annotated:
        hint, *extras = get_args(hint)
        about = next((extra for extra in extras if isinstance(extra, str)), "")
        lowest = next((extra.bound for extra in extras if isinstance(extra, Above)), None)
        family = next((extra for extra in extras if isinstance(extra, Family)), None)
        examples = next((extra for extra in extras if isinstance(extra, Examples)), ())
    alternatives = [one for one in get_args(hint) if one is not type(None)]
    optional = type(None) in get_args(hint)
    base = alternatives[0] if optional else hint
    if family is not None:
        return Parameter(name, default, about, family=family, kind="named", examples=tuple(family.examples))
    if get_origin(base) is Literal:
        return Parameter(name, default, about, choices=get_args(base), kind="choice", optional=optional)
    if get_origin(base) is tuple:
        return Parameter(name, default, about, kind="numbers", optional=optional, examples=examples)
    kind: Literal["whole", "number"] = "whole" if base is int else "number"
    return Parameter(name, default, about, kind=kind, optional=optional, lowest=lowest, examples=examples)


@dataclass(frozen=True)
class Measure:
    """A metric with its parameters decided.

    >>> from rankgold import measures, parse
    >>> measures.ndcg(gain="exp") @ 10 == parse("nDCG(gain=exp)@10") == parse("ndcg(gain=exp, discount=log2)@10")
    True
    >>> str(parse("ndcg_cut_10")), str(parse("F1@5")), str(parse("f(beta=2)@5"))
    ('ndcg@10', 'f@5', 'f(beta=2)@5')
    """

    metric: Metric
    chosen: tuple[tuple[str, Any], ...] = ()
    """The parameters that differ from their defaults, in the order of the signature."""
    k: int | None = None

    @classmethod
    def of(cls, metric: Metric, parameters: dict[str, Any], k: int | None = None) -> Measure:
        if "k" in parameters:
            parameters = dict(parameters)
            k = parameters.pop("k")
        for name in parameters:
            if name not in metric.parameters:
                raise MeasureError(unknown_parameter(metric, name))
        values = {
            name: parameter.value(parameters[name])
            for name, parameter in metric.parameters.items()
            if name in parameters
        }
        chosen = tuple((name, value) for name, value in values.items() if value != metric.parameters[name].default)
        return cls(metric, chosen, cutoff(metric, k))

    def __matmul__(self, k: int) -> Measure:
        return Measure(self.metric, self.chosen, cutoff(self.metric, k))

    def __call__(self, hits: Hits) -> Contributions:
        """The contributions of the hits to this measure."""
        depth = {"k": self.k} if self.metric.takes_cutoff else {}
        return self.metric.function(hits, **depth, **dict(self.chosen))

    def parameter(self, name: str) -> Any:
        return dict(self.chosen).get(name, self.metric.parameters[name].default)

    def without_relevant(self, hits: Hits, contributions: Contributions) -> Bools:
        """Which queries have no document that is relevant to this measure, and so no value but the policy's."""
        if not self.metric.wants_relevant:
            return np.zeros(len(hits), dtype=bool)
        nothing: Bools = hits.relevant(self.threshold) == 0
        if "rel" not in self.metric.parameters and isinstance(contributions.norm, np.ndarray):
            nothing |= contributions.norm == 0
        return nothing

    @property
    def threshold(self) -> float:
        """The lowest grade that is relevant to this measure."""
        return float(self.parameter("rel")) if "rel" in self.metric.parameters else SMALLEST_GRADE

    @property
    def takes_scale_from_judgements(self) -> bool:
        """Whether a value depends on the highest grade in all judgements, those of other queries too."""
        return self.metric.scale is not None and self.parameter(self.metric.scale) is None

    @property
    def higher_is_better(self) -> bool:
        return self.metric.higher_is_better

    def __str__(self) -> str:
        inside = ", ".join(f"{name}={self.metric.parameters[name].text(value)}" for name, value in self.chosen)
        return self.metric.name + (f"({inside})" if inside else "") + ("" if self.k is None else f"@{self.k}")

    def __repr__(self) -> str:
        return f"<measure {self}>"


def cutoff(metric: Metric, k: Any) -> int | None:
    if k is None:
        return None
    if not metric.takes_cutoff:
        raise MeasureError(f"{metric.name} takes no cutoff.")
    if isinstance(k, bool) or not hasattr(k, "__index__") or k.__index__() < 1:
        raise MeasureError(f"A cutoff is a whole number from 1, not {k!r}.")
    return int(k.__index__())


def unknown_parameter(metric: Metric, name: str) -> str:
    takes = f"It takes {', '.join(metric.parameters)}." if metric.parameters else "It takes none."
    return f"{metric.name} has no parameter {name!r}.{nearest(name, metric.parameters)} {takes}"


class Registry(dict[str, Metric]):
    """All metrics by canonical name."""

    def add(self, metric: Metric) -> None:
        for name in (metric.name, *metric.aliases):
            if (other := self.names.get(name.lower())) is not None:
                raise MeasureError(f"{name!r} is a name of {other!r} already, and cannot be one of {metric.name!r}.")
        self[metric.name] = metric
        self.__dict__.pop("names", None)

    @cached_property
    def names(self) -> dict[str, str]:
        """Every accepted spelling, in lower case, with the canonical name it stands for."""
        return {
            spelling.lower(): metric.name for metric in self.values() for spelling in (metric.name, *metric.aliases)
        }


REGISTRY = Registry()


def measure(
    name: str,
    *,
    aliases: tuple[str, ...] = (),
    span: tuple[float, float] = (0.0, 1.0),
    higher_is_better: bool = True,
    monotone: bool = True,
    wants_relevant: bool = True,
    handles_ties: bool = False,
    scale: str | None = None,
    aggregate: Aggregate = mean,
) -> Callable[[Callable[..., Contributions]], Callable[..., Contributions]]:
    """Declare a function of Hits as a measure. The function itself stays as it is."""

    def declare(function: Callable[..., Contributions]) -> Callable[..., Contributions]:
        facts = (span, higher_is_better, monotone, wants_relevant, handles_ties, scale, aggregate)
        REGISTRY.add(Metric(name, function, aliases, *facts))
        return function

    return declare
