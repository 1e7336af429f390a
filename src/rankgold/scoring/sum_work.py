"""Sums up scores where the hits are, so that an engine sends sums and no values of queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from rankgold.declaration.metric import Measure
from rankgold.hits import Hits
from rankgold.policy import Policy
from rankgold.scoring.run_scores import RunScores
from rankgold.scoring.score_sums import ScoreSums, Sums, summed
from rankgold.scoring.scores import Scores
from rankgold.scoring.slice_sums import SliceSums, SumsOfSlices
from rankgold.scoring.values import SUBTOPIC_REMARKS, ValueWork, score_run, subtopic_remarks

if TYPE_CHECKING:
    from rankgold.data.slice_queries import Division
    from rankgold.engines.protocol import Divide, SumParts


@dataclass(frozen=True, slots=True)
class SumWork(ValueWork):
    """The engine's work for Scores without per-query values."""

    def gatherer(self) -> SumGatherer:
        return SumGatherer(self.measures, self.policy)

    def whole(self, runs: Sequence[RunScores], divide: Divide | None) -> Scores:
        return summed(ValueWork.whole(self, runs, divide))


class SumGatherer:
    """The sums of all queries, and those of each slice."""

    def __init__(self, measures: dict[str, Measure], policy: Policy) -> None:
        self._measures = measures
        self._sums, self._of_slices = ScoreSums(measures, policy), SliceSums(measures, policy)

    def add(self, hits_of_runs: Sequence[Hits], division: Division | None) -> None:
        runs = [score_run(hits, self._measures) for hits in hits_of_runs]
        max_grades = {hits.name: hits.max_grade for hits in hits_of_runs}
        self._sums.add_runs(runs, max_grades)
        if division is not None:
            self._of_slices.add_runs(runs, division, max_grades)

    def sums(self) -> tuple[Sums, SumsOfSlices]:
        return self._sums.sums(), self._of_slices.sums()

    def whole(self, parts: SumParts) -> Scores:
        for sums, of_slices in parts.sums:
            self._sums.add(sums)
            self._of_slices.add(of_slices)
        found = self._sums.scores()
        on_subtopics = subtopic_remarks(self._measures, *parts.subtopics)
        runs = []
        for number, run in enumerate(map(found.run_scores, parts.names)):
            remarks = tuple(remark for remark in run.notes.remarks if remark not in SUBTOPIC_REMARKS)
            remarks += parts.remarks(number, run.notes) + on_subtopics
            notes = replace(run.notes, remarks=remarks, fingerprints=parts.fingerprints[number])
            runs.append(replace(run, notes=notes))
        scores = found.of_runs(runs)
        if parts.scheme is None:
            return scores
        slices = self._of_slices.parts(parts.scheme, parts.names)
        return replace(scores, parts=slices, slice_notes=parts.slice_notes)
