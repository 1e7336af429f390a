"""Grades outside the scale."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData
from rankgold.diagnosis.findings import Finding, Severity, agreed
from rankgold.diagnosis.registry import check_of_collection
from rankgold.errors import counted

# Without a scale, a top grade is an outlier if it is so many times the grade below it, and so rare.
_TIMES, _RARE = 5, 0.05


@check_of_collection
def grades_outside(collection: ExaminedData) -> Iterator[Finding]:
    """Grades outside the scale that was given; without one, negative grades, and a top grade far above all others."""
    grades = collection.judgements["grade"]
    if collection.scale is not None:
        yield from _finding(collection, *collection.scale, "warning", "outside the scale from {low:g} to {high:g}")
        return
    highest = float(grades.max() or 0)  # type: ignore[arg-type]
    below = grades.filter(grades < highest)
    second = float(below.max() or 0)  # type: ignore[arg-type]
    count = int((grades == highest).sum())
    if second >= 1 and highest >= _TIMES * second and count <= max(1, _RARE * len(grades)):
        yield from _finding(collection, -float("inf"), second, "warning", "far above the grade below, {high:g}")
    yield from _finding(collection, 0, float("inf"), "note", "below 0: not relevant, gain 0")


def _finding(collection: ExaminedData, low: float, high: float, severity: Severity, what: str) -> Iterator[Finding]:
    frame = collection.judgements
    outside = (frame["grade"] < low) | (frame["grade"] > high)
    if not outside.any():
        return
    at, count = outside.arg_true()[0], int(outside.sum())
    query, document, grade = frame.select("query", "document", "grade").row(at)
    clipped = frame.with_columns(pl.col("grade").clip(low, high))
    yield Finding(
        severity,
        f"{counted(count, 'grade')} of {len(frame):,} {agreed(count, 'is', 'are')} {what.format(low=low, high=high)}",
        f"{collection.judged.table.place(at)}: query {query!r}, document {document!r}, grade {grade:g}",
        "Correct the grades. If they are meant so, give the scale with --scale.",
        collection.largest_effect("with these grades moved to the end of the scale", judged=clipped),
    )
