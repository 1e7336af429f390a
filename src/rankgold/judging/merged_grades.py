"""The judgements of many judges, or grades with probabilities, in; one grade for each document out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import polars as pl

from rankgold.engines.request import Request
from rankgold.errors import DataError, brief, listing, nearest
from rankgold.judging.grade_weights import weighted_rows
from rankgold.judging.judge_agreement import named_judges
from rankgold.judging.judgement_rows import first_graded_twice, judged_rows

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
    if rule == "error":
        _check_single(rows)
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


def _check_single(rows: pl.DataFrame) -> None:
    if repeated := first_graded_twice(rows):
        query, document = repeated
        raise DataError(
            f"document {document!r} of query {query!r} has several grades. Choose a rule that makes one of them:"
            " majority, for example."
        )


def _by_function(rows: pl.DataFrame, rule: Callable[[Sequence[float]], float]) -> pl.DataFrame:
    groups = rows.group_by(_KEYS, maintain_order=True).agg(pl.col("grade"))
    grades = []
    for query, document, given in groups.iter_rows():
        grade = rule(given)
        if isinstance(grade, bool) or not isinstance(grade, (int, float)) or not math.isfinite(grade):
            raise DataError(f"the rule gives {brief(grade)} for document {document!r} of query {query!r}, not a grade.")
        grades.append(float(grade))
    return groups.with_columns(pl.Series("grade", grades, dtype=pl.Float64))
