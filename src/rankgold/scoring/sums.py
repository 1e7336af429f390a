"""Keeps exact sums of scores, which can be merged."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.errors import DataError, MeasureError, counted, listing
from rankgold.core.exact_sums import Moments
from rankgold.core.hits import Hits
from rankgold.core.notes import Notes, NumberSpan
from rankgold.core.policy import Policy
from rankgold.core.segments import Floats
from rankgold.data.ids import plain_ids
from rankgold.measures.metric import Measure
from rankgold.scoring.run_scores import PairMoments, RunScores, difference_moments
from rankgold.scoring.scorer import SUBTOPIC_REMARKS, ValueWork, score_run, subtopic_remarks
from rankgold.scoring.scores import Scores
from rankgold.scoring.slice_parts import SlicePart, run_of_queries

if TYPE_CHECKING:
    from rankgold.data.slice_scheme import Division, SliceScheme
    from rankgold.engines.protocol import Divide, SumParts


# Fields of Notes: those that hold a number, and those that hold queries, with what is said of these queries.
_NUMBERS = (
    "queries", "retrieved", "unjudged", "negative_grades", "partial_grades", "tied_hits", "moved_at_32_bits",
    "excluded",
)  # fmt: skip
_SPANS = ("grades", "scores")
_QUERIES = {
    "without_ranking": "judged but not ranked",
    "without_judgements": "ranked but not judged",
    "without_relevant": "without a relevant document",
}


@dataclass(frozen=True, slots=True)
class RunSums:
    """The sums of one run; its queries only if they are kept."""

    totals: dict[str, Moments]
    counts: Counter[str]
    """Field of Notes -> number, or number of queries."""
    undefined: Counter[str]
    spans: dict[str, NumberSpan]
    """Field of Notes -> what is kept of its numbers."""
    remarks: frozenset[str]
    values: dict[str, tuple[Any, tuple[float, ...]]] | None = None
    """The id of a query as text -> the id and the values of the query, if queries are kept."""
    queries: dict[str, tuple[Any, ...]] = field(default_factory=dict)
    """Field of Notes -> queries, if queries are kept."""
    prepared: dict[str, Moments] = field(default_factory=dict)
    """The sums behind aggregates that do not add up the values themselves, such as geometric means."""

    @classmethod
    def of(cls, run: RunScores, measures: dict[str, Measure], per_query: bool) -> RunSums:
        queries = {name: getattr(run.notes, name) for name in _QUERIES}
        counts = Counter({name: getattr(run.notes, name) for name in _NUMBERS})
        counts.update({name: len(ids) for name, ids in queries.items()})
        return cls(
            {label: Moments.of(column) for label, column in run.values.items()},
            counts,
            Counter(run.notes.undefined),
            {name: getattr(run.notes, name) for name in _SPANS},
            frozenset(run.notes.remarks),
            {str(query): (query, row) for query, row in run.rows()} if per_query else None,
            queries if per_query else {},
            {
                label: aggregate.moments(column)
                for label, column in run.values.items()
                if (aggregate := measures[label].metric.aggregate).prepare is not None
            },
        )

    def __add__(self, other: RunSums) -> RunSums:
        values = None
        if self.values is not None and other.values is not None:
            if repeated := self.values.keys() & other.values.keys():
                query, _ = other.values[min(repeated)]
                raise DataError(f"query {query!r} was added already. Each query is added once.")
            values = self.values | other.values
        return RunSums(
            {label: total + other.totals[label] for label, total in self.totals.items()},
            self.counts + other.counts,
            Counter(dict(sorted((self.undefined + other.undefined).items()))),
            {name: span + other.spans[name] for name, span in self.spans.items()},
            self.remarks | other.remarks,
            values,
            {name: ids + other.queries[name] for name, ids in self.queries.items()},
            {label: total + other.prepared[label] for label, total in self.prepared.items()},
        )

    def run_scores(self, name: str, measures: dict[str, Measure]) -> RunScores:
        """The scores of the run, with the values of its queries if they are kept."""
        sums = {**self.totals, **self.prepared}
        means = {label: measures[label].metric.aggregate.finish(sums[label]) for label in self.totals}
        if self.values is None:
            return RunScores(name, (), {}, means, self._notes(), self.totals)
        kept = [self.values[text] for text in sorted(self.values)]
        queries = plain_ids(query for query, _ in kept)
        rows = np.array([row for _, row in kept], dtype=np.float64).reshape(len(queries), len(means))
        values: dict[str, Floats] = {label: rows[:, i] for i, label in enumerate(means)}
        return RunScores(name, queries, values, means, self._notes())

    def _notes(self) -> Notes:
        """Notes that name queries if they are kept, and otherwise count them."""
        remarks = sorted(self.remarks)
        if self.values is None:
            counts = [(self.counts[name], state) for name, state in _QUERIES.items() if self.counts[name]]
            remarks = [f"{counted(n, 'query')} {state}" for n, state in counts] + remarks
        numbers: dict[str, Any] = {name: self.counts[name] for name in _NUMBERS} | self.spans
        queries: dict[str, Any] = {name: tuple(sorted(ids, key=str)) for name, ids in self.queries.items()}
        return Notes(undefined=dict(self.undefined), remarks=tuple(remarks), **numbers, **queries)


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
