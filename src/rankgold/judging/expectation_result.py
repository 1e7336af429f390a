"""The expected values of runs in, an Expectation out: its frames, tables and JSON."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rankgold.declaration.metric import Measure
from rankgold.kernels.segments import Floats
from rankgold.output.document import Cell, Document, ResultTable
from rankgold.output.result_forms import Result, known_values
from rankgold.output.text import check_digits

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True, eq=False)
class ExpectedRun:
    """One run: for each label the expected values of its queries, and of their mean."""

    name: str
    queries: Sequence[Any]
    values: dict[str, Floats]
    means: dict[str, float]
    errors: dict[str, float]
    """The standard error of each mean, which more draws make smaller; 0 if it is exact."""
    spreads: dict[str, float]
    """The standard deviation of the mean over the draws: its uncertainty from the grades."""
    exact: frozenset[str]
    """The labels whose values are not drawn."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Expectation(Result):
    """The expected value of each measure where grades are uncertain. A row for each run and measure."""

    runs: Sequence[ExpectedRun]
    measures: dict[str, Measure]
    draws: int
    seed: int

    @property
    def means(self) -> dict[str, Any]:
        """Measure -> expected mean; for several runs, run -> measure -> expected mean."""
        by_run = {run.name: dict(run.means) for run in self.runs}
        return by_run if len(by_run) > 1 else next(iter(by_run.values()))

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame: run, measure, value, method (exact or sampled), error, spread."""
        import polars as pl

        rows = [
            (
                run.name,
                label,
                run.means[label],
                "exact" if label in run.exact else "sampled",
                run.errors[label],
                run.spreads[label],
            )
            for run in self.runs
            for label in self.measures
        ]
        text, number = pl.String, pl.Float64
        types = {"run": text, "measure": text, "value": number, "method": text, "error": number, "spread": number}
        return pl.DataFrame(rows, schema=types, orient="row")

    @property
    def per_query(self) -> polars.DataFrame:
        """A Polars frame: run, query, then the expected value of each measure."""
        import polars as pl

        frames = [
            pl.DataFrame(
                {
                    "run": pl.Series([run.name] * len(run.queries), dtype=pl.String),
                    "query": pl.Series([str(query) for query in run.queries], dtype=pl.String),
                    **run.values,
                }
            )
            for run in self.runs
        ]
        return pl.concat(frames)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None."""
        return {"expected": list(map(known_values, self.frame.to_dicts())), "draws": self.draws, "seed": self.seed}

    def document(self, digits: int = 4) -> Document:
        rows: list[list[Cell]] = [list(row) for row in self.frame.rows()]
        header = ["run", "measure", "value", "method", "error", "spread"]
        table = ResultTable(header, rows, "llrlrr", digits=check_digits(digits), keys=2)
        about = f"sampled: the mean over {self.draws:,} draws of grades with seed {self.seed}, and its standard error"
        spread = "spread: the standard deviation of the value over the draws"
        notes = [f"note: {line}" for line in (about, spread)] if any(row[3] == "sampled" for row in rows) else []
        return Document([table], notes=notes)
