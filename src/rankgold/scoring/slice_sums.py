"""Scores of batches of queries and their slices in, the scores of each slice out: exact sums, which can be merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.policy import Policy
from rankgold.scoring.run_scores import RunScores
from rankgold.scoring.score_sums import ScoreSums, Sums
from rankgold.scoring.slice_parts import SlicePart, run_of_queries

if TYPE_CHECKING:
    from rankgold.data.slice_queries import Division, SliceScheme

SumsOfSlices = dict[tuple[int, int], Sums]
"""The number of an attribute and the code of a slice -> the sums of its queries."""


class SliceSums:
    """The sums behind the scores of each slice."""

    def __init__(self, measures: dict[str, Measure], policy: Policy) -> None:
        self._measures, self._policy = measures, policy
        self._slices: dict[tuple[int, int], ScoreSums] = {}

    def add_runs(self, runs: Sequence[RunScores], division: Division, max_grades: Mapping[str, float]) -> None:
        """Adds the queries of a batch, which all runs have."""
        found: dict[tuple[int, int], dict[str, RunScores]] = {}
        nothing = np.zeros(0, dtype=np.int64)
        for run in runs:
            for number, code, positions in division.scheme.groups(division.codes_of(run.queries)):
                of_slice = run_of_queries(run, positions, self._measures)
                found.setdefault((number, code), {})[run.name] = of_slice
        for key, by_name in found.items():
            every = [by_name.get(run.name) or run_of_queries(run, nothing, self._measures) for run in runs]
            self._slice(key).add_runs(every, max_grades)

    def _slice(self, key: tuple[int, int]) -> ScoreSums:
        return self._slices.setdefault(key, ScoreSums(self._measures, self._policy))

    def sums(self) -> SumsOfSlices:
        """The sums without the measures, as sent to a machine that knows the measures."""
        return {key: slice_.sums() for key, slice_ in self._slices.items()}

    def add(self, sums: Mapping[tuple[int, int], Sums]) -> None:
        """Adds sums of the same measures and policy."""
        for key, of_slice in sums.items():
            self._slice(key).add(of_slice)

    def parts(self, scheme: SliceScheme, names: Sequence[str]) -> list[SlicePart]:
        """The scores of each slice, with the runs in this order."""
        return [
            SlicePart(*scheme.title(*key), self._slices[key].scores()).of_runs(names) for key in sorted(self._slices)
        ]
