"""Holds the intervals of means as a result."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.comparison.choices import ComparisonSettings
from rankgold.comparison.intervals import FEW_QUERIES, NARROW_OF_FEW
from rankgold.comparison.paired_values import UnitSums
from rankgold.core.document import Cell, Document, ResultTable, check_digits, number
from rankgold.core.errors import DataError, MeasureError, listing
from rankgold.core.exact_sums import Moments
from rankgold.core.result import QueryResult, frame_table, known_number
from rankgold.core.segments import Floats
from rankgold.measures.metric import MEAN, Aggregate, Measure
from rankgold.scoring.run_scores import RunScores, label_of
from rankgold.scoring.score_document import means_table, score_document
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    import polars


Ends = tuple[float, float]


class Intervals(QueryResult, dict[str, Any]):
    """Measure -> the ends of the confidence interval of its mean; for several runs, run -> measure -> ends."""

    def __init__(self, scores: Scores, settings: ComparisonSettings) -> None:
        runs = [scores.run_scores(name) for name in scores.runs]
        self.by_run: dict[str, dict[str, Ends]] = dict(
            zip(scores.runs, intervals_of_runs(runs, scores.measures, settings), strict=True)
        )
        self.scores = scores
        self.level, self.method = settings.level, settings.interval
        super().__init__(self.by_run if len(runs) > 1 else self.by_run[scores.runs[0]])

    def __missing__(self, key: str) -> Any:
        if len(self.by_run) == 1:
            return self[label_of(key, self.scores.measures, self.scores.policy.dialect)]
        raise MeasureError(f"There is no run {key!r}. The runs are {listing(self.by_run)}.")

    def describe(self) -> str:
        """Describes the intervals in a line."""
        what = f"{self.level * 100:g} % confidence intervals of the means over queries ({self.method})"
        fewest = min(len(run.queries) for run in self.scores.run_list)
        is_narrow = self.method in NARROW_OF_FEW and 1 < fewest < FEW_QUERIES
        return f"{what}, which are too narrow for {fewest} queries" if is_narrow else what

    def rows(self) -> Iterator[tuple[str, str, float, float, float]]:
        """Run, measure, mean, and the ends of its interval."""
        for run, ends in self.by_run.items():
            for label, (low, high) in ends.items():
                yield run, label, self.scores.run_scores(run).means[label], low, high

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame: run, measure, mean, low, high."""
        import polars as pl

        names = {"run": pl.String, "measure": pl.String, "mean": pl.Float64, "low": pl.Float64, "high": pl.Float64}
        return pl.DataFrame(list(self.rows()), schema=names, orient="row")

    def document(self, digits: int = 4, *, per_query: bool = False, quiet: bool = True) -> Document:
        """The means with their intervals; the options are those of a document of scores."""
        whole = score_document(self.scores, per_query=per_query, digits=digits, quiet=quiet)
        tables, place = list(whole.tables), -2 if self.scores.parts else -1  # the table of slices is the last
        tables[place] = self._table_of_text(check_digits(digits))
        alone = tables.copy()
        alone[place] = replace(tables[place], caption=f"Means with {self.describe()}.")
        return Document(tables, facts=[("interval", self.describe())], notes=whole.notes, alone=alone)

    def full_table(self, *, per_query: bool = False) -> ResultTable:
        """The rows of `frame`."""
        if per_query:
            raise DataError("CSV holds one table: intervals of the means or the values of queries, not both.")
        return frame_table(self.frame)

    def _table_of_text(self, digits: int) -> ResultTable:
        """The table of the means, each with its interval in brackets."""
        means = means_table(self.scores, digits)
        rows: list[list[Cell]] = []
        for run, ends in self.by_run.items():
            known = self.scores.run_scores(run).means
            rows.append([run, *(_with_ends(known[label], ends[label], digits) for label in ends)])
        return replace(means, rows=rows)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """The scores as plain dicts and numbers, with the intervals of each run; an undefined end is None."""
        content = self.scores.to_dict(per_query=per_query)
        for run, ends in self.by_run.items():
            known = {label: [known_number(end) for end in pair] for label, pair in ends.items()}
            content["runs"][run]["intervals"] = known
        return {**content, "interval": {"level": self.level, "method": self.method}}


def _with_ends(mean: float, ends: Ends, digits: int) -> str:
    low, high = ends
    return f"{number(mean, digits)} [{number(low, digits)}, {number(high, digits)}]"


def intervals_of_runs(
    runs: Sequence[RunScores], measures: Mapping[str, Measure], settings: ComparisonSettings
) -> list[dict[str, Ends]]:
    """For each run, label -> the ends of the interval of its mean, sum or geometric mean.

    Runs with the same queries are drawn together, which gives each the interval that it has alone.
    """
    found: list[dict[str, Ends]] = [{} for _ in runs]
    together: dict[tuple[str, ...], list[int]] = {}
    for place, run in enumerate(runs):
        run.require_values()
        together.setdefault(tuple(map(str, run.queries)), []).append(place)
    for places in together.values():
        keys = [(place, label) for place in places for label in measures]
        columns = [_prepared(runs[place].values[label], measures[label].metric.aggregate) for place, label in keys]
        units = UnitSums.of(np.stack(columns, axis=1))
        low, high = settings.interval_of(units)
        for (place, label), *ends in zip(keys, low.tolist(), high.tolist(), strict=True):
            count = int((~np.isnan(runs[place].values[label])).sum())
            first, last = (_finished(end, count, measures[label].metric.aggregate) for end in ends)
            found[place][label] = first, last
    return found


def _prepared(values: Floats, aggregate: Aggregate) -> Floats:
    return values if aggregate.prepare is None else aggregate.prepare(values)


def _finished(mean: float, count: int, aggregate: Aggregate) -> float:
    """The aggregate of `count` values with this mean."""
    if aggregate is MEAN or math.isnan(mean):
        return mean
    return aggregate.finish(Moments.of(np.full(count, mean)))
