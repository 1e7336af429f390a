"""Compares runs within slices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.comparison.choices import ComparisonSettings, corrected
from rankgold.comparison.comparison_result import Comparison, PairRow
from rankgold.comparison.paired_values import AlignedValues
from rankgold.comparison.pairwise import TEST_OF_SUMS, compare_scores, compare_sums
from rankgold.comparison.slice_scores import parts_of
from rankgold.comparison.warnings import doubts_about_slices
from rankgold.core.document import Document
from rankgold.core.result import Result
from rankgold.engines.protocol import Progress
from rankgold.scoring.scores import Scores
from rankgold.scoring.slice_parts import slice_title

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True, slots=True)
class SliceDifference:
    """Two runs compared in one slice under one measure."""

    attribute: str
    slice: str
    row: PairRow
    sentence: str


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class SliceComparison(Result):
    """Shows in which slices one run is better or worse: a row for each slice, pair of runs and measure."""

    titles: Sequence[tuple[str, str]]
    """The attribute and the slice of each row."""
    comparison: Comparison
    """The rows, with p-values that allow for all of them."""
    notes: tuple[str, ...] = ()
    """Remarks on the attributes."""

    @property
    def rows(self) -> list[SliceDifference]:
        together = zip(self.titles, self.comparison.rows, self.comparison.sentences, strict=True)
        return [
            SliceDifference(attribute, name, row, f"{slice_title(attribute, name)}: {sentence}")
            for (attribute, name), row, sentence in together
        ]

    def worse(self) -> list[SliceDifference]:
        """The slices in which the second run, b, has a worse mean than the first, most certain first."""
        found = [row for row in self.rows if self.comparison.better(row.row) == row.row.a]
        return sorted(found, key=_uncertainty)

    @property
    def frame(self) -> polars.DataFrame:
        """A Polars frame: attribute, slice, and the columns of a comparison: measure, a, b, mean_a, mean_b, ..."""
        import polars as pl

        titles = pl.DataFrame(self.titles, schema={"attribute": pl.String, "slice": pl.String}, orient="row")
        unknown = {name: pl.lit(None, dtype=pl.Int64) for name in self.unknown}
        return titles.hstack(self.comparison.frame.with_columns(**unknown))

    @property
    def unknown(self) -> tuple[str, ...]:
        """The columns that are unknown because only sums were kept."""
        return ("wins", "ties", "losses") if self.comparison.method.test == TEST_OF_SUMS else ()

    @property
    def sentences(self) -> list[str]:
        """One plain sentence for each row."""
        return [row.sentence for row in self.rows]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None."""
        content = self.comparison.to_dict()
        named = [
            {"attribute": attribute, "slice": name, **row, **dict.fromkeys(self.unknown)}
            for (attribute, name), row in zip(self.titles, content["comparisons"], strict=True)
        ]
        return {
            **content,
            "comparisons": named,
            "sentences": self.sentences,
            "worse": [row.sentence for row in self.worse()],
            "notes": list(self.notes),
        }

    def document(self, digits: int = 4) -> Document:
        """A table of all slices, and below it those in which b is worse."""
        from rankgold.comparison.slice_scores import slice_comparison_document

        return slice_comparison_document(self, digits)

    def __iter__(self) -> Iterator[SliceDifference]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.titles)


def _uncertainty(found: SliceDifference) -> tuple[bool, float, float]:
    row = found.row
    return math.isnan(row.p), 0.0 if math.isnan(row.p) else row.p, -abs(row.difference)


def compare_slices(scores: Scores, settings: ComparisonSettings, progress: Progress | None = None) -> SliceComparison:
    """The comparison of each slice by itself. P-values are corrected for all slices, pairs and measures together."""
    parts = parts_of(scores)
    alone = replace(settings, correction="none")
    notes, weights = list(scores.slice_notes), settings.weights
    if weights is not None and scores.has_queries:
        AlignedValues.of(scores).weights(weights)  # an error if all of them are 0
        idle = [part for part in parts if not _has_weight(part.scores, weights)]
        parts = [part for part in parts if part not in idle]
        notes += [f"{slice_title(part.attribute, part.name)}: all queries have the weight 0: left out" for part in idle]
    found = []
    for i, part in enumerate(parts):
        if progress is not None:
            progress("comparing slices", i / len(parts), 0)
        found.append(_compared(part.scores, alone))
    titles = [(part.attribute, part.name) for part, of_part in zip(parts, found, strict=True) for _ in of_part.rows]
    rows = [row for of_part in found for row in of_part.rows]
    p_corrected = corrected(np.array([row.p for row in rows]), settings.correction)
    rows = [replace(row, p_corrected=float(p)) for row, p in zip(rows, p_corrected, strict=True)]
    method = replace(found[0].method, correction=settings.correction)
    if scores.has_queries:
        method = replace(method, test=settings.test_name, draws=settings.test_draws.count)
    whole = Comparison(rows, method, found[0].lower_is_better, doubts_about_slices(titles, rows, settings))
    return SliceComparison(titles, whole, tuple(notes))


def _has_weight(scores: Scores, weights: Mapping[Any, float]) -> bool:
    weight_of = {str(query): weight for query, weight in weights.items()}
    return any(weight_of.get(str(query), 1) for name in scores.runs for query in scores.run_scores(name).queries)


def _compared(scores: Scores, settings: ComparisonSettings) -> Comparison:
    """The comparison of one slice. With one query, p is undefined and does not count as a comparison."""
    if not scores.has_queries:
        return compare_sums(scores, settings)
    is_single = max(scores.run_scores(name).notes.queries for name in scores.runs) < 2
    if is_single:
        once = replace(settings.test_draws, count=1)
        settings = replace(settings, test="bootstrap", test_draws=once, interval_draws=once)
    return compare_scores(scores, settings)


def compare_with_slices(scores: Scores, settings: ComparisonSettings, progress: Progress | None = None) -> Comparison:
    """The comparison over all queries, and with it that of each slice, if there are slices."""
    found = compare_scores(scores, settings)
    return replace(found, slices=compare_slices(scores, settings, progress)) if scores.parts else found
