"""The scores of a run in, sums over its queries out: what an accumulator keeps of a run, and can add."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from rankgold.data.ids import plain_ids
from rankgold.declaration.metric import Measure
from rankgold.errors import DataError, counted
from rankgold.kernels.exact_sums import Moments
from rankgold.kernels.segments import Floats
from rankgold.notes import Notes, NumberSpan
from rankgold.scoring.run_scores import RunScores

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
