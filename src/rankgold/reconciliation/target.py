"""A number and values of queries as they were given in; which outcomes of conventions agree with them out."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgold.kernels.segments import Bools, Floats, Ints
from rankgold.reconciliation.given_numbers import GivenNumber
from rankgold.reconciliation.outcomes import ConventionOutcome


@dataclass(frozen=True, slots=True, eq=False)
class Target:
    """What the search looks for: a number, values of queries, or both."""

    number: GivenNumber | None
    at: Ints
    """The places of the queries with a value among all judged queries."""
    values: Floats
    tolerance: Floats
    unknown: tuple[str, ...]
    """The queries with a value that are not judged."""

    @classmethod
    def of(cls, number: GivenNumber | None, per_query: dict[str, GivenNumber], queries: list[Any]) -> Target:
        place = {str(query): i for i, query in enumerate(queries)}
        judged = {place[query]: given for query, given in per_query.items() if query in place}
        return cls(
            number,
            np.array(list(judged), dtype=np.int64),
            np.array([given.value for given in judged.values()]),
            np.array([given.tolerance for given in judged.values()]),
            tuple(query for query in per_query if query not in place),
        )

    def as_percentages(self) -> tuple[Target, tuple[str, ...]]:
        """The target with values above 1 divided by 100, and notes on that."""
        target, notes = self, []
        if self.number is not None and self.number.value > 1:
            target = replace(target, number=self.number.fraction)
            notes.append("the number was taken as a percentage")
        if self.values.max(initial=0) > 1:
            target = replace(target, values=self.values / 100, tolerance=self.tolerance / 100)
            notes.append("the values of queries were taken as percentages")
        return target, tuple(notes)

    def agreeing(self, outcome: ConventionOutcome) -> Bools:
        """Which of the given values of queries the convention gives."""
        close: Bools = np.abs(outcome.values[self.at] - self.values) <= self.tolerance
        return close

    def count_agreeing(self, outcome: ConventionOutcome) -> int | None:
        """How many of the given values of queries the convention gives; None if none were given."""
        return int(self.agreeing(outcome).sum()) if len(self.at) else None

    def difference(self, outcome: ConventionOutcome) -> float:
        return math.nan if self.number is None else outcome.number - self.number.value

    def admits(self, outcome: ConventionOutcome) -> bool:
        """True if the convention gives the number and all per-query values."""
        is_near = self.number is None or self.number.admits(outcome.number)
        return is_near and bool(self.agreeing(outcome).all())

    def order(self, group: list[ConventionOutcome]) -> tuple[float, float, float]:
        """Queries that do not agree, then steps from what was written, then the distance of the number."""
        missed = int((~self.agreeing(group[0])).sum())
        away = 0.0 if self.number is None else abs(self.difference(group[0]))
        return missed, min(outcome.candidate.steps for outcome in group), math.inf if math.isnan(away) else away

    def distance(self, group: list[ConventionOutcome]) -> tuple[float, float]:
        """The distance of conventions when none fits."""
        missed, steps, away = self.order(group)
        return (missed, steps) if len(self.at) else (away, steps)
