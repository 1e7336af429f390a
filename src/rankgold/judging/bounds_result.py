"""The lowest and highest values of runs in, Bounds out: their frames, tables and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.kernels.segments import Floats, Ints
from rankgold.output.document import Cell, Document, ResultTable
from rankgold.output.result_forms import QueryResult, frame_table, known_number
from rankgold.output.text import check_digits

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
