"""Hits of batches of queries in, Scores of all of them out: exact sums, which can be merged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from rankgold.declaration.metric import Measure
from rankgold.errors import DataError, MeasureError, counted, listing
from rankgold.hits import Hits
from rankgold.kernels.exact_sums import Moments
from rankgold.policy import Policy
from rankgold.scoring.paired_moments import PairMoments, difference_moments
from rankgold.scoring.run_scores import RunScores
from rankgold.scoring.run_sums import RunSums
from rankgold.scoring.scores import Scores
from rankgold.scoring.values import score_run


class ScoreSums:
    """The sums behind scores of queries in batches."""

    def __init__(self, measures: dict[str, Measure], policy: Policy, per_query: bool = False) -> None:
        self.measures = measures
        self.policy = policy
        self.per_query = per_query
        self.reset()

    def reset(self) -> None:
        """Forgets all queries. The measures, the policy and other options stay."""
        self._runs: dict[str, RunSums] = {}
        self._pairs: PairMoments = {}
        self._scales: set[tuple[str, float]] = set()

    def add_hits(self, hits_by_run: Sequence[Hits]) -> None:
        """Adds the queries of a batch: the Hits of each run."""
        runs = [score_run(hits, self.measures) for hits in hits_by_run]
        self.add_runs(runs, {hits.name: hits.max_grade for hits in hits_by_run})

    def add_runs(self, runs: Sequence[RunScores], max_grades: Mapping[str, float]) -> None:
        """Adds the queries of a batch that were already scored; `max_grades` has the highest grade by run."""
        if len({run.name for run in runs}) < len(runs):
            raise DataError(f"two runs of the batch have the same name: {listing([run.name for run in runs])}.")
        self._add(
            {run.name: RunSums.of(run, self.measures, self.per_query) for run in runs},
            {(run.name, other.name): difference_moments(run, other) for run, other in combinations(runs, 2)},
            {(name if self.policy.unretrieved == "dropped" else "", grade) for name, grade in max_grades.items()},
        )

    def _add(self, runs: dict[str, RunSums], pairs: PairMoments, scales: set[tuple[str, float]]) -> None:
        """Adds the sums. If a query was added before, this raises an error and nothing changes."""
        grown = {name: self._runs[name] + sums if name in self._runs else sums for name, sums in runs.items()}
        self._runs |= grown
        for (first, second), sums in pairs.items():
            if (second, first) in self._pairs:
                first, second, sums = second, first, {label: -moments for label, moments in sums.items()}
            known = self._pairs.get((first, second), {})
            self._pairs[first, second] = {label: known.get(label, Moments()) + more for label, more in sums.items()}
        self._scales |= scales

    def sums(self) -> Sums:
        """The sums without the measures, as sent to a machine that knows the measures."""
        return Sums(self._runs, self._pairs, self._scales)

    def add(self, sums: Sums) -> None:
        """Adds sums of the same measures and policy."""
        self._add(sums.runs, sums.pairs, sums.scales)

    def scores(self) -> Scores:
        """The scores of all queries added so far, with per-query values if `per_query=True`."""
        for label, measure in self.measures.items():
            if measure.takes_scale_from_judgements and len(self._scales) > len({run for run, _ in self._scales}):
                raise MeasureError(
                    f"{label} depends on the highest grade of all judgements, which differs between the batches:"
                    f" {listing([f'{grade:g}' for grade in sorted({grade for _, grade in self._scales})])}."
                    f" Name the scale: {measure.metric.name}({measure.metric.scale}=...)."
                )
        if not self._runs:
            raise DataError("no query was added yet.")
        runs = [sums.run_scores(name, self.measures) for name, sums in sorted(self._runs.items())]
        return Scores(runs, self.measures, self.policy, self._pairs)

    def __repr__(self) -> str:
        count = max((sums.counts["queries"] for sums in self._runs.values()), default=0)
        runs = listing(sorted(self._runs)) or "no runs"
        return f"<{type(self).__name__} of {listing(self.measures)}: {counted(count, 'query')}, {runs}>"


@dataclass(frozen=True, slots=True)
class Sums:
    """The state of an accumulator without its measures and policy."""

    runs: dict[str, RunSums]
    pairs: PairMoments
    scales: set[tuple[str, float]]
    """Run and highest grade of each batch. All runs are "" unless each has a scale of its own."""


def summed(scores: Scores) -> Scores:
    """The same scores and slices without per-query values: only sums are kept."""
    total = ScoreSums(scores.measures, scores.policy)
    total.add_runs([scores.run_scores(name) for name in scores.runs], {})
    found = total.scores()
    runs = []
    for run in scores.run_list:
        of_sums = found.run_scores(run.name)
        runs.append(replace(of_sums, notes=replace(of_sums.notes, fingerprints=run.notes.fingerprints)))
    parts = [replace(part, scores=summed(part.scores)) for part in scores.parts]
    return replace(scores, run_list=runs, pairs=found.pairs, parts=parts)
