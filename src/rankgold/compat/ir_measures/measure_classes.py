"""Defines ir_measures' measure objects."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from rankgold.core.accepted import Judgements, Runs
from rankgold.core.errors import MeasureError, listing
from rankgold.measures.parameters import unknown_parameter

if TYPE_CHECKING:
    from rankgold.compat.ir_measures.evaluation import Evaluator
    from rankgold.compat.ir_measures.notation import CalcResults, Metric


NOT_PROVIDED: Any = object()


@dataclass(frozen=True, slots=True)
class ParamInfo:
    """A parameter of a measure."""

    dtype: type = object
    required: bool = False
    choices: tuple[Any, ...] = ()
    default: Any = NOT_PROVIDED
    desc: str = ""

    def validate(self, value: object) -> bool:
        """Whether the parameter can have this value."""
        if value is NOT_PROVIDED:
            return not self.required
        is_type = isinstance(value, self.dtype) or (self.dtype is float and type(value) is int)
        return is_type and (not self.choices or value in self.choices)


@dataclass(frozen=True, slots=True)
class Kind:
    """What measures of one name have in common."""

    name: str
    parameters: Mapping[str, ParamInfo]
    at: str = "cutoff"
    """The parameter that @ sets."""
    is_sum: bool = False
    """Whether the values of queries are added up, rather than averaged."""


class Measure:
    """A measure with some of its parameters given: call it with more of them, or cut it with @."""

    DEFAULT = 0.0
    """The value of a query that is judged but not ranked."""

    def __init__(self, kind: Kind, **params: object) -> None:
        self.kind = kind
        self.params = params

    @property
    def NAME(self) -> str:
        return self.kind.name

    __name__ = NAME

    @property
    def AT_PARAM(self) -> str:
        return self.kind.at

    @property
    def SUPPORTED_PARAMS(self) -> Mapping[str, ParamInfo]:
        return self.kind.parameters

    def validate_params(self) -> None:
        """Raises an error if a parameter is unknown, has a wrong value, or is missing."""
        known = self.kind.parameters
        for name in self.params:
            if name not in known:
                raise MeasureError(unknown_parameter(self.NAME, known, name))
        for name, info in known.items():
            value = self.params.get(name, NOT_PROVIDED)
            if not info.validate(value):
                if value is NOT_PROVIDED:
                    way = f"{self.NAME}@{'0.5' if info.dtype is float else 10}"
                    raise MeasureError(
                        f"{self.NAME} needs {name}: {way if name == self.kind.at else f'{self.NAME}({name}=...)'}."
                    )
                raise MeasureError(f"{name} of {self.NAME} must be {_described(info)}, not {value!r}.")

    def __call__(self, **params: object) -> Measure:
        return Measure(self.kind, **{**self.params, **params})

    def __matmul__(self, value: float) -> Measure:
        return self(**{self.kind.at: value})

    def __getitem__(self, name: str) -> Any:
        return self.params.get(name, self.kind.parameters[name].default)

    def __repr__(self) -> str:
        known = self.kind.parameters
        shown = [
            f"{name}={_text(value)}"
            for name, value in self.params.items()
            if name != self.kind.at and (name not in known or value != known[name].default)
        ]
        at = f"@{self.params[self.kind.at]}" if self.kind.at in self.params else ""
        return self.NAME + (f"({','.join(shown)})" if shown else "") + at

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Measure) and repr(self) == repr(other)

    def __hash__(self) -> int:
        return hash(repr(self))

    def aggregator(self) -> Aggregator:
        """The aggregation of the values of all queries."""
        return SumAgg() if self.kind.is_sum else MeanAgg()

    def iter_calc(self, qrels: Judgements, run: Runs) -> Iterator[Metric]:
        return self.evaluator(qrels).iter_calc(run)

    def calc_aggregate(self, qrels: Judgements, run: Runs) -> float:
        return self.evaluator(qrels).calc_aggregate(run)[self]

    def calc(self, qrels: Judgements, run: Runs) -> CalcResults:
        from rankgold.compat.ir_measures.notation import CalcResults

        evaluator = self.evaluator(qrels)
        metrics = list(evaluator.iter_calc(run))
        return CalcResults(evaluator.aggregated(metrics)[self], metrics)

    def evaluator(self, qrels: Judgements) -> Evaluator:
        from rankgold.compat.ir_measures.evaluation import Evaluator

        return Evaluator([self], qrels)


@dataclass(slots=True)
class Aggregator:
    """Values of queries, which are added one by one."""

    values: list[float] = field(default_factory=list)

    def add(self, value: float) -> None:
        self.values.append(value)

    def result(self) -> float:
        raise NotImplementedError


@dataclass(slots=True)
class MeanAgg(Aggregator):
    """Their mean; `default` if there are none."""

    default: float = math.nan

    def result(self) -> float:
        return math.fsum(self.values) / len(self.values) if self.values else self.default


class SumAgg(Aggregator):
    """Their sum."""

    def result(self) -> float:
        return math.fsum(self.values)


def _text(value: object) -> str:
    if isinstance(value, dict):
        return "{" + ",".join(f"{key}:{gain}" for key, gain in sorted(value.items()) if key != gain) + "}"
    return repr(value)


def _described(info: ParamInfo) -> str:
    if info.choices:
        return f"one of {listing(info.choices)}"
    return {int: "a whole number", float: "a number", bool: "True or False", dict: "a dict"}.get(info.dtype, "text")
