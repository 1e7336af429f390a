"""Scores with slices in; the mean of each slice, run and measure, and its confidence interval, out."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from rankgold.comparison.intervals import interval_of_moments
from rankgold.comparison.paired_values import AlignedValues
from rankgold.comparison.settings import ComparisonSettings, interval_settings
from rankgold.comparison.unit_sums import UnitSums
from rankgold.declaration.metric import MEAN
from rankgold.errors import ComparisonError, DataError, brief, listing, nearest
from rankgold.output.document import Document
from rankgold.output.result_forms import Result, known_fields, row_frame
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
        from rankgold.comparison.slice_document import slice_document

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
