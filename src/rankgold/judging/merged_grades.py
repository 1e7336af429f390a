"""The judgements of many judges, or grades with probabilities, in; one grade for each document out."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import polars as pl

from rankgold.errors import DataError, brief, listing, nearest
from rankgold.judging.agreement import named_judges
from rankgold.judging.grade_weights import weighted_rows
from rankgold.judging.judgement_rows import judged_rows

Rule = str | Callable[[Sequence[float]], float]

_ALL = ["query", "document"]


def merge_qrels(judges: Any, rule: Rule = "majority", *, columns: Mapping[str, str] | None = None) -> pl.DataFrame:
    """One grade for each document, out of those that several judges gave: query, document, grade.

    `judges` is what `agreement` takes, or one source in which documents are there repeatedly. Filled-in sheets of
    `judge_next` and `pool` are judgements too: rows without a grade are skipped. `rule` is one of:

    - majority: the grade that most judges gave; of several, the lowest. With weights, the grade of most weight.
    - mean: the mean of the grades. With weights or probabilities, the expected grade.
    - median: the middle grade; the lower one of two.
    - max, min: the highest or lowest grade.
    - first, last: that of the first or last judge.
    - error: each document must have one grade.
    - a function that takes a list of grades and returns one.

    >>> ann, bob = {"q1": {"d1": 0, "d2": 2}}, {"q1": {"d1": 1, "d2": 2, "d3": 1}}
    >>> merge_qrels([ann, bob], "mean").rows()
    [('q1', 'd1', 0.5), ('q1', 'd2', 2.0), ('q1', 'd3', 1.0)]
    """
    if not callable(rule) and rule not in RULES:
        raise DataError(f"No rule is called {brief(rule)}.{nearest(str(rule), RULES)} Rules: {listing(RULES, 10)}.")
    rows = rows_of_judges(judges, columns)
    if rows.is_empty():
        raise DataError("no row has a grade. Fill in some of them.")
    if callable(rule):
        return _by_function(rows, rule)
    if rule == "error":
        _check_single(rows)
    if rule not in WEIGHTED and (rows["weight"] != 1.0).any():
        raise DataError(f"the rule {rule} does not know weights. Use {listing(WEIGHTED)}.")
    return RULES[rule](rows)


def expected_grades(rows: pl.DataFrame) -> pl.DataFrame:
    """One row for each document: the mean of its grades by weight."""
    return _mean(rows)


def rows_of_judges(judges: Any, columns: Mapping[str, str] | None = None) -> pl.DataFrame:
    """Query, document, grade and weight of every row of every judge, ids as text."""
    return pl.concat([_rows(source, columns) for source in named_judges(judges).values()])


def _rows(source: Any, columns: Mapping[str, str] | None) -> pl.DataFrame:
    """Query, document, grade and weight of every row."""
    weighted = weighted_rows(source, columns)
    frame = judged_rows(source, columns).frame if weighted is None else weighted
    keys = [pl.col(role).cast(pl.String) for role in _ALL]
    weight = pl.col("weight") if weighted is not None else pl.lit(1.0)
    return frame.select(*keys, "grade", weight.alias("weight"))


def _grouped(rows: pl.DataFrame, grade: pl.Expr) -> pl.DataFrame:
    return rows.group_by(_ALL, maintain_order=True).agg(grade.alias("grade"))


def _majority(rows: pl.DataFrame) -> pl.DataFrame:
    totals = rows.group_by(*_ALL, "grade", maintain_order=True).agg(pl.col("weight").sum())
    # Sums of weights such as 0.1 + 0.2 and 0.3 are meant to be the same.
    return (
        _grouped(totals.with_columns(pl.col("weight").round(12)).sort("grade"), _of_most_weight())
        .join(rows.select(_ALL).unique(maintain_order=True), on=_ALL, how="right", maintain_order="right")
        .select(*_ALL, "grade")
    )


def _of_most_weight() -> pl.Expr:
    """The grade of the highest weight in a group that is sorted by grade: the lowest one of several."""
    return pl.col("grade").gather(pl.col("weight").arg_max()).first()


def _mean(rows: pl.DataFrame) -> pl.DataFrame:
    return _grouped(rows, (pl.col("grade") * pl.col("weight")).sum() / pl.col("weight").sum())


def _median(rows: pl.DataFrame) -> pl.DataFrame:
    return _grouped(rows, pl.col("grade").quantile(0.5, interpolation="lower"))


RULES: dict[str, Callable[[pl.DataFrame], pl.DataFrame]] = {
    "majority": _majority,
    "mean": _mean,
    "median": _median,
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
    repeated = rows.select(pl.struct(_ALL).is_duplicated()).to_series()
    if repeated.any():
        query, document, *_ = rows.row(int(repeated.arg_max() or 0))
        raise DataError(
            f"document {document!r} of query {query!r} has several grades. Choose a rule that makes one of them:"
            " majority, for example."
        )


def _by_function(rows: pl.DataFrame, rule: Callable[[Sequence[float]], float]) -> pl.DataFrame:
    groups = rows.group_by(_ALL, maintain_order=True).agg(pl.col("grade"))
    grades = []
    for query, document, given in groups.iter_rows():
        grade = rule(given)
        if isinstance(grade, bool) or not isinstance(grade, (int, float)) or not math.isfinite(grade):
            raise DataError(f"the rule gives {brief(grade)} for document {document!r} of query {query!r}, not a grade.")
        grades.append(float(grade))
    return groups.with_columns(pl.Series("grade", grades, dtype=pl.Float64))
