"""Judgements and runs in any form in, a Diagnosis out: every check is made, and each finding is measured."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from rankgold.accepted import Measures
from rankgold.data.pairs import read_pairs
from rankgold.diagnosis.checks import CHECKS
from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun, InspectedRows
from rankgold.diagnosis.readable_rows import (
    check_exists,
    inspected_judgements,
    inspected_runs,
    inspected_table,
    nothing_judged,
    of_topics,
    with_documents,
    without_pairs,
)
from rankgold.diagnosis.registry import chosen_checks
from rankgold.diagnosis.result import Diagnosis
from rankgold.engines.fetched_data import read_here
from rankgold.engines.request import Request
from rankgold.errors import DataError
from rankgold.forked_process import check_polars
from rankgold.scoring.values import measures_by_label


def examined(
    request: Request, measures: Measures | None, scale: tuple[float, float] | None, ignore: Iterable[str]
) -> Diagnosis:
    """What the checks find in the data of a request."""
    check_polars()
    decided, columns = request.policy.taking_repeats(), request.columns
    wanted = measures_by_label(measures, rel=request.rel, dialect=decided.dialect)
    checks, scale = chosen_checks(ignore), _checked_scale(scale)
    request.report("reading judgements")
    request = read_here(request)
    qrels, runs, train = request.qrels, request.run, request.data["train"]
    check_exists(qrels)
    table = inspected_table(qrels, columns) if runs is None else None
    try:
        judged, ranked = table or (inspected_judgements(qrels, columns), {})
    except DataError as error:
        nothing = ExaminedData(InspectedRows("", nothing_judged()), [], wanted, decided, unreadable=(error,))
        return Diagnosis(CHECKS["unreadable"].findings(nothing), {}, 0)
    unreadable: list[DataError] = []
    if runs is not None:
        request.report("reading runs")
        ranked, unreadable = inspected_runs(runs, columns)
    if request.topics is not None:
        judged = of_topics(judged, request.topics)
        ranked = {name: of_topics(rows, request.topics) for name, rows in ranked.items()}
    if request.parent is not None:
        ranked = {name: with_documents(rows, request.parent) for name, rows in ranked.items()}
    if request.exclude is not None:
        excluded = read_pairs(request.exclude, columns)
        ranked = {name: without_pairs(rows, excluded) for name, rows in ranked.items()}
    examined = [ExaminedRun(name, rows, judged.table, wanted, decided) for name, rows in ranked.items()]
    seen = None if train is None else read_pairs(train, columns)
    collection = ExaminedData(judged, examined, wanted, decided, scale, seen, tuple(unreadable))
    findings = []
    for number, check in enumerate(checks):
        request.report("looking for faults", number / len(checks))
        findings += check.findings(collection)
    sizes = {run.name: run.frame.height for run in examined}
    return Diagnosis(findings, sizes, collection.judgements.height)


def _checked_scale(scale: Any) -> tuple[float, float] | None:
    if scale is None:
        return None
    try:
        low, high = (float(grade) for grade in scale)
    except (TypeError, ValueError):
        raise DataError(f"scale must be the lowest and the highest grade, such as (0, 3), not {scale!r}.") from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise DataError(f"scale must be the lowest grade and then a higher one, such as (0, 3), not {scale!r}.")
    return low, high
