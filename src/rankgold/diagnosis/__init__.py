"""Checks judgements and runs before anyone scores them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from rankgold.data.parents import Parent
    from rankgold.diagnosis.result import Diagnosis
    from rankgold.engines.protocol import Progress
    from rankgold.policy import Policy


def doctor(
    qrels: Any,
    runs: Any = None,
    measures: Any = None,
    *,
    train: Any = None,
    scale: tuple[float, float] | None = None,
    ignore: Iterable[str] = (),
    policy: Policy | str | None = None,
    topics: Any = None,
    depth: int | None = None,
    rel: float | None = None,
    exclude: Any = None,
    parent: Parent | None = None,
    columns: Mapping[str, str] | None = None,
    by: Any = None,
    engine: Any = None,
    progress: Progress | None = None,
) -> Diagnosis:
    """Checks judgements and runs for problems, shows how each changes the scores, and suggests a fix.

    Without runs, it checks judgements alone, or one table with grades and scores. Rows that `evaluate` refuses are
    findings, not errors. The effect of a finding is measured: `measures` are computed with the data as they are and
    with the change. `train` is what users had, in any form: it should not be recommended again. `scale` is the lowest
    and the highest grade that there should be. `ignore` names checks to leave out. The other keywords are those of
    `evaluate`, but for `by`; with `topics`, rows of other queries are not looked at.

    >>> found = doctor({"q1": {"d1": 1}}, {"Q1": {"d1": 0.9}}, "ap")
    >>> [(finding.check, finding.severity) for finding in found.findings]
    [('nothing_in_common', 'error'), ('id_case', 'error')]
    >>> found.findings[1].effect.values
    {'ap': (nan, 1.0)}
    """
    from rankgold.diagnosis.examination import examined
    from rankgold.engines.request import Request
    from rankgold.errors import refuse

    refuse("doctor", by=by)
    request = Request.of({"qrels": qrels, "run": runs, "train": train}, policy=policy, topics=topics, depth=depth,
        rel=rel, exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return examined(request, measures, scale, ignore)
