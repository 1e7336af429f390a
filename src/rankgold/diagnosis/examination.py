"""Judgements and runs in any form in, a Diagnosis out: every check is made, and each finding is measured."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any

from rankgold.data.pairs import read_pairs
from rankgold.data.parents import Parent, ParentRule
from rankgold.diagnosis.checks import CHECKS
from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun, InspectedRows
from rankgold.diagnosis.readable_rows import (
    check_exists,
    inspected_judgements,
    inspected_runs,
    inspected_table,
    nothing_judged,
    with_documents,
)
from rankgold.diagnosis.registry import chosen_checks
from rankgold.diagnosis.result import Diagnosis
from rankgold.engines.protocol import Progress
from rankgold.errors import DataError
from rankgold.forked_process import check_polars
from rankgold.policy import Policy
from rankgold.scoring.values import measures_by_label


def doctor(
    qrels: Any,
    runs: Any = None,
    measures: Any = None,
    *,
    train: Any = None,
    scale: tuple[float, float] | None = None,
    rel: float | None = None,
    policy: Policy | str | None = None,
    columns: Mapping[str, str] | None = None,
    parent: Parent | None = None,
    ignore: Iterable[str] = (),
    progress: Progress | None = None,
) -> Diagnosis:
    """Checks judgements and runs for problems, shows how each changes the scores, and suggests a fix.

    `qrels`, `runs`, `rel`, `policy`, `columns` and `parent` are what `evaluate` takes. Without runs, it checks
    judgements alone, or one table with grades and scores. Rows that `evaluate` refuses are findings, not errors.
    The effect of a finding is measured: `measures` are computed with the data as they are and with the change. `train`
    is what users had, in any form: it should not be recommended again. `scale` is the lowest and the highest grade that
    there should be. `ignore` names checks to leave out.

    >>> found = doctor({"q1": {"d1": 1}}, {"Q1": {"d1": 0.9}}, "ap")
    >>> [(finding.check, finding.severity) for finding in found.findings]
    [('nothing_in_common', 'error'), ('id_case', 'error')]
    >>> found.findings[1].effect.values
    {'ap': (nan, 1.0)}
    """
    check_polars()
    decided = Policy.of(policy).taking_repeats()
    wanted = measures_by_label(measures, rel=rel, dialect=decided.dialect)
    checks, scale, rule = chosen_checks(ignore), _checked_scale(scale), ParentRule.of(parent)
    report = progress or (lambda *_: None)
    report("reading judgements", 0.0, 0)
    check_exists(qrels)
    table = inspected_table(qrels, columns) if runs is None else None
    try:
        judged, ranked = table or (inspected_judgements(qrels, columns), {})
    except DataError as error:
        nothing = ExaminedData(InspectedRows("", nothing_judged()), [], wanted, decided, unreadable=(error,))
        return Diagnosis(CHECKS["unreadable"].findings(nothing), {}, 0)
    unreadable: list[DataError] = []
    if runs is not None:
        report("reading runs", 0.0, 0)
        ranked, unreadable = inspected_runs(runs, columns)
    if rule is not None:
        ranked = {name: with_documents(rows, rule) for name, rows in ranked.items()}
    examined = [ExaminedRun(name, rows, judged.table, wanted, decided) for name, rows in ranked.items()]
    seen = None if train is None else read_pairs(train, columns)
    collection = ExaminedData(judged, examined, wanted, decided, scale, seen, tuple(unreadable))
    findings = []
    for number, check in enumerate(checks):
        report("looking for faults", number / len(checks), 0)
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
