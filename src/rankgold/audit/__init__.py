"""Checks data, scores and published numbers: doctor, check, verify, reconcile."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import os
    from collections.abc import Iterable, Mapping

    from rankgold.audit.findings import Diagnosis
    from rankgold.audit.gate_result import Check
    from rankgold.audit.reconciliation_result import Reconciliation
    from rankgold.audit.verification import Verification
    from rankgold.core.accepted import By, EngineLike, Judgements, Measures, QueryIds, Runs, SeenDocuments, TextsById
    from rankgold.core.policy import Policy
    from rankgold.data.selection import Parent
    from rankgold.engines.protocol import Progress
    from rankgold.measures.metric import Measure
    from rankgold.scoring.scores import Scores


def doctor(
    qrels: Judgements,
    runs: Runs | None = None,
    measures: Measures | None = None,
    *,
    train: Runs | None = None,
    scale: tuple[float, float] | None = None,
    ignore: Iterable[str] = (),
    policy: Policy | str | None = None,
    topics: QueryIds | None = None,
    depth: int | None = None,
    rel: float | None = None,
    exclude: SeenDocuments | None = None,
    parent: Parent | None = None,
    columns: Mapping[str, str] | None = None,
    by: By | None = None,
    engine: EngineLike | None = None,
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
    from rankgold.audit.examination import examined
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request

    refuse("doctor", by=by)
    request = Request.of({"qrels": qrels, "run": runs, "train": train}, policy=policy, topics=topics, depth=depth,
        rel=rel, exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return examined(request, measures, scale, ignore)


@dataclass(frozen=True, slots=True)
class Baseline:
    """What a run is checked against, and whether its judgements may differ."""

    source: Any
    """A run, Scores, or a file of saved scores."""
    other_judgements: bool = False
    """Compare with saved scores, even if their judgements differ."""


def check(
    qrels: Judgements,
    run: Runs,
    *,
    min: Mapping[str, float] | Iterable[str] | None = None,
    max: Mapping[str, float] | Iterable[str] | None = None,
    max_drop: Mapping[str, float] | Iterable[str] | None = None,
    baseline: Runs | Scores | Baseline | None = None,
    significant: bool = False,
    config: str | os.PathLike[str] | None = None,
    worst: int = 3,
    query_texts: TextsById | None = None,
    policy: Policy | str | None = None,
    topics: QueryIds | None = None,
    depth: int | None = None,
    rel: float | None = None,
    exclude: SeenDocuments | None = None,
    parent: Parent | None = None,
    columns: Mapping[str, str] | None = None,
    by: By | None = None,
    engine: EngineLike | None = None,
    progress: Progress | None = None,
) -> Check:
    """Checks whether a run is good enough and no worse than before. The result `holds`, or shows why not.

    - `min` and `max` are limits of means, and `max_drop` how much worse than the `baseline` one may be: dicts from
      measure to number, or texts such as "ndcg@10=0.35".
    - `baseline` is a run, Scores, or a file of saved scores. Saved scores must be of the same judgements and policy;
      `Baseline("old.json", other_judgements=True)` compares all the same. Whether the judgements are the same is seen
      by the fingerprint, which scores of Python have after `evaluate(..., fingerprint=True)`; a doubt says so if there
      is none. Without a threshold, no measure may fall significantly: ndcg@10, or those of saved scores.
    - With `significant`, a fall counts only if it is hardly chance: p below 0.05 in a randomisation test, corrected
      by Holm for the number of measures and slices.
    - `by` divides the queries into slices, as in `evaluate`: no slice may fall by more than `max_drop` either.
    - `config` is a TOML file with these choices; default: `tool.rankgold.check` in the nearest pyproject.toml.
      Thresholds that are given replace those of the file.
    - `worst` is how many queries are named for a threshold that fails; `query_texts` has their texts.

    Other keywords are those of `evaluate`, but for `rel`, which is a part of measures here: `{"ap(rel=2)": 0.3}`.

    >>> qrels, old, new = {"q1": {"d": 1}}, {"q1": {"d": 2, "e": 1}}, {"q1": {"d": 1, "e": 2}}
    >>> found = check(qrels, new, baseline=old, max_drop={"rr": 0.1})
    >>> found.holds, found.failures[0].reason
    (False, 'rr fell by 0.5000, from 1.0000 to 0.5000; a fall of 0.1 is allowed.')
    >>> print(found.failures[0].worst[0])
    q1 -0.500: d (grade 1) fell from 1 to 2: -0.500
    """
    from rankgold.audit.regression_gate import checked
    from rankgold.audit.thresholds import CheckSettings
    from rankgold.core.errors import CheckError
    from rankgold.engines.request import Request

    if rel is not None:
        raise CheckError("rel belongs in the measure here: 'ap(rel=2)=0.3'.")
    given = {"min": min, "max": max, "max_drop": max_drop, "baseline": baseline, "significant": significant}
    settings = CheckSettings.of({**given, "policy": policy, "slices": by}, config)
    request = Request.of({"qrels": qrels, "run": run, "baseline": settings.baseline}, policy=settings.policy,
        topics=topics, depth=depth, exclude=exclude, parent=parent, columns=columns, by=settings.slices, engine=engine,
        progress=progress)  # fmt: skip
    return checked(request, settings, worst, query_texts)


def verify(
    saved: Scores | str | os.PathLike[str],
    qrels: Judgements,
    runs: Runs | None = None,
    measures: Measures | None = None,
    *,
    policy: Policy | str | None = None,
    topics: QueryIds | None = None,
    depth: int | None = None,
    rel: float | None = None,
    exclude: SeenDocuments | None = None,
    parent: Parent | None = None,
    columns: Mapping[str, str] | None = None,
    by: By | None = None,
    engine: EngineLike | None = None,
    progress: Progress | None = None,
) -> Verification:
    """Recomputes saved scores and shows what changed: data, policy, measures, version, or nothing.

    `saved` is what `Scores.to_json` returned, a file of it, or Scores. Measures, policy, topics and a separator of
    chunks are those of the saved scores, unless others are given. The keywords are those of `evaluate`. Changed data
    are seen if the scores were saved with fingerprints: at the shell always, in Python with `fingerprint=True`.

    >>> import rankgold
    >>> qrels, run = {"q1": {"d1": 1}}, {"q1": {"d1": 0.5, "d2": 0.9}}
    >>> saved = rankgold.evaluate(qrels, run, ["rr"], fingerprint=True).to_json()
    >>> verify(saved, qrels, run)
    Nothing changed: all scores are the same.
    >>> verify(saved, qrels, {"q1": {"d1": 0.9, "d2": 0.5}}).changed
    ['data']
    """
    from rankgold.audit.verification import verified, with_saved_options
    from rankgold.engines.request import Request
    from rankgold.scoring.scores import Scores

    before = saved if isinstance(saved, Scores) else Scores.from_json(saved)
    request = Request.of({"qrels": qrels, "run": runs},
        policy=before.policy if policy is None and depth is None else policy, depth=depth, rel=rel, columns=columns,
        by=by, engine=engine, progress=progress,
        **with_saved_options({"topics": topics, "exclude": exclude, "parent": parent}, before))  # fmt: skip
    return verified(before, request, measures)


def reconcile(
    qrels: Judgements,
    run: Runs,
    measure: str | Measure = "ndcg@10",
    value: float | str | None = None,
    *,
    per_query: str | os.PathLike[str] | Mapping[Any, Any] | None = None,
    digits: int | None = None,
    exhaustive: bool = False,
    policy: Policy | str | None = None,
    topics: QueryIds | None = None,
    depth: int | None = None,
    rel: float | None = None,
    exclude: SeenDocuments | None = None,
    parent: Parent | None = None,
    columns: Mapping[str, str] | None = None,
    by: By | None = None,
    engine: EngineLike | None = None,
    progress: Progress | None = None,
) -> Reconciliation:
    """Finds the convention that gives a number, trying the dialects of all tools, single deviations, then pairs.

    Pairs are tried if nothing simpler gives the number, or if the search is `exhaustive`.

    `value` is the number that another tool gave, with as many digits as it is known with: 0.412 stands for all numbers
    that are rounded to it. As text it keeps zeros at the end, and `digits` says how many decimals count otherwise.
    `per_query` has the values of queries: a dict, or a file as trec_eval -q and other tools write it. `policy` is where
    the search starts. The other keywords are those of `evaluate`, but for `by`.

    >>> found = reconcile({"u": [1, 2, 4]}, {"u": [1, 3, 2, 6]}, "ap@2", 0.5)
    >>> found.matches[0].measure, "spark" in found.matches[0].tools
    ('ap(norm=min)@2', True)
    """
    from rankgold.audit.convention_search import reconciled
    from rankgold.core.errors import refuse
    from rankgold.engines.request import Request

    refuse("reconcile", by=by)
    request = Request.of({"qrels": qrels, "run": run}, policy=policy, topics=topics, depth=depth, rel=rel,
        exclude=exclude, parent=parent, columns=columns, engine=engine, progress=progress)  # fmt: skip
    return reconciled(request, measure, value, per_query, digits, exhaustive=exhaustive)
