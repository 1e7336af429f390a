"""Judgements with a column of probabilities or weights in, rows with the share of each grade out."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from rankgold.data.columns import normal_name, probability_column
from rankgold.errors import DataError
from rankgold.judging.judgement_rows import graded_rows

_WEIGHT = ("weight", "judge_weight", "grade_weight")
# Probabilities that were rounded when they were written add up to a little more than 1.
_ROUNDED = 1e-3


def weighted_rows(source: object, columns: Mapping[str, str] | None = None) -> pl.DataFrame | None:
    """Query, document, grade and weight; None if there is no column of probabilities or weights.

    What the probabilities of a document leave up to 1 is the probability of grade 0. Weights count in proportion.
    """
    graded = graded_rows(source, columns)
    if graded is None:
        return None
    by_name = {normal_name(name): name for name in graded.frame.columns}
    probability = probability_column(graded.frame.columns)
    weight = next((by_name[name] for name in _WEIGHT if name in by_name), None)
    column = probability or weight
    if column is None or "subtopic" in by_name:
        return None
    if probability and weight:
        raise DataError(f"there are columns {probability!r} and {weight!r}. Only one of them can count.", graded.label)
    table = graded.table()
    given = graded.frame[column]
    number = given.cast(pl.Float64, strict=False)
    what = "probability" if probability else "weight"
    wrong = ~number.is_finite().fill_null(False) | (number < 0).fill_null(True)
    if probability:
        wrong |= number > 1
    if wrong.any():
        row = int(wrong.arg_max() or 0)
        span = "from 0 to 1" if probability else "from 0 on"
        raise DataError(f"a {what} must be a number {span}, not {given[row]!r}.", table.place(row))
    rows = table.frame.with_columns(number.alias("weight")).select("query", "document", "grade", "weight")
    totals = rows.group_by("query", "document", maintain_order=True).agg(pl.col("weight").sum())
    if not probability:
        _check(totals, totals["weight"] <= 0, "has no weight above 0", graded.label)
        return rows
    _check(totals, totals["weight"] > 1 + _ROUNDED, "has probabilities of more than 1 together", graded.label)
    # A row of grade 0 for what is left of the probability of each document.
    rest = totals.with_columns(grade=pl.lit(0.0), weight=1 - pl.col("weight")).filter(pl.col("weight") > 1e-12)
    return pl.concat([rows, rest.select(rows.columns)])


def _check(totals: pl.DataFrame, wrong: pl.Series, what: str, label: str) -> None:
    if wrong.any():
        query, document, *_ = totals.row(int(wrong.arg_max() or 0))
        raise DataError(f"document {document!r} of query {query!r} {what}.", label)
