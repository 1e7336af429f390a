"""Merges several judges, or grades with probabilities, into one grade."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import polars as pl

from rankgold.core.errors import DataError, brief, listing, nearest
from rankgold.data.columns import normal_name, probability_column
from rankgold.engines.request import Request
from rankgold.judging.judge_agreement import first_graded_twice, graded_rows, judged_rows, named_judges

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


_KEYS = ["query", "document"]


def merged(request: Request, rule: str | Callable[[Sequence[float]], float]) -> pl.DataFrame:
    """One grade for each document of the judges of a request."""
    if not callable(rule) and rule not in RULES:
        raise DataError(f"No rule is called {brief(rule)}.{nearest(str(rule), RULES)} Rules: {listing(RULES, 10)}.")
    rows = rows_of_judges(request)
    if rows.is_empty():
        raise DataError("no row has a grade. Fill in some of them.")
    if callable(rule):
        return _by_function(rows, rule)
    if rule == "error" and (repeated := first_graded_twice(rows)):
        query, document = repeated
        raise DataError(
            f"document {document!r} of query {query!r} has several grades. Choose a rule that makes one of them:"
            " majority, for example."
        )
    if rule not in WEIGHTED and (rows["weight"] != 1.0).any():
        raise DataError(f"the rule {rule} does not support weights. Use {listing(WEIGHTED)}.")
    return RULES[rule](rows)


def rows_of_judges(request: Request) -> pl.DataFrame:
    """Query, document, grade and weight of every row of every judge, ids as text."""
    rows = pl.concat([_rows(source, request.columns) for source in named_judges(request).values()])
    return rows if request.topics is None else rows.filter(request.topics.of_judged(rows["query"].to_list()))


def _rows(source: object, columns: Mapping[str, str] | None) -> pl.DataFrame:
    """Query, document, grade and weight of every row."""
    frame = weighted_rows(source, columns)
    if frame is None:
        frame = judged_rows(source, columns).frame.with_columns(weight=pl.lit(1.0))
    return frame.select(pl.col(_KEYS).cast(pl.String), "grade", "weight")


def _grouped(rows: pl.DataFrame, grade: pl.Expr) -> pl.DataFrame:
    return rows.group_by(_KEYS, maintain_order=True).agg(grade.alias("grade"))


def _majority(rows: pl.DataFrame) -> pl.DataFrame:
    totals = rows.group_by(*_KEYS, "grade", maintain_order=True).agg(pl.col("weight").sum())
    # Sums of weights such as 0.1 + 0.2 and 0.3 are meant to be the same.
    totals = totals.with_columns(pl.col("weight").round(12)).sort("grade")
    # The lowest of several grades of most weight.
    chosen = pl.col("grade").gather(pl.col("weight").arg_max()).first()
    return (
        _grouped(totals, chosen)
        .join(rows.select(_KEYS).unique(maintain_order=True), on=_KEYS, how="right", maintain_order="right")
        .select(*_KEYS, "grade")
    )


def expected_grades(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for each document: the mean of its grades by weight."""
    return _grouped(rows, (pl.col("grade") * pl.col("weight")).sum() / pl.col("weight").sum())


RULES: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "majority": _majority,
    "mean": expected_grades,
    "median": lambda rows: _grouped(rows, pl.col("grade").quantile(0.5, interpolation="lower")),
    "max": lambda rows: _grouped(rows, pl.col("grade").max()),
    "min": lambda rows: _grouped(rows, pl.col("grade").min()),
    "first": lambda rows: _grouped(rows, pl.col("grade").first()),
    "last": lambda rows: _grouped(rows, pl.col("grade").last()),
    "error": lambda rows: _grouped(rows, pl.col("grade").first()),
}
"""Name -> the function that makes one row of all rows of a document."""

WEIGHTED = ("majority", "mean")
"""The rules in which weights count."""


def _by_function(rows: pl.DataFrame, rule: Callable[[Sequence[float]], float]) -> pl.DataFrame:
    groups = rows.group_by(_KEYS, maintain_order=True).agg(pl.col("grade"))
    grades = []
    for query, document, given in groups.iter_rows():
        grade = rule(given)
        if isinstance(grade, bool) or not isinstance(grade, (int, float)) or not math.isfinite(grade):
            raise DataError(f"the rule gives {brief(grade)} for document {document!r} of query {query!r}, not a grade.")
        grades.append(float(grade))
    return groups.with_columns(pl.Series("grade", grades, dtype=pl.Float64))
