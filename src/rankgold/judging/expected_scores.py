"""Computes expected scores when grades are probabilities."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankgold.core.accepted import Measures
from rankgold.core.document import Cell, Document, ResultTable, check_digits
from rankgold.core.errors import check_whole_number
from rankgold.core.result import Result, known_values
from rankgold.core.segments import Bools, Floats, sums
from rankgold.engines.request import Request
from rankgold.judging.merged_grades import expected_grades, rows_of_judges
from rankgold.judging.open_documents import OpenRun, hits_of_all_documents
from rankgold.measures.metric import Measure
from rankgold.scoring.scorer import measures_by_label, values_of_queries

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


def expected(request: Request, measures: Measures | None, draws: int, seed: int) -> Expectation:
    """The expected values of the runs of a request."""
    draws, seed = check_whole_number("draws", draws, 2), check_whole_number("seed", seed, 0)
    wanted = measures_by_label(measures, rel=request.rel, dialect=request.policy.dialect)
    rows = rows_of_judges(replace(request, topics=None))  # matching selects them
    chances = GradeChances.of(rows)
    found = []
    judged = replace(request, data={"qrels": expected_grades(rows), "run": request.data["run"]})
    for hits in hits_of_all_documents(judged):
        highest = float(max(chances.grades[-1], 0.0))
        run = OpenRun.of(hits, highest, highest)
        of_run = chances.of_run(run)
        if request.policy.unretrieved == "dropped":
            run = run.on_scale(of_run.highest(run.is_ranked))
        found.append(_expected(run, wanted, of_run, draws, seed))
    return Expectation(found, wanted, draws, seed)


@dataclass(frozen=True, slots=True, eq=False)
class GradeChances:
    """How likely each grade of each document is."""

    grades: Floats
    """All grades, ascending."""
    keys: pl.DataFrame
    """Query and document of each row of `chance`, as text."""
    chance: Floats
    """A row for each document, a column for each grade; the rows add up to 1."""

    @classmethod
    def of(cls, rows: pl.DataFrame) -> GradeChances:
        grades = rows["grade"].unique().sort().to_numpy()
        keys = rows.select("query", "document").unique(maintain_order=True).with_row_index("number")
        number = rows.join(keys, on=["query", "document"], maintain_order="left")["number"].to_numpy()
        chance = np.zeros((keys.height, len(grades)))
        np.add.at(chance, (number, np.searchsorted(grades, rows["grade"].to_numpy())), rows["weight"].to_numpy())
        return cls(grades, keys, chance / chance.sum(axis=1, keepdims=True))

    def of_run(self, run: OpenRun) -> GradeChances:
        """The same chances in the order of the documents of a run."""
        keys = pl.DataFrame(
            {
                "query": pl.Series([str(run.hits.queries[i]) for i in run.query.tolist()], dtype=pl.String),
                "document": pl.Series([str(run.documents[i]) for i in range(len(run.query))], dtype=pl.String),
            }
        )
        number = keys.join(self.keys, on=["query", "document"], how="left", maintain_order="left")["number"]
        return replace(self, keys=keys, chance=self.chance[number.to_numpy()])

    def highest(self, which: Bools) -> float:
        """The highest grade that any of these documents can have, at least 0."""
        return float(self.grades[(self.chance[which] > 0).any(axis=0)].max(initial=0.0))


def _expected(run: OpenRun, measures: dict[str, Measure], chances: GradeChances, draws: int, seed: int) -> ExpectedRun:
    wanted = list(dict.fromkeys(measures.values()))
    can_be_exact = run.hits.policy.no_relevant == "zero" and run.hits.policy.ties != "average"
    exact = [measure for measure in wanted if can_be_exact and measure.grades.is_sum_of_gains]
    values = {measure: _sum_of_gains(run, measure, chances) for measure in exact}
    means = {measure: measure.metric.aggregate(values[measure]) for measure in exact}
    errors = dict.fromkeys(exact, 0.0)
    spreads = dict.fromkeys(exact, float("nan"))
    sampled = [measure for measure in wanted if measure not in values]
    for measure, drawn in _drawn(run, sampled, chances, draws, seed).items():
        values[measure] = _mean_of_draws(drawn)
        of_draws = np.array([measure.metric.aggregate(column) for column in drawn])
        known = of_draws[~np.isnan(of_draws)]
        spreads[measure] = float(np.std(known, ddof=1)) if len(known) > 1 else float("nan")
        means[measure] = float(np.mean(known)) if len(known) else float("nan")
        errors[measure] = spreads[measure] / max(len(known), 1) ** 0.5
    return ExpectedRun(
        run.hits.name,
        list(run.hits.queries),
        {label: values[measure] for label, measure in measures.items()},
        {label: means[measure] for label, measure in measures.items()},
        {label: errors[measure] for label, measure in measures.items()},
        {label: spreads[measure] for label, measure in measures.items()},
        frozenset(label for label, measure in measures.items() if measure in exact),
    )


def _mean_of_draws(drawn: Floats) -> Floats:
    """The mean of each query over the draws in which it has a value."""
    counts = np.count_nonzero(~np.isnan(drawn), axis=0)
    with np.errstate(invalid="ignore"):
        mean: Floats = np.nansum(drawn, axis=0) / np.where(counts, counts, np.nan)
    return mean


def _sum_of_gains(run: OpenRun, measure: Measure, chances: GradeChances) -> Floats:
    """Each document's gain per grade, times the chance of the grade, divided by the norm."""
    total = np.zeros(len(run))
    for number, grade in enumerate(chances.grades.tolist()):
        for_grade = np.full(len(run.grade), grade)
        parts = measure(run.with_grades(for_grade))
        weighted = parts.terms.weighted * chances.chance[parts.ranking.row, number]
        with np.errstate(divide="ignore", invalid="ignore"):
            total += np.nan_to_num(sums(weighted, parts.ranking.query, len(run)) / parts.norms)
    return np.where(np.isnan(values_of_queries(run.hits, [measure])[measure]), np.nan, total)


def _drawn(
    run: OpenRun, measures: Sequence[Measure], chances: GradeChances, draws: int, seed: int
) -> dict[Measure, Floats]:
    """A row of values for each draw."""
    random = np.random.default_rng(seed)
    limits = np.cumsum(chances.chance, axis=1)
    drawn: dict[Measure, Floats] = {measure: np.empty((draws, len(run))) for measure in measures}
    for number in range(draws if measures else 0):
        chosen = (random.random(len(limits))[:, None] >= limits[:, :-1]).sum(axis=1)
        for measure, values in values_of_queries(run.with_grades(chances.grades[chosen]), measures).items():
            drawn[measure][number] = values
    return drawn
