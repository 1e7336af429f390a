"""Judgements, a run and thresholds in, a Check out: whether the run is good enough, and no worse than before."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from rankgold.comparison.result import ALPHA, p_relation
from rankgold.data.data_log import DataLog
from rankgold.data.inputs import is_path
from rankgold.data.parents import ParentRule
from rankgold.data.topics import Topics
from rankgold.engines.protocol import EvaluateKeywords
from rankgold.errors import CheckError, listing
from rankgold.evaluation import hits_of_runs
from rankgold.gate.baselines import Conditions, run_of_saved
from rankgold.gate.reasons import Evidence, worst_queries
from rankgold.gate.result import Check, Finding
from rankgold.gate.settings import CheckSettings
from rankgold.gate.thresholds import Threshold, thresholds_of
from rankgold.scoring.provenance import options_of
from rankgold.scoring.saved_scores import is_saved_scores
from rankgold.scoring.scores import Scores
from rankgold.scoring.values import policy_with_depth, score_all

if TYPE_CHECKING:
    from typing_extensions import Unpack

_NO_FINGERPRINT = "The baseline was saved without a fingerprint: if its judgements were others, nobody can tell."
_OTHER = "The judgements may be others than those of the baseline, which was allowed."


def check(
    qrels: Any,
    run: Any,
    *,
    min: Any = None,
    max: Any = None,
    max_drop: Any = None,
    baseline: Any = None,
    significant: bool = False,
    config: str | os.PathLike[str] | None = None,
    worst: int = 3,
    queries: Mapping[Any, str] | None = None,
    other_judgements: bool = False,
    **keywords: Unpack[EvaluateKeywords],
) -> Check:
    """Is a run good enough, and no worse than before? The result `holds`, or says why not.

    - `min` and `max` are limits of means, and `max_drop` how much worse than the `baseline` one may be: dicts from
      measure to number.
    - `baseline` is a run, Scores, or a file of saved scores. Saved scores must be of the same judgements and policy;
      `other_judgements=True` compares all the same. Without a `max_drop`, no measure may fall significantly: ndcg@10,
      or those of saved scores.
    - With `significant`, a fall counts only if it is hardly chance: p below 0.05 in a randomisation test, corrected
      by Holm for the number of measures.
    - `config` is a TOML file with these choices. If there is none and no threshold is given, they come from
      `tool.rankgold.check` in the nearest pyproject.toml.
    - `worst` is how many queries are named for a threshold that fails; `queries` has their texts.

    Other keywords are those of `evaluate`.

    >>> qrels, old, new = {"q1": {"d": 1}}, {"q1": {"d": 2, "e": 1}}, {"q1": {"d": 1, "e": 2}}
    >>> found = check(qrels, new, baseline=old, max_drop={"rr": 0.1})
    >>> found.holds, found.failures[0].reason
    (False, 'rr fell by 0.5000, from 1.0000 to 0.5000; a fall of 0.1 is allowed.')
    >>> print(found.failures[0].worst[0])
    q1 -0.500: d (grade 1) fell from 1 to 2: -0.500
    """
    given = {"min": min, "max": max, "max_drop": max_drop, "baseline": baseline, "significant": significant}
    settings = CheckSettings.of(given, config)
    pair = _Pair.of(qrels, run, settings, other_judgements, dict(keywords))
    texts = {str(query): str(text) for query, text in (queries or {}).items()}
    evidence = replace(pair.evidence, texts=texts, most=worst)
    findings = list(_findings(pair.settings, pair.scores, evidence))
    new = pair.scores.runs[-1]
    return Check(findings, pair.scores[new], pair.scores.runs[0] if pair.is_compared else None, pair.doubts)


@dataclass(frozen=True, slots=True, eq=False)
class _Pair:
    """The scores of the baseline, if there is one, and of the run."""

    settings: CheckSettings
    scores: Scores
    evidence: Evidence
    doubts: tuple[str, ...] = ()

    @property
    def is_compared(self) -> bool:
        return len(self.scores.runs) > 1

    @classmethod
    def of(
        cls, qrels: Any, run: Any, settings: CheckSettings, other_judgements: bool, keywords: dict[str, Any]
    ) -> _Pair:
        old, saved = settings.baseline, None
        if isinstance(old, Scores) or is_saved_scores(old):
            saved = old if isinstance(old, Scores) else Scores.from_json(old)
        settings = _with_default(settings, saved)
        measures = {str(line.measure): line.measure for line in settings.thresholds}
        policy = keywords.pop("policy", None)
        policy = policy_with_depth(settings.policy if policy is None else policy, keywords.pop("depth", None))
        if keywords.pop("rel", None) is not None:
            raise CheckError("rel is a part of a measure here: 'ap(rel=2)=0.3'.")
        log = DataLog(asked=saved is not None)
        runs = run
        if old is not None and saved is None:
            runs = [old, run] if is_path(old) and is_path(run) else {"baseline": old, "run": run}
        hits = list(hits_of_runs(qrels, runs, policy=policy, log=log, **keywords))
        wanted = 1 if runs is run else 2
        if len(hits) != wanted:
            raise CheckError(
                f"There are {len(hits)} runs ({listing(found.name for found in hits)}). Check them one by one."
            )
        scores = score_all(hits, measures)
        if saved is None:
            return cls(settings, scores, Evidence(hits[-1], hits[0] if wanted == 2 else None))
        parent, topics = ParentRule.of(keywords.get("parent")), Topics.of(keywords.get("topics"))
        options = options_of(parent, topics, keywords.get("exclude") is not None)
        now = Conditions(measures, policy, log.judgements.fingerprint, options)
        before = run_of_saved(saved, scores.runs[0], now, other_judgements=other_judgements)
        name = f"{before.name} (saved)" if before.name == scores.runs[0] else before.name
        doubts = [_OTHER] if other_judgements else [] if saved.provenance.judgements else [_NO_FINGERPRINT]
        both = [replace(before, name=name), scores.run_scores(scores.runs[0])]
        return cls(settings, scores.of_runs(both), Evidence(hits[0]), tuple(doubts))


def _with_default(settings: CheckSettings, saved: Scores | None) -> CheckSettings:
    """The settings; with a baseline and no threshold, no measure may fall significantly."""
    if settings.thresholds:
        return settings
    measures = ["ndcg@10"] if saved is None else [str(measure) for measure in saved.measures.values()]
    lines = thresholds_of("max_drop", dict.fromkeys(measures, 0.0))
    return replace(settings, thresholds=tuple(lines), significant=True)


def _findings(settings: CheckSettings, scores: Scores, evidence: Evidence, slice_: str = "") -> Iterator[Finding]:
    """What is found for each threshold; `scores` are of the baseline, if there is one, and of the run."""
    new = scores.run_scores(scores.runs[-1])
    old = scores.run_scores(scores.runs[0]) if len(scores.runs) > 1 else None
    p_of = _p_values(settings, scores) if settings.significant and old is not None else {}
    for line in settings.thresholds:
        label = str(line.measure)
        value = new.means[label]
        before = old.means[label] if old is not None and line.kind == "max_drop" else math.nan
        p = p_of.get(label, math.nan) if line.kind == "max_drop" else math.nan
        crossed = line.is_crossed(before, value)
        is_chance = settings.significant and line.kind == "max_drop" and not p < ALPHA and not math.isnan(value)
        found = Finding(
            line,
            holds=not crossed or is_chance,
            reason=_reason(line, value, before, p, crossed),
            value=value,
            before=before,
            p=p,
            queries=len(new.queries),
            slice=slice_,
        )
        yield found if found.holds else replace(found, worst=worst_queries(line, new, old, evidence))


def _p_values(settings: CheckSettings, scores: Scores) -> dict[str, float]:
    """Measure -> the corrected p-value of the difference."""
    if not scores.has_queries:
        raise CheckError(
            "The baseline was saved without the values of its queries, so no fall can be tested. Save it with --save,"
            " or leave significant out."
        )
    labels = {str(line.measure) for line in settings.thresholds if line.kind == "max_drop"}
    compared = replace(scores, measures={label: scores.measures[label] for label in scores.measures if label in labels})
    return {row.measure: row.p_corrected for row in compared.compare(baseline=scores.runs[0])}


def _reason(line: Threshold, value: float, before: float, p: float, crossed: bool) -> str:
    measure = str(line.measure)
    if math.isnan(value) or (line.kind == "max_drop" and math.isnan(before)):
        return f"{measure} is undefined{'' if math.isnan(value) else ' for the baseline'}."
    if line.kind != "max_drop":
        side = {("min", True): "below", ("max", True): "above"}.get((line.kind, crossed), "within")
        return f"{measure} is {value:.4f}, {side} the limit of {line.limit:g}."
    drop = line.drop(before, value)
    if drop <= 0:
        return f"{measure} did not get worse: {before:.4f} before, {value:.4f} now."
    verb = "fell" if line.measure.higher_is_better else "rose"
    noun = "fall" if line.measure.higher_is_better else "rise"
    sentence = (
        f"{measure} {verb} by {drop:.4f}, from {before:.4f} to {value:.4f}; a {noun} of {line.limit:g} is allowed"
    )
    if math.isnan(p):
        return f"{sentence}."
    return f"{sentence}{'' if p < ALPHA else ', and this one may be chance'} (p {p_relation(p)})."
