"""Computes values with user-given gains.

trec_eval lets users say what grades gain: `ndcg.1=3,2=9`. Gains may be negative, and an unjudged document may gain
something. To find the ideal list, trec_eval sorts the gains, and takes two of them as equal if they differ by less than
1. In miniature: with 1=0.5,2=1 the gains stand in the order 0.5, 0, 1, so the ideal list has the documents of grade 2
and ends at those of grade 0. What is printed then is not NDCG, but it is what trec_eval prints.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, repeat, takewhile

import numpy as np

from rankgold.compat.trec_eval.measure_lines import Gains
from rankgold.core.segments import Floats, Ints, sum_in_order

NO_QUOTIENT = -math.nan
"""0/0, which a computer makes a NaN with a sign: trec_eval prints it."""

_HIGHEST_OF_SCALE = 10_000

_Level = tuple[int, float, int]
"""A grade, its gain, and the number of judged documents that have it."""


@dataclass(frozen=True, slots=True)
class GainedList:
    """The gains of a list's documents from the top down, and those of the ideal list."""

    gains: list[float]
    ideal: list[float]

    @classmethod
    def of(cls, grades: Ints, levels: Mapping[int, int], given: Gains) -> GainedList:
        in_order = _sorted(_levels(levels, given))
        gain_of = {grade: gain for grade, gain, _ in reversed(in_order)}  # the first counts
        best_first = chain.from_iterable(repeat(gain, number) for _, gain, number in reversed(in_order))
        begins = in_order and in_order[-1][1] > 0
        ideal = list(takewhile(lambda gain: gain > 0, best_first)) if begins else []
        return cls([gain_of.get(grade, 0.0) for grade in grades.tolist()], ideal)

    def value(self, name: str) -> float:
        """The value of a measure of trec_eval."""
        if name == "dcg":
            return _dcg(self.gains)
        if name == "ideal_dcg":
            return _dcg(self.ideal)
        if name == "ndcg":
            return _dcg(self.gains) / _dcg(self.ideal) if self.ideal else 0.0
        return {"ndcg_rel": self._mean_at_gains, "Rndcg": self._mean_at_changes, "G": self._gain_over_cost}[name]()

    def _mean_at_gains(self) -> float:
        """The mean NDCG at the ranks of documents with a gain; missing ones count at the end."""
        ends = [i for i, gain in enumerate(self.gains, start=1) if gain > 0]
        total = sum_in_order(over(_dcg(self.gains[:end]), _dcg(self.ideal[:end])) for end in ends)
        total += over((len(self.ideal) - len(ends)) * _dcg(self.gains), _dcg(self.ideal))
        return over(total, len(self.ideal)) if total > 0 else 0.0

    def _mean_at_changes(self) -> float:
        """The mean NDCG above the ranks where the gain of the ideal list changes, and at the end."""
        ends = [end for end in range(1, len(self.ideal)) if self.ideal[end] != self.ideal[end - 1]]
        if self.ideal:
            ends.append(len(self.ideal))
            if len(self.gains) > len(self.ideal) + 1:
                ends.append(len(self.gains))
        total = sum_in_order(over(_dcg(self.gains[:end]), _dcg(self.ideal[:end])) for end in ends)
        return over(total, len(ends))

    def _gain_over_cost(self) -> float:
        """Each gain divided by the log of the cumulative shortfall from the ideal list, over all ideal gains."""
        cost = gained = total = 0.0
        for i, gain in enumerate(self.gains):
            gained += gain
            cost += max(self.ideal[i], 1.0) if i < len(self.ideal) else 1.0
            if gain:
                total += over(gain, _log2(2 + cost - gained))
        return total / sum_in_order(self.ideal) if self.ideal else 0.0


def worths(grades: Ints, levels: Mapping[int, int], given: Gains) -> Floats:
    """The worth of each document, from 0 to 1: its gain, scaled if gains are outside this range."""
    gain_of = {grade: gain for grade, gain, _ in reversed(_sorted(_levels(levels, given)))}
    low, high = min([0.0, *gain_of.values()]), max([1.0, *gain_of.values()])
    if low < 0 or high > 1:
        gain_of = {grade: (gain - low) / (high - low) for grade, gain in gain_of.items()}
    seen, place = np.unique(grades, return_inverse=True)
    return np.array([gain_of.get(grade, 0.0) for grade in seen.tolist()])[place]


def over(above: float, below: float) -> float:
    """A quotient with floating-point infinities and NaN."""
    if below:
        return above / below
    return NO_QUOTIENT if above == 0 or math.isnan(above) else math.copysign(math.inf, above)


def _levels(levels: Mapping[int, int], given: Gains) -> list[_Level]:
    """Each grade that has a gain: those that the user names, then the others up to the highest of the query.

    Grades that no document has matter only for the order in which gains of the user are sorted. Above a highest grade
    that no scale has they are left out, for there may be billions of them.
    """
    named = {grade for grade, _ in given}
    first = {grade: number for number, (grade, _) in reversed(list(enumerate(given)))}
    found = [
        (grade, gain, levels.get(grade, 0) if first[grade] == number else 0)
        for number, (grade, gain) in enumerate(given)
    ]
    highest = max(levels, default=-1)
    between = range(highest + 1) if given and highest <= _HIGHEST_OF_SCALE else sorted(g for g in levels if g >= 0)
    others = [grade for grade in between if grade not in named]
    return found + [(grade, float(grade), levels.get(grade, 0)) for grade in others]


def _sorted(levels: list[_Level]) -> list[_Level]:
    """A merge sort by gains, where a difference below 1 is none: their order then depends on the way of sorting."""
    if len(levels) < 2:
        return levels
    half = len(levels) // 2
    left, right = _sorted(levels[:half]), _sorted(levels[half:])
    merged = []
    while left and right:
        merged.append((right if int(left[0][1] - right[0][1]) > 0 else left).pop(0))
    return merged + left + right


def _dcg(gains: Sequence[float]) -> float:
    return sum_in_order(gain / math.log2(rank + 1) for rank, gain in enumerate(gains, start=1) if gain)


def _log2(number: float) -> float:
    return math.log2(number) if number > 0 else (-math.inf if number == 0 else NO_QUOTIENT)
