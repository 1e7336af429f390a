"""The scores of a run in batches in, their sums out: all that an accumulator keeps of a run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any

import numpy as np

from rankgold.errors import DataError
from rankgold.hits import Notes
from rankgold.kernels.exact_sums import Moments
from rankgold.kernels.segments import Floats
from rankgold.scoring.scores import RunScores


@dataclass(frozen=True, slots=True)
class NoteCounts:
    """The numbers in Notes, which can be added."""

    queries: int = 0
    without_ranking: int = 0
    without_judgements: int = 0
    without_relevant: int = 0
    retrieved: int = 0
    unjudged: int = 0
    negative_grades: int = 0
    tied_hits: int = 0

    @classmethod
    def of(cls, notes: Notes) -> NoteCounts:
        return cls(
            notes.queries,
            len(notes.without_ranking),
            len(notes.without_judgements),
            len(notes.without_relevant),
            notes.retrieved,
            round(notes.unjudged_share * notes.retrieved) if notes.retrieved else 0,
            notes.negative_grades,
            notes.tied_hits,
        )

    def __add__(self, other: NoteCounts) -> NoteCounts:
        return NoteCounts(*(getattr(self, count.name) + getattr(other, count.name) for count in fields(self)))

    def notes(self, undefined: dict[str, int], remarks: frozenset[str]) -> Notes:
        """Notes with remarks on how many queries there were of each kind, instead of their names."""
        kinds = {
            "judged but not ranked": self.without_ranking,
            "ranked but not judged": self.without_judgements,
            "without a relevant document": self.without_relevant,
        }
        counted = [f"{'1 query' if n == 1 else f'{n} queries'} {kind}" for kind, n in kinds.items() if n]
        return Notes(
            queries=self.queries,
            retrieved=self.retrieved,
            unjudged_share=self.unjudged / self.retrieved if self.retrieved else float("nan"),
            negative_grades=self.negative_grades,
            tied_hits=self.tied_hits,
            undefined=undefined,
            remarks=(*counted, *sorted(remarks)),
        )


@dataclass(frozen=True, slots=True)
class RunSums:
    """The sums of one run, which can be added; its queries only if they are kept."""

    totals: dict[str, Moments]
    counts: NoteCounts
    undefined: dict[str, int]
    remarks: frozenset[str]
    values: dict[Any, tuple[float, ...]] | None = None
    """Query -> its values, if queries are kept."""
    names: Notes = field(default_factory=Notes)
    """The names of queries in the notes, if queries are kept."""

    @classmethod
    def of(cls, run: RunScores, per_query: bool) -> RunSums:
        values = None
        if per_query:
            rows = zip(*(column.tolist() for column in run.values.values()), strict=True)
            values = dict(zip(run.queries, rows, strict=True))
        return cls(
            {label: Moments.of(column) for label, column in run.values.items()},
            NoteCounts.of(run.notes),
            dict(run.notes.undefined),
            frozenset(run.notes.remarks),
            values,
            run.notes if per_query else Notes(),
        )

    def __add__(self, other: RunSums) -> RunSums:
        values = None
        if self.values is not None and other.values is not None:
            if repeated := self.values.keys() & other.values.keys():
                raise DataError(f"query {min(repeated, key=str)!r} was added already. Each query is added once.")
            values = self.values | other.values
        return RunSums(
            {label: total + other.totals[label] for label, total in self.totals.items()},
            self.counts + other.counts,
            {
                label: self.undefined.get(label, 0) + other.undefined.get(label, 0)
                for label in sorted({*self.undefined, *other.undefined})
            },
            self.remarks | other.remarks,
            values,
            Notes(
                without_ranking=self.names.without_ranking + other.names.without_ranking,
                without_judgements=self.names.without_judgements + other.names.without_judgements,
                without_relevant=self.names.without_relevant + other.names.without_relevant,
            ),
        )

    def run_scores(self, name: str) -> RunScores:
        """The scores of the run, with the values of its queries if they are kept."""
        means = {label: total.mean for label, total in self.totals.items()}
        notes = self.counts.notes(self.undefined, self.remarks)
        if self.values is None:
            return RunScores(name, (), {}, means, notes, self.totals)
        queries = sorted(self.values, key=str)
        rows = np.array([self.values[query] for query in queries], dtype=np.float64).reshape(len(queries), len(means))
        values: dict[str, Floats] = {label: rows[:, i] for i, label in enumerate(means)}
        notes = replace(
            notes,
            without_ranking=_sorted_by_text(self.names.without_ranking),
            without_judgements=_sorted_by_text(self.names.without_judgements),
            without_relevant=_sorted_by_text(self.names.without_relevant),
            remarks=_sorted_by_text(self.remarks),
        )
        return RunScores(name, queries, values, means, notes)


def _sorted_by_text(names: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(sorted(names, key=str))
