"""Says how low and how high each score can be, whatever unjudged documents are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.accepted import Measures
from rankgold.core.document import Cell, Document, ResultTable, check_digits
from rankgold.core.errors import check_whole_number
from rankgold.core.result import QueryResult, frame_table, known_number
from rankgold.core.segments import Floats, Ints
from rankgold.engines.protocol import Progress
from rankgold.engines.request import Request
from rankgold.judging.extremes import Extremes, Scale, extremes
from rankgold.judging.open_documents import OpenRun, open_runs
from rankgold.measures.metric import SUM, Aggregate, Measure
from rankgold.scoring.scorer import measures_by_label, values_of_queries

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True, eq=False)
class BoundedRun:
    """One run: for each label the values of its queries, and the lowest and highest that they can be."""

    name: str
    queries: Sequence[Any]
    unjudged: Ints
    """The number of open documents of each query: of this run, or of another one."""
    retrieved: int
    retrieved_unjudged: int
    """How many of the documents that the run ranks are not judged."""
    highest: float
    """The highest grade that an open document can have."""
    values: dict[str, Floats]
    low: dict[str, Floats]
    high: dict[str, Floats]
    means: dict[str, float]
    mean_low: dict[str, float]
    mean_high: dict[str, float]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Bounds(QueryResult):
    """The lowest and highest possible values, whatever the unjudged documents are. A row for each run and measure."""

    runs: Sequence[BoundedRun]
    measures: dict[str, Measure]

    @property
    def means(self) -> dict[str, Any]:
        """Measure -> the lowest and highest mean; for several runs, run -> measure -> both."""
        by_run = {
            run.name: {label: (run.mean_low[label], run.mean_high[label]) for label in self.measures}
            for run in self.runs
        }
        return by_run if len(by_run) > 1 else next(iter(by_run.values()))

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame: run, measure, value, low, high."""
        import polars as pl

        rows = [
            (run.name, label, run.means[label], run.mean_low[label], run.mean_high[label])
            for run in self.runs
            for label in self.measures
        ]
        types = {"run": pl.String, "measure": pl.String, "value": pl.Float64, "low": pl.Float64, "high": pl.Float64}
        return pl.DataFrame(rows, schema=types, orient="row")

    @property
    def per_query(self) -> polars.DataFrame:
        """A Polars frame: run, query, measure, value, low, high, unjudged."""
        import polars as pl

        frames = [
            pl.DataFrame(
                {
                    "run": pl.Series([run.name] * len(run.queries), dtype=pl.String),
                    "query": pl.Series([str(query) for query in run.queries], dtype=pl.String),
                    "measure": pl.Series([label] * len(run.queries), dtype=pl.String),
                    "value": run.values[label],
                    "low": run.low[label],
                    "high": run.high[label],
                    "unjudged": run.unjudged,
                }
            )
            for run in self.runs
            for label in self.measures
        ]
        return pl.concat(frames)

    def to_dict(self, *, per_query: bool = False) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined or infinite number is None."""
        return {
            "runs": {run.name: self._run_dict(run, per_query) for run in self.runs},
            "measures": list(self.measures),
        }

    def _run_dict(self, run: BoundedRun, per_query: bool) -> dict[str, Any]:
        content: dict[str, Any] = {
            "means": {label: known_number(value) for label, value in run.means.items()},
            "bounds": {
                label: {"low": known_number(run.mean_low[label]), "high": known_number(run.mean_high[label])}
                for label in self.measures
            },
            "max_grade": run.highest,
            "retrieved": run.retrieved,
            "unjudged": run.retrieved_unjudged,
        }
        if per_query:
            columns = {"value": run.values, "low": run.low, "high": run.high}
            content["per_query"] = {
                str(query): {
                    label: {name: known_number(column[label][i]) for name, column in columns.items()}
                    for label in self.measures
                }
                for i, query in enumerate(run.queries)
            }
        return content

    def document(self, digits: int = 4, *, per_query: bool = False, quiet: bool = False) -> Document:
        """A table of the bounds of means; with `per_query`, one of all queries comes first. `quiet`: no notes."""
        digits = check_digits(digits)
        rows: list[list[Cell]] = [list(row) for row in self.frame.rows()]
        tables = [ResultTable(["run", "measure", "value", "low", "high"], rows, "llrrr", digits=digits, keys=2)]
        if per_query:
            header = ["run", "query", "measure", "value", "low", "high", "unjudged"]
            cells: list[list[Cell]] = [[*row[:-1], str(row[-1])] for row in self.per_query.rows()]
            tables.insert(0, ResultTable(header, cells, "lllrrrr", digits=digits, keys=3))
        return Document(tables, notes=[] if quiet else [f"note: {line}" for line in self._notes()])

    def full_table(self, *, per_query: bool = False) -> ResultTable:
        """The rows of `frame`, or of `per_query`."""
        return frame_table(self.per_query if per_query else self.frame)

    def _notes(self) -> list[str]:
        lines = [
            f"{run.name}: {run.retrieved_unjudged:,} of {run.retrieved:,} retrieved documents are not judged"
            for run in self.runs
        ]
        highest = f"{self.runs[0].highest:g}" if self.runs else "0"
        lines.append(
            f"low and high hold for any grades from 0 to {highest} of the documents that are ranked and not judged;"
            " documents that no run ranks and nobody judged count as not relevant"
        )
        if any(np.isinf([*run.mean_low.values(), *run.mean_high.values()]).any() for run in self.runs):
            lines.append("inf: the measure has no limit, and too many documents are not judged to try all grades")
        return lines


# Each of them is a row of each query. Nobody expects so many relevant documents that no run found.
_MOST_UNSEEN = 10_000


def bounded(request: Request, measures: Measures | None, unseen: int, max_grade: float | None) -> Bounds:
    """The bounds of the runs of a request."""
    wanted = measures_by_label(measures, rel=request.rel, dialect=request.policy.dialect)
    unseen = check_whole_number("unseen", unseen, 0, _MOST_UNSEEN)
    return bounds_of(open_runs(request, unseen=unseen, max_grade=max_grade), wanted, request.progress)


def bounds_of(opened: Sequence[OpenRun], measures: dict[str, Measure], progress: Progress | None = None) -> Bounds:
    """The bounds of runs whose open documents are known."""
    return Bounds([_bounded(run, measures, progress) for run in opened], measures)


def _bounded(run: OpenRun, measures: dict[str, Measure], progress: Progress | None) -> BoundedRun:
    scale = Scale.of(run)
    wanted = list(dict.fromkeys(measures.values()))
    plain = [measure for measure in wanted if not measure.metric.over_subtopics]
    found = extremes(run, plain, scale, progress)
    values = values_of_queries(run.hits, plain)
    for measure in wanted:
        if measure not in found:
            found[measure], values[measure] = _of_subtopics(run, measure)
    mean_low, mean_high = (
        {label: mean_bound(measure.metric.aggregate, found[measure], side) for label, measure in measures.items()}
        for side in (-1, 1)
    )
    return BoundedRun(
        name=run.hits.name,
        queries=list(run.hits.queries),
        unjudged=run.open_counts,
        retrieved=int(run.hits.returned.sum()),
        # Of tied documents at the depth, more may be open than the depth leaves.
        retrieved_unjudged=min(int(np.count_nonzero(run.is_open & run.is_ranked)), int(run.hits.returned.sum())),
        highest=scale.highest,
        values={label: values[measure] for label, measure in measures.items()},
        low={label: found[measure].low for label, measure in measures.items()},
        high={label: found[measure].high for label, measure in measures.items()},
        means={label: measure.metric.aggregate(values[measure]) for label, measure in measures.items()},
        mean_low=mean_low,
        mean_high=mean_high,
    )


def mean_bound(aggregate: Aggregate, found: Extremes, side: int) -> float:
    """The lowest (side -1) or highest (side 1) mean. Queries that may be undefined are in it if that moves the mean."""
    values = found.low if side < 0 else found.high
    always = values[~found.is_optional & ~np.isnan(values)]
    optional = np.sort(values[found.is_optional & ~np.isnan(values)])[::-side]
    chosen = always
    for value in optional.tolist():
        now = 0.0 if aggregate is SUM else aggregate(chosen)
        if len(chosen) and side * (value - now) <= 0:
            break
        chosen = np.append(chosen, value)
    return aggregate(chosen)


def _of_subtopics(run: OpenRun, measure: Measure) -> tuple[Extremes, Floats]:
    """The span of a measure of diversity, where a query has open documents: they may be about any subtopic."""
    values = values_of_queries(run.hits, [measure])[measure]
    is_open = run.open_counts > 0
    low, high = measure.metric.span
    optional = is_open & np.isnan(values)
    return Extremes(np.where(is_open, low, values), np.where(is_open, high, values), optional), values
