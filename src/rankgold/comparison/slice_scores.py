"""Computes means and intervals of slices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rankgold.comparison.choices import ComparisonSettings, interval_settings
from rankgold.comparison.comparison_result import comparison_document
from rankgold.comparison.intervals import interval_of_moments
from rankgold.comparison.paired_values import AlignedValues, UnitSums
from rankgold.core.document import Cell, Document, ResultTable, check_digits, number
from rankgold.core.errors import ComparisonError, DataError, brief, counted, listing, nearest
from rankgold.core.result import Result, known_fields, row_frame
from rankgold.measures.metric import MEAN
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    import polars

    from rankgold.comparison import CorrectionName, DrawnTest, Interval, IntervalName, TestName, Units
    from rankgold.comparison.slice_comparison import SliceComparison
    from rankgold.scoring.slice_parts import SlicePart


_NO_INTERVALS = "intervals without the values of queries need SciPy, which is not installed: pip install scipy"


@dataclass(frozen=True, slots=True)
class SliceRow:
    """One slice of one run under one measure."""

    attribute: str
    slice: str
    run: str
    measure: str
    mean: float
    low: float
    high: float
    """The ends of the confidence interval of the mean; NaN with fewer than two queries, and if it is not a mean."""
    queries: int


@dataclass(frozen=True, eq=False, repr=False)
class SliceScores(Result):
    """The scores of each slice. A row for each slice, run and measure."""

    scores: Scores
    """The scores of all queries, with those of the slices."""
    settings: ComparisonSettings
    """The level of the intervals and how they are computed."""

    @cached_property
    def rows(self) -> list[SliceRow]:
        """Slice by slice, run by run. Intervals are computed on demand."""
        return [row for part in self._parts for row in _rows(part, self.settings)]

    @property
    def notes(self) -> tuple[str, ...]:
        """Remarks on the attributes and the intervals."""
        return self.scores.slice_notes + (() if self.scores.has_queries or _has_scipy() else (_NO_INTERVALS,))

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame: attribute, slice, run, measure, mean, low, high, queries."""
        return row_frame(SliceRow, self.rows)

    def intervals(
        self,
        level: float = 0.95,
        method: Literal["bootstrap"] | IntervalName = "bootstrap",
        *,
        draws: int = 10_000,
        seed: int = 0,
    ) -> SliceScores:
        """The same slices with other intervals; `method` is as in `scores.intervals`."""
        return slice_scores(self.scores, level, method, draws, seed)

    def compare(
        self,
        *,
        baseline: str | None = None,
        test: TestName | DrawnTest = "randomization",
        correction: CorrectionName = "holm",
        seed: int = 0,
        interval: IntervalName | Interval = "bca",
        units: Units | None = None,
    ) -> SliceComparison:
        """The runs compared in each slice; the keywords are those of `compare`. P-values allow for all slices."""
        from rankgold.comparison.slice_comparison import compare_slices

        settings = ComparisonSettings.of(baseline, test, correction, seed, interval, units)
        return compare_slices(self.scores, settings)

    def __getitem__(self, key: str | tuple[str, str]) -> Scores:
        """The Scores of one slice: `slices["de"]`, or with its attribute `slices["language", "de"]`."""
        if not isinstance(key, str) and not (isinstance(key, tuple) and len(key) == 2):
            raise DataError(f"a slice must be a name, or an attribute and a name, not {brief(key)}.")
        attribute, name = (None, key) if isinstance(key, str) else key
        found = [part for part in self._parts if part.name == name and attribute in (None, part.attribute)]
        if len(found) == 1:
            return found[0].scores
        if found:
            raise DataError(f"{listing(part.attribute for part in found)} each have a slice {name!r}. Name one.")
        known = [part.name for part in self._parts if attribute in (None, part.attribute)]
        raise DataError(f"there is no slice {name!r}.{nearest(str(name), known)} Slices: {listing(known, 20)}.")

    @property
    def _parts(self) -> list[SlicePart]:
        return parts_of(self.scores)

    def __iter__(self) -> Iterator[SliceRow]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None."""
        rows = [known_fields(row) for row in self.rows]
        method = {"interval": self.settings.interval, "level": self.settings.level}
        return {"rows": rows, "method": method, "notes": list(self.notes)}

    def document(self, digits: int = 4) -> Document:
        """A table for people: a row for each slice and run, and for each measure its mean and interval."""
        return slice_document(self, digits)


def slice_scores(
    scores: Scores, level: float = 0.95, method: str = "bootstrap", draws: int = 10_000, seed: int = 0
) -> SliceScores:
    """The slices of scores that were evaluated with `by`."""
    has_values = scores.has_queries
    if not has_values and method not in ("bootstrap", "t"):
        raise ComparisonError(f"{method} intervals need the values of the queries, and only their sums were kept.")
    interval = ("bca" if method == "bootstrap" else method) if has_values else "t"
    settings = interval_settings(interval, level, draws, seed)
    parts_of(scores)
    return SliceScores(scores, settings)


def with_intervals_of_slices(scores: Scores, level: float = 0.95, method: str = "bootstrap") -> Scores:
    """The same scores, which print and save their slices with these intervals."""
    chosen = replace(scores)
    vars(chosen)["slices"] = slice_scores(chosen, level, method)  # where the cached property keeps it
    return chosen


def parts_of(scores: Scores) -> list[SlicePart]:
    """The slices, with the runs that the scores have."""
    if not scores.parts:
        raise DataError("there are no slices. Pass by= to evaluate, as in evaluate(..., by='attributes.csv').")
    return [part.of_runs(scores.runs) for part in scores.parts]


def _rows(part: SlicePart, settings: ComparisonSettings) -> Iterator[SliceRow]:
    scores = part.scores
    ends = _ends(scores, settings)
    for name in scores.runs:
        run = scores.run_scores(name)
        for label in scores.measures:
            low, high = ends.get((name, label), (math.nan, math.nan))
            yield SliceRow(part.attribute, part.name, name, label, run.means[label], low, high, run.notes.queries)


def _ends(scores: Scores, settings: ComparisonSettings) -> dict[tuple[str, str], tuple[float, float]]:
    """Run and label -> the ends of the interval, for all measures aggregated by a mean."""
    means = {label: measure for label, measure in scores.measures.items() if measure.metric.aggregate is MEAN}
    keys = [(name, label) for name in scores.runs for label in means]
    if not scores.has_queries:
        if not _has_scipy():  # the means are worth having without
            return {}
        sums = {name: scores.run_scores(name) for name in scores.runs}
        return {(name, label): interval_of_moments(sums[name].moments(label), settings.level) for name, label in keys}
    if not keys:
        return {}
    aligned = AlignedValues.of(replace(scores, measures=means))
    units = UnitSums.of(np.stack([aligned.values[key] for key in keys], axis=1))
    low, high = settings.interval_of(units)
    return dict(zip(keys, zip(low.tolist(), high.tolist(), strict=True), strict=True))


def _has_scipy() -> bool:
    return find_spec("scipy") is not None


_MOST_WORSE = 10


def slice_document(slices: SliceScores, digits: int = 4) -> Document:
    """A row for each slice and run, with the mean and the interval of each measure."""
    return Document([slice_table(slices, digits)], notes=[f"note: {note}" for note in slices.notes])


def slice_table(slices: SliceScores, digits: int) -> ResultTable:
    """The table of the slices; the run has no column if there is only one."""
    digits = check_digits(digits)
    settings, measures, runs = slices.settings, list(slices.scores.measures), slices.scores.runs
    level = f"{settings.level * 100:g} % CI"
    header = ["attribute", "slice", *(["run"] if len(runs) > 1 else []), "queries"]
    keys = len(header)
    header += [title for measure in measures for title in (measure, level)]
    rows: list[list[Cell]] = []
    for first in range(0, len(slices.rows), len(measures)):
        of_run = slices.rows[first : first + len(measures)]
        head = of_run[0]
        names = [head.attribute, head.slice, *([head.run] if len(runs) > 1 else [])]
        values: list[Cell] = [cell for row in of_run for cell in (row.mean, _interval(row, digits))]
        rows.append([*names, f"{head.queries:,}", *values])
    caption = f"Means of each slice, with {settings.level * 100:g} % intervals ({settings.interval})"
    alignment = "l" * (keys - 1) + "r" * (len(header) - keys + 1)
    return ResultTable(header, rows, alignment, caption=caption, digits=digits, keys=keys)


def _interval(row: SliceRow, digits: int) -> str:
    return "–" if math.isnan(row.low) else f"{number(row.low, digits)} to {number(row.high, digits)}"


def slice_comparison_document(slices: SliceComparison, digits: int = 4) -> Document:
    """A row for each slice, pair and measure, then the slices in which b is worse, the most certain first."""
    whole = comparison_document(slices.comparison, digits)
    table = _with_titles(_without(whole.tables[0], slices.unknown), slices.titles)
    method = slices.comparison.method.describe()
    count = sum(not math.isnan(row.p) for row in slices.comparison.rows)
    caption = f"The same in each slice ({method}, over {counted(count, 'comparison')})"
    worse = slices.worse()
    facts = [("worse", row.sentence) for row in worse[:_MOST_WORSE]]
    if more := len(worse) - len(facts):
        facts.append(("worse", f"{counted(more, 'more slice')}, less certain"))
    if not worse:
        facts.append(("worse", "no slice: b has nowhere a worse mean than a"))
    facts += [("doubt", doubt) for doubt in slices.comparison.doubts]
    return Document([replace(table, caption=caption)], facts=facts, notes=[f"note: {note}" for note in slices.notes])


def _without(table: ResultTable, unknown: Sequence[str]) -> ResultTable:
    kept = [i for i, name in enumerate(table.header) if name not in unknown]
    return replace(
        table,
        header=[table.header[i] for i in kept],
        rows=[[row[i] for i in kept] for row in table.rows],
        alignment="".join(table.alignment[i] for i in kept),
    )


def _with_titles(table: ResultTable, titles: Sequence[tuple[str, str]]) -> ResultTable:
    """The table with the attribute and the slice of each row in front."""
    return replace(
        table,
        header=["attribute", "slice", *table.header],
        rows=[[*title, *row] for title, row in zip(titles, table.rows, strict=True)],
        alignment=f"ll{table.alignment}",
        strong=frozenset((row, column + 2) for row, column in table.strong),
        keys=table.keys + 2,
    )
