"""Says whether unjudged documents could change the winner."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgold.core.result import known_fields
from rankgold.core.segments import Bools, Floats
from rankgold.core.ties import TiedRanking
from rankgold.judging.extremes import Extremes, Scale, extremes, sums_and_norms
from rankgold.judging.open_documents import OpenRun
from rankgold.judging.score_bounds import mean_bound
from rankgold.measures.metric import MEAN, Measure
from rankgold.scoring.scorer import values_of_queries


@dataclass(frozen=True, slots=True)
class DifferenceBounds:
    """The lowest and highest possible difference of two means, b minus a, whatever the unjudged documents are."""

    measure: str
    a: str
    b: str
    difference: float
    low: float
    high: float

    @property
    def winner_can_change(self) -> bool:
        """True if the difference could change its sign, or a draw could end."""
        return (self.low < 0 and self.difference >= 0) or (self.high > 0 and self.difference <= 0)

    def to_dict(self) -> dict[str, Any]:
        """The numbers, and whether the winner can change."""
        return {**known_fields(self), "winner_can_change": self.winner_can_change}

    def sentence(self) -> str:
        """What the bounds say, in words."""
        difference = f"the difference in {self.measure} of {self.b} and {self.a}"
        if math.isnan(self.low):
            return f"There is no winner: {difference} is undefined, whatever the unjudged documents are."
        span = f"whatever the unjudged documents are, {difference} is from {self.low:.3f} to {self.high:.3f}"
        if math.isnan(self.difference):
            return f"There is no winner yet: the difference is undefined; {span}, or undefined."
        if self.winner_can_change:
            return f"The winner may change: {span}."
        return f"The {'winner' if self.difference else 'draw'} stays the same: {span}."


def difference_bounds(
    opened: Sequence[OpenRun], measures: dict[str, Measure], pairs: Sequence[tuple[str, str]]
) -> list[DifferenceBounds]:
    """The bounds for each measure and pair of runs, by the names of the runs."""
    plain = [measure for measure in dict.fromkeys(measures.values()) if not measure.metric.over_subtopics]
    by_name = {run.hits.name: run for run in opened}
    found = {name: extremes(run, plain, Scale.of(run)) for name, run in by_name.items()}
    rows = []
    for label, measure in measures.items():
        if measure not in plain:
            continue
        for a, b in pairs:
            both = _of_queries(by_name[a], by_name[b], measure, found[a][measure], found[b][measure])
            values = [values_of_queries(by_name[name].hits, [measure])[measure] for name in (a, b)]
            low, high = mean_bound(MEAN, both, -1), mean_bound(MEAN, both, 1)
            rows.append(DifferenceBounds(label, a, b, MEAN(values[1] - values[0]), low, high))
    return rows


def _of_queries(a: OpenRun, b: OpenRun, measure: Measure, of_a: Extremes, of_b: Extremes) -> Extremes:
    """The bounds of the differences of all queries; 0 where both runs have the same list."""
    low, high = of_b.low - of_a.high, of_b.high - of_a.low
    has_own_scales = a.scale is None and measure.takes_scale_from_judgements
    if _has_bounds_from_sums(measure, a, b) and not has_own_scales:
        least, most = _additive(a, b, measure)
        low, high = np.fmax(low, least), np.fmin(high, most)
    differs = np.bincount(a.query, weights=a.rank != b.rank, minlength=len(a)) > 0
    if has_own_scales:
        differs |= differs.any()
    low, high = np.where(differs, low, 0.0), np.where(differs, high, 0.0)
    is_known = ~np.isnan(of_a.low) & ~np.isnan(of_b.low)
    optional = of_a.is_optional | of_b.is_optional
    return Extremes(np.where(is_known, low, np.nan), np.where(is_known, high, np.nan), optional)


def _has_bounds_from_sums(measure: Measure, a: OpenRun, b: OpenRun) -> bool:
    """True if ranks alone decide in which run a document is worth more."""
    policy = a.hits.policy
    if any(isinstance(run.hits.system, TiedRanking) for run in (a, b)):
        return False
    if policy.unretrieved == "counted":
        return measure.grades.additive
    return measure.grades.is_sum_of_gains and policy.no_relevant == "zero"


def _additive(a: OpenRun, b: OpenRun, measure: Measure) -> tuple[Floats, Floats]:
    """Bounds from sums: the difference is largest if just the documents that b ranks higher than a are relevant.

    Both runs have the same norm, since it is about the same documents. It is smallest if no open document is relevant.
    """
    highest, is_open = a.highest, a.is_open | b.is_open

    def difference(favoured: Bools) -> Floats:
        grade = np.where(is_open & favoured, highest, a.grade)
        return sums_and_norms(measure, b.with_grades(grade))[0] - sums_and_norms(measure, a.with_grades(grade))[0]

    most, least = difference(b.rank < a.rank), difference(a.rank < b.rank)
    everything = np.where(is_open, highest, a.grade)
    smallest, largest = (sums_and_norms(measure, a.with_grades(grade))[1] for grade in (a.grade, everything))
    norms_of_b = [sums_and_norms(measure, b.with_grades(grade))[1] for grade in (a.grade, everything)]
    with np.errstate(divide="ignore", invalid="ignore"):
        high = most / np.where(most > 0, smallest, largest)
        low = least / np.where(least < 0, smallest, largest)
    is_same = (smallest == norms_of_b[0]) & (largest == norms_of_b[1])
    return np.where(is_same, low, np.nan), np.where(is_same, high, np.nan)
