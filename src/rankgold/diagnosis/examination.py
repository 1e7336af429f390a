"""Judgements and runs in any form in, a Diagnosis out: every check is made, and each finding is measured."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from rankgold.data.pairs import read_pairs
from rankgold.diagnosis.checks import CHECKS
from rankgold.diagnosis.collection import Collection, Evaluated, InspectedRows, RankedRun
from rankgold.diagnosis.reading import check_exists, inspected_judgements, inspected_runs, nothing_judged
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
    ignore: Iterable[str] = (),
    progress: Progress | None = None,
) -> Diagnosis:
    """Looks judgements and runs over before anyone scores them: what is wrong, what it moves, and what to do.

    `qrels` and `runs` are what `evaluate` takes; without runs, the judgements alone are looked over. Rows that
    `evaluate` refuses are findings, and do not end it. The effect of a finding is measured: `measures` are computed
    with the data as they are and with the change. `train` is what users had, in any form: it should not be recommended
    again. `scale` is the lowest and the highest grade that there should be. `ignore` names checks to leave out.

    >>> found = doctor({"q1": {"d1": 1}}, {"Q1": {"d1": 0.9}}, "ap")
    >>> [(finding.check, finding.severity) for finding in found.findings]
    [('nothing_in_common', 'error'), ('id_case', 'error')]
    >>> found.findings[1].effect.values
    {'ap': (nan, 1.0)}
    """
    check_polars()
    wanted = measures_by_label(measures, rel=rel)
    decided = replace(Policy.of(policy), duplicates="first") if _refuses(policy) else Policy.of(policy)
    checks = chosen_checks(ignore)
    report = progress or (lambda *_: None)
    report("reading judgements", 0.0, 0)
    check_exists(qrels)
    scale = _checked_scale(scale)
    try:
        judged = inspected_judgements(qrels, columns)
    except DataError as error:
        unread = InspectedRows("", nothing_judged())
        found = Collection(unread, [], wanted, decided, unreadable=(error,))
        return Diagnosis(CHECKS["unreadable"].findings(found), {}, 0)
    report("reading runs", 0.0, 0)
    known, unreadable = ({}, []) if runs is None else inspected_runs(runs, columns)
    ranked = [
        RankedRun(name, rows, Evaluated(judged.table, rows.table, wanted, decided)) for name, rows in known.items()
    ]
    seen = None if train is None else read_pairs(train, columns)
    collection = Collection(judged, ranked, wanted, decided, scale, seen, tuple(error for _, error in unreadable))
    findings = []
    for number, check in enumerate(checks):
        report("looking for faults", number / len(checks), 0)
        findings += check.findings(collection)
    sizes = {name: rows.table.frame.height for name, rows in known.items()}
    return Diagnosis(findings, sizes, judged.table.frame.height)


def _refuses(policy: Policy | str | None) -> bool:
    return Policy.of(policy).duplicates == "error"


def _checked_scale(scale: Any) -> tuple[float, float] | None:
    if scale is None:
        return None
    try:
        low, high = (float(grade) for grade in scale)
    except (TypeError, ValueError):
        raise DataError(f"scale is the lowest and the highest grade, such as (0, 3), not {scale!r}.") from None
    if not (math.isfinite(low) and math.isfinite(high) and low < high):
        raise DataError(f"scale is the lowest grade and then a higher one, such as (0, 3), not {scale!r}.")
    return low, high
