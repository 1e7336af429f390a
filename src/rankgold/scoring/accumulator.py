"""Batches of queries in, Scores of all of them out; accumulators of several machines can be merged."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from rankgold.declaration.metric import mean
from rankgold.errors import DataError, MeasureError, listing
from rankgold.hits import Hits
from rankgold.kernels.exact_sums import Moments
from rankgold.matching.runs import match_runs
from rankgold.policy import Policy
from rankgold.scoring.differences import PairMoments, difference_moments
from rankgold.scoring.run_sums import RunSums
from rankgold.scoring.scores import Scores
from rankgold.scoring.values import measures_by_label, score_run, with_policy


class Accumulator:
    """Scores of queries that come in batches: in a training loop, from a stream, on many machines.

    Each query is added once, with its judgements and its rankings. The memory needed does not grow with the number of
    queries: only exact sums are kept, for the mean and variance of each run and of the difference of each pair of runs.
    Results do not depend on how queries are split into batches or on the order of merging, and the means are equal to
    those of `evaluate` to the last bit. `per_query=True` keeps the values of each query too.

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
                raise MeasureError(f"{label} is not a mean over queries, and only means can be accumulated.")
        self.policy = Policy.of(policy)
        self.per_query = per_query
        self._columns = columns
        self._runs: dict[str, RunSums] = {}
        self._pairs: PairMoments = {}
        self._max_grades: set[float] = set()

    def update(self, *batch: Any) -> None:
        """Adds a batch of queries: `update(qrels, run)` with the same inputs as `evaluate`, or `update(hits, ...)`.

        `qrels` holds the judgements of the queries in this batch only: a query that is judged but not ranked counts.
        Runs are compared within a batch, so a batch must have all runs of its queries.
        """
        if batch and all(isinstance(part, Hits) for part in batch):
            hits_by_run = [with_policy(hits, self.policy) for hits in batch]
        elif len(batch) == 2:
            hits_by_run = list(match_runs(*_filled(*batch), self.policy, self._columns))
        else:
            raise DataError("a batch is given as update(qrels, run) or as update(hits, ...).")
        runs = [score_run(hits, self.measures) for hits in hits_by_run]
        if len({run.name for run in runs}) < len(runs):
            raise DataError(f"two runs of the batch have the same name: {listing([run.name for run in runs])}.")
        self._add(
            {run.name: RunSums.of(run, self.per_query) for run in runs},
            {(run.name, other.name): difference_moments(run, other) for run, other in combinations(runs, 2)},
            {hits.max_grade for hits in hits_by_run},
        )

    def merge(self, other: Accumulator) -> None:
        """Adds all queries of another accumulator that has the same measures and policy."""
        if not isinstance(other, Accumulator):
            raise DataError(f"an Accumulator can be merged with another Accumulator, not with {type(other).__name__}.")
        if other is self:
            raise DataError("an Accumulator cannot be merged with itself: every query would count twice.")
        if (other.measures, other.policy, other.per_query) != (self.measures, self.policy, self.per_query):
            raise DataError("these accumulators differ in their measures, their policy or per_query.")
        self._add(other._runs, other._pairs, other._max_grades)

    def _add(self, runs: dict[str, RunSums], pairs: PairMoments, max_grades: set[float]) -> None:
        """Adds the sums. If a query was added before, this raises an error and nothing changes."""
        grown = {name: self._runs[name] + sums if name in self._runs else sums for name, sums in runs.items()}
        self._runs |= grown
        for (first, second), sums in pairs.items():
            if (second, first) in self._pairs:
                first, second, sums = second, first, {label: -moments for label, moments in sums.items()}
            known = self._pairs.get((first, second), {})
            self._pairs[first, second] = {label: known.get(label, Moments()) + more for label, more in sums.items()}
        self._max_grades |= max_grades

    def sums(self) -> Sums:
        """The sums without the measures: what a machine sends to another that knows the measures."""
        return Sums(self._runs, self._pairs, self._max_grades)

    def add(self, sums: Sums) -> None:
        """Adds the sums of an accumulator that has the same measures and policy."""
        self._add(sums.runs, sums.pairs, sums.max_grades)

    def scores(self) -> Scores:
        """The scores of all queries added until now, with the values of each query if `per_query=True`."""
        for label, measure in self.measures.items():
            if measure.takes_scale_from_judgements and len(self._max_grades) > 1:
                raise MeasureError(
                    f"{label} depends on the highest grade of all judgements, which differs between the batches:"
                    f" {listing([f'{grade:g}' for grade in sorted(self._max_grades)])}."
                    f" Name the scale: {measure.metric.name}({measure.metric.scale}=...)."
                )
        if not self._runs:
            raise DataError("no query was added yet.")
        runs = [sums.run_scores(name) for name, sums in sorted(self._runs.items())]
        return Scores(runs, self.measures, self.policy, self._pairs)

    def __repr__(self) -> str:
        count = max((sums.counts["queries"] for sums in self._runs.values()), default=0)
        return f"<Accumulator of {listing(self.measures)}: {count} queries, {listing(sorted(self._runs)) or 'no runs'}>"


def _filled(qrels: Any, run: Any) -> tuple[Any, Any]:
    """The batch; a run that ranks none of its queries gets an empty ranking, since this is no mistake in a batch."""
    if not (isinstance(qrels, Mapping) and qrels and isinstance(run, Mapping)):
        return qrels, run
    empty: dict[Any, Any] = {next(iter(qrels)): {}}
    if not run:
        return qrels, empty
    return qrels, {name: empty if part == {} and name not in qrels else part for name, part in run.items()}


@dataclass(frozen=True, slots=True)
class Sums:
    """The state of an accumulator without its measures and policy."""

    runs: dict[str, RunSums]
    pairs: PairMoments
    max_grades: set[float]
