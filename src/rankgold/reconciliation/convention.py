"""A measure, a policy and what else decides a number in, a Convention out; and the single changes that lead to it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Literal

from rankgold.declaration.metric import Measure
from rankgold.policy import Policy

Order = Literal["scores", "reversed", "file"]
Ids = Literal["text", "numbers"]
Summary = Literal["mean", "median", "geometric mean", "sum", "pooled", "above zero"]


@dataclass(frozen=True, slots=True)
class Convention:
    """Everything that decides the number of a measure over all queries."""

    measure: Measure
    policy: Policy
    order: Order = "scores"
    """Documents from high to low scores, from low to high, or as they are in the file."""
    ids: Ids = "text"
    summary: Summary = "mean"
    """What one number is made of; `mean` stands for the measure's own way."""
    unjudged_queries_count: bool = False
    """Whether ranked queries without judgements count 0 in the mean."""

    @property
    def ranking(self) -> tuple[Any, ...]:
        """The choices that ranks depend on."""
        policy = self.policy
        matching = (policy.unjudged, policy.unretrieved, policy.duplicates, policy.score_bits, policy.depth)
        return (self.order, self.ids, policy.ties, *matching)

    def with_parameter(self, name: str, value: object) -> Convention:
        """The same with another value of a parameter of the measure."""
        return replace(self, measure=self.measure.with_parameters(**{name: value}))

    def with_cutoff(self, k: int | None) -> Convention:
        return replace(self, measure=replace(self.measure, k=k))

    def with_choice(self, /, **choice: Any) -> Convention:
        """The same with other choices of the policy."""
        return replace(self, policy=replace(self.policy, **choice))


@dataclass(frozen=True, slots=True)
class Deviation:
    """One change of a convention."""

    axis: str
    """What is changed: two deviations of the same axis exclude each other."""
    choice: str
    sentence: str
    """What the convention does, as the end of a sentence that starts with "It"."""
    change: Callable[[Convention], Convention]
    preparation: str = ""
    """What to do before or after an evaluation, if no measure or policy expresses it."""
    is_measure: bool = False
    """Whether it is a parameter of the measure."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A convention to try, and how it is reached."""

    convention: Convention
    deviations: tuple[Deviation, ...] = ()
    dialect: str = ""
    """The name of the tool that has it, if it is tried for that reason."""

    @property
    def steps(self) -> int:
        """How far it is from the convention as it was written."""
        return len(self.deviations) + bool(self.dialect)
