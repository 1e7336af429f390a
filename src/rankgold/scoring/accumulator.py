"""Scores that grow batch by batch, and can be put together from shards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from itertools import combinations
from typing import Any

import numpy as np

from rankgold.declaration.metric import mean
from rankgold.errors import DataError, MeasureError, listing
from rankgold.hits import Hits, Notes
from rankgold.kernels.exact_sums import Moments
from rankgold.kernels.segments import Floats
from rankgold.matching.runs import match_runs
from rankgold.policy import Policy
from rankgold.scoring.scores import Pairs, RunScores, Scores, paired
from rankgold.scoring.values import measures_by_label, run_scores, under


class Accumulator:
    """Scores of queries that come a few at a time: in a training loop, from a stream, on many machines.

    Each query is given once, with its judgements and its rankings. What is kept does not grow with the queries: of
    each run and measure the exact sums behind mean and variance, and of each pair of runs those of the differences.
    So results do not depend on how the queries were split nor on the order in which accumulators are merged, and
    means are those of `evaluate`, to the last bit. `per_query=True` keeps every query's values as well.

    >>> import rankgold
    >>> monday, tuesday = rankgold.Accumulator(["rr"]), rankgold.Accumulator(["rr"])
    >>> monday.update({"q1": {"a": 1}}, {"q1": {"b": 0.9, "a": 0.7}})
    >>> tuesday.update({"q2": {"c": 1}}, {"q2": {"c": 0.4}})
    >>> monday.merge(tuesday)
    >>> monday.scores().means, monday.scores().variances
    ({'rr': 0.75}, {'rr': 0.125})
    """

    def __init__(
        self,
        measures: Any = None,
        policy: Policy | str | None = None,
        *,
        per_query: bool = False,
        columns: Mapping[str, str] | None = None,
    ) -> None:
        self.measures = measures_by_label(measures)
        for label, measure in self.measures.items():
            if measure.metric.aggregate is not mean:
                raise MeasureError(f"{label} is not a mean over queries, and only means can be added up.")
        self.policy = Policy.of(policy)
        self.per_query = per_query
        self._columns = columns
        self._runs: dict[str, _Sums] = {}
        self._pairs: Pairs = {}
        self._max_grades: set[float] = set()

    def update(self, *batch: Any) -> None:
        """Adds a batch of queries: `update(qrels, run)` with all that `evaluate` takes, or `update(hits, ...)`.

        `qrels` are the judgements of this batch's queries and no others, for a judged query without ranking counts as
        one. Runs are compared within the queries of a batch, so all runs of a query belong into one.
        """
        if batch and all(isinstance(one, Hits) for one in batch):
            every = [under(hits, self.policy) for hits in batch]
        elif len(batch) == 2:
            every = list(match_runs(*_filled(*batch), self.policy, self._columns))
        else:
            raise DataError("a batch is given as update(qrels, run) or as update(hits, ...).")
        runs = [run_scores(hits, self.measures) for hits in every]
        if len({run.name for run in runs}) < len(runs):
            raise DataError(f"two runs of the batch have the same name: {listing([run.name for run in runs])}.")
        self._add(
            {run.name: _Sums.of(run, self.per_query) for run in runs},
            {(one.name, other.name): paired(one, other) for one, other in combinations(runs, 2)},
            {hits.max_grade for hits in every},
        )

    def merge(self, other: Accumulator) -> None:
        """Adds all queries of another accumulator, of the same measures and policy."""
        if not isinstance(other, Accumulator):
            raise DataError(f"an Accumulator is merged with another one, not with {type(other).__name__}.")
        if other is self:
            raise DataError("an Accumulator cannot be merged with itself: every query would count twice.")
        if (other.measures, other.policy, other.per_query) != (self.measures, self.policy, self.per_query):
            raise DataError("these accumulators differ in their measures, their policy or what they keep.")
        self._add(other._runs, other._pairs, other._max_grades)

    def _add(self, runs: dict[str, _Sums], pairs: Pairs, max_grades: set[float]) -> None:
        """Adds to everything, or to nothing where a query was there already."""
        grown = {name: self._runs[name] + sums if name in self._runs else sums for name, sums in runs.items()}
        self._runs |= grown
        for (first, second), sums in pairs.items():
            if (second, first) in self._pairs:
                first, second, sums = second, first, {label: -one for label, one in sums.items()}
            known = self._pairs.get((first, second), {})
            self._pairs[first, second] = {label: known.get(label, Moments()) + one for label, one in sums.items()}
        self._max_grades |= max_grades

    def sums(self) -> Sums:
        """What was added up, without the measures: what one machine sends to another that has them already."""
        return Sums(self._runs, self._pairs, self._max_grades)

    def add(self, sums: Sums) -> None:
        """Adds what an accumulator of the same measures and policy added up."""
        self._add(sums.runs, sums.pairs, sums.max_grades)

    def scores(self) -> Scores:
        """The scores of all queries so far. Values of single queries are there with `per_query=True`."""
        for label, measure in self.measures.items():
            if measure.takes_scale_from_judgements and len(self._max_grades) > 1:
                raise MeasureError(
                    f"{label} depends on the highest grade of all judgements, and the batches differ in theirs:"
                    f" {listing([f'{grade:g}' for grade in sorted(self._max_grades)])}."
                    f" Name the scale: {measure.metric.name}({measure.metric.scale}=...)."
                )
        if not self._runs:
            raise DataError("no query was added yet.")
        runs = [sums.run_scores(name) for name, sums in sorted(self._runs.items())]
        return Scores(runs, self.measures, self.policy, self._pairs)

    def __repr__(self) -> str:
        count = max((sums.tally.queries for sums in self._runs.values()), default=0)
        return f"<Accumulator of {listing(self.measures)}: {count} queries, {listing(sorted(self._runs)) or 'no runs'}>"


def _filled(qrels: Any, run: Any) -> tuple[Any, Any]:
    """The batch, with an empty ranking in a run that ranks none of its queries: that is no mistake here."""
    if not (isinstance(qrels, Mapping) and qrels and isinstance(run, Mapping)):
        return qrels, run
    nothing: dict[Any, Any] = {next(iter(qrels)): {}}
    if not run:
        return qrels, nothing
    return qrels, {name: nothing if one == {} and name not in qrels else one for name, one in run.items()}


@dataclass(frozen=True, slots=True)
class Sums:
    """What an accumulator holds besides its measures and policy."""

    runs: dict[str, _Sums]
    pairs: Pairs
    max_grades: set[float]


@dataclass(frozen=True, slots=True)
class _Tally:
    """What Notes tell, in numbers."""

    queries: int = 0
    without_ranking: int = 0
    without_judgements: int = 0
    without_relevant: int = 0
    retrieved: int = 0
    unjudged: int = 0
    negative_grades: int = 0
    tied_hits: int = 0

    @classmethod
    def of(cls, notes: Notes) -> _Tally:
        return cls(
            notes.queries,
            len(notes.without_ranking),
            len(notes.without_judgements),
            len(notes.without_relevant),
            notes.retrieved,
            notes.unjudged,
            notes.negative_grades,
            notes.tied_hits,
        )

    def __add__(self, other: _Tally) -> _Tally:
        return _Tally(*(getattr(self, one.name) + getattr(other, one.name) for one in fields(_Tally)))

    def notes(self, undefined: dict[str, int], remarks: frozenset[str]) -> Notes:
        counted = {
            "judged but not ranked": self.without_ranking,
            "ranked but not judged": self.without_judgements,
            "without a relevant document": self.without_relevant,
        }
        told = [f"{'1 query' if n == 1 else f'{n} queries'} {what}" for what, n in counted.items() if n]
        return Notes(
            queries=self.queries,
            retrieved=self.retrieved,
            unjudged=self.unjudged,
            negative_grades=self.negative_grades,
            tied_hits=self.tied_hits,
            undefined=undefined,
            remarks=(*told, *sorted(remarks)),
        )


@dataclass(frozen=True, slots=True)
class _Sums:
    """What is kept of one run."""

    totals: dict[str, Moments]
    tally: _Tally
    undefined: dict[str, int]
    remarks: frozenset[str]
    kept: dict[Any, tuple[float, ...]] | None = None
    """The values of each query, if wanted."""
    notes: Notes = field(default_factory=Notes)
    """The names of queries that notes tell, if queries are kept."""

    @classmethod
    def of(cls, run: RunScores, per_query: bool) -> _Sums:
        kept = None
        if per_query:
            kept = dict(
                zip(run.queries, zip(*(run.values[label].tolist() for label in run.values), strict=True), strict=True)
            )
        return cls(
            {label: Moments.of(values) for label, values in run.values.items()},
            _Tally.of(run.notes),
            dict(run.notes.undefined),
            frozenset(run.notes.remarks),
            kept,
            run.notes if per_query else Notes(),
        )

    def __add__(self, other: _Sums) -> _Sums:
        kept = None
        if self.kept is not None and other.kept is not None:
            if twice := self.kept.keys() & other.kept.keys():
                raise DataError(f"query {min(twice, key=str)!r} was added already. Each query is added once.")
            kept = self.kept | other.kept
        return _Sums(
            {label: total + other.totals[label] for label, total in self.totals.items()},
            self.tally + other.tally,
            {
                label: self.undefined.get(label, 0) + other.undefined.get(label, 0)
                for label in sorted({*self.undefined, *other.undefined})
            },
            self.remarks | other.remarks,
            kept,
            _names_of_both(self.notes, other.notes),
        )

    def run_scores(self, name: str) -> RunScores:
        means = {label: total.mean for label, total in self.totals.items()}
        notes = self.tally.notes(self.undefined, self.remarks)
        if self.kept is None:
            return RunScores(name, (), {}, means, notes, self.totals)
        queries = sorted(self.kept, key=str)
        rows = np.array([self.kept[query] for query in queries], dtype=np.float64).reshape(len(queries), len(means))
        values: dict[str, Floats] = {label: rows[:, i] for i, label in enumerate(means)}
        notes = replace(
            notes,
            without_ranking=_sorted(self.notes.without_ranking),
            without_judgements=_sorted(self.notes.without_judgements),
            without_relevant=_sorted(self.notes.without_relevant),
            remarks=_sorted(self.remarks),
        )
        return RunScores(name, queries, values, means, notes)


def _sorted(names: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(sorted(names, key=str))


def _names_of_both(first: Notes, second: Notes) -> Notes:
    return Notes(
        without_ranking=first.without_ranking + second.without_ranking,
        without_judgements=first.without_judgements + second.without_judgements,
        without_relevant=first.without_relevant + second.without_relevant,
    )
