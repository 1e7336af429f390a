"""Scores in, their values query by query out, with the queries of all runs side by side."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

from rankgold.comparison.unit_sums import ROUNDING
from rankgold.declaration.metric import GEOMETRIC_MEAN, Measure
from rankgold.errors import ComparisonError, listing
from rankgold.kernels.segments import Floats, Ints
from rankgold.scoring.scores import Scores

_HUGE = 1e100


@dataclass(frozen=True, slots=True, eq=False)
class AlignedValues:
    """The values of several runs for the same queries."""

    queries: list[str]
    values: dict[tuple[str, str], Floats]
    """Run and label -> the values of the queries, NaN where the run has none."""

    @classmethod
    def of(cls, scores: Scores) -> AlignedValues:
        for label, measure in scores.measures.items():
            require_differences(label, measure)
        runs = [scores.run_scores(name) for name in scores.runs]
        for run in runs:
            run.require_values()
        place: dict[str, int] = {}
        for run in runs:
            for query in run.queries:
                place.setdefault(str(query), len(place))
        values: dict[tuple[str, str], Floats] = {}
        for run in runs:
            rows = np.fromiter((place[str(query)] for query in run.queries), np.int64, len(run.queries))
            for label in scores.measures:
                column = np.full(len(place), np.nan)
                column[rows] = run.values[label]
                values[run.name, label] = column
        return cls(list(place), values)

    def differences(self, label: str, a: str, b: str) -> Floats:
        """The values of b minus those of a; 0 where they are equal up to rounding."""
        return without_rounding(self.values[a, label], self.values[b, label])

    def weights(self, given: Mapping[Any, float] | None) -> Floats | None:
        """The weight of each query, such as its traffic."""
        if given is None:
            return None
        numbers = self._in_order(given, "weight")
        if not all(isinstance(number, Real) for number in numbers):
            raise ComparisonError("Weights of queries must be numbers.")
        weights = np.array(numbers, dtype=np.float64)
        if not (np.isfinite(weights).all() and (weights >= 0).all() and weights.any()):
            raise ComparisonError("Weights of queries must be 0 or more, and not all of them 0.")
        # Only their shares count, and sums of huge ones are not finite.
        return weights / weights.max() if weights.max() > _HUGE else weights

    def clusters(self, given: Mapping[Any, Any] | None) -> Ints | None:
        """The number of each query's cluster, such as its user or session."""
        if given is None:
            return None
        names = list(map(str, self._in_order(given, "cluster")))
        number = {name: i for i, name in enumerate(dict.fromkeys(names))}
        return np.array([number[name] for name in names], dtype=np.int64)

    def _in_order(self, given: Mapping[Any, Any], what: str) -> list[Any]:
        """The given value of each query, whose id may be a number; an error if one is missing."""
        texts_last = sorted(given.items(), key=lambda item: isinstance(item[0], str))  # of "1" and 1, "1" counts
        by_text = {str(query): value for query, value in texts_last}
        for query in self.queries:
            if query not in by_text:
                there_are = f"There are {what}s for {listing(by_text, 3)}." if by_text else f"There are no {what}s."
                raise ComparisonError(f"Query {query!r} has no {what}. {there_are}")
        return [by_text[query] for query in self.queries]


def require_differences(label: str, measure: Measure) -> None:
    """Raises an error if the per-query differences do not add up to that of the measure."""
    if measure.metric.aggregate is GEOMETRIC_MEAN:
        raise ComparisonError(
            f"{label} is a geometric mean, which has no difference for each query. Compare the measure of"
            " which it is made, such as ap for gmap."
        )


def without_rounding(a: Floats, b: Floats) -> Floats:
    """b minus a, or 0 where they differ only by rounding."""
    differences = b - a
    with np.errstate(invalid="ignore"):
        differences[np.abs(differences) <= ROUNDING * np.maximum(np.abs(a), np.abs(b))] = 0.0
    return differences
