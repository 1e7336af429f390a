"""Judgements, a run and thresholds in, a Check out: whether the run is good enough, and no worse than before."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Unpack

from rankgold.comparison.result import ALPHA, p_relation
from rankgold.comparison.run_diff import texts_by_query
from rankgold.engines.protocol import MatchKeywords
from rankgold.errors import CheckError, brief, check_whole_number
from rankgold.evaluation import takes_keywords
from rankgold.gate.compared_runs import ComparedRuns
from rankgold.gate.reasons import Evidence, worst_queries
from rankgold.gate.result import Check, ThresholdFinding
from rankgold.gate.settings import CheckSettings
from rankgold.gate.significance import p_values
from rankgold.gate.thresholds import Threshold
from rankgold.scoring.scores import Scores


class CheckKeywords(MatchKeywords, total=False):
    """All keywords of `check` besides its own."""

    rel: float | None
    by: Any


@takes_keywords(CheckKeywords)
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
    **keywords: Unpack[CheckKeywords],
) -> Check:
    """Checks whether a run is good enough and no worse than before. The result `holds`, or shows why not.

    - `min` and `max` are limits of means, and `max_drop` how much worse than the `baseline` one may be: dicts from
      measure to number.
    - `baseline` is a run, Scores, or a file of saved scores. Saved scores must be of the same judgements and policy;
      `other_judgements=True` compares all the same. Whether the judgements are the same is seen by the fingerprint,
      which scores of Python have after `evaluate(..., fingerprint=True)`; a doubt says so if there is none. Without a
      threshold, no measure may fall significantly: ndcg@10, or those of saved scores.
    - With `significant`, a fall counts only if it is hardly chance: p below 0.05 in a randomisation test, corrected
      by Holm for the number of measures and slices.
    - `by` divides the queries into slices, as in `evaluate`: no slice may fall by more than `max_drop` either.
    - `config` is a TOML file with these choices; default: `tool.rankgold.check` in the nearest pyproject.toml.
      Thresholds that are given replace those of the file.
    - `worst` is how many queries are named for a threshold that fails; `queries` has their texts.

    Other keywords are those of `evaluate`.

    >>> qrels, old, new = {"q1": {"d": 1}}, {"q1": {"d": 2, "e": 1}}, {"q1": {"d": 1, "e": 2}}
    >>> found = check(qrels, new, baseline=old, max_drop={"rr": 0.1})
    >>> found.holds, found.failures[0].reason
    (False, 'rr fell by 0.5000, from 1.0000 to 0.5000; a fall of 0.1 is allowed.')
    >>> print(found.failures[0].worst[0])
    q1 -0.500: d (grade 1) fell from 1 to 2: -0.500
    """
    worst = check_whole_number("worst", worst, 0, error=CheckError)
    texts = texts_by_query(queries, CheckError)
    for name, choice in (("significant", significant), ("other_judgements", other_judgements)):
        if not isinstance(choice, bool):
            raise CheckError(f"{name} must be True or False, not {brief(choice)}.")
    given = {"min": min, "max": max, "max_drop": max_drop, "baseline": baseline, "significant": significant}
    given |= {"policy": keywords.pop("policy", None), "slices": keywords.pop("by", None)}
    settings = CheckSettings.of(given, config)
    runs = ComparedRuns.of(qrels, run, settings, dict(keywords), other_judgements=other_judgements)
    evidence = replace(runs.evidence, texts=texts, most=worst)
    if (progress := keywords.get("progress")) is not None:
        progress("comparing", 0.0, 0)
    findings = list(_findings(runs.settings, runs.parts, evidence))
    return Check(findings, runs.scores[runs.scores.runs[-1]], runs.baseline, runs.doubts)


def _findings(
    settings: CheckSettings, parts: Sequence[tuple[str, Scores]], evidence: Evidence
) -> Iterator[ThresholdFinding]:
    """What is found for each threshold, for all queries first. In slices, only falls are looked at.

    The scores of each part are of the baseline, if there is one, and of the run.
    """
    falls = [str(line.measure) for line in settings.thresholds if line.kind == "max_drop"]
    p_of = p_values(parts, falls) if settings.significant and falls else {}
    for title, scores in parts:
        for line in settings.thresholds:
            if line.kind == "max_drop" or not title:
                p = p_of.get((title, str(line.measure)), math.nan) if line.kind == "max_drop" else math.nan
                yield _finding(line, scores, evidence, p, title)


def _finding(line: Threshold, scores: Scores, evidence: Evidence, p: float, title: str) -> ThresholdFinding:
    """What is found for a threshold; `p` is NaN if a fall need not be significant."""
    label = str(line.measure)
    new = scores.run_scores(scores.runs[-1])
    old = scores.run_scores(scores.runs[0]) if line.kind == "max_drop" else None
    value, before = new.means[label], math.nan if old is None else old.means[label]
    crossed = line.is_crossed(before, value)
    is_chance = p >= ALPHA  # what is undefined, or cannot be tested, is not chance
    found = ThresholdFinding(
        line,
        holds=not crossed or is_chance,
        reason=_reason(line, value, before, p, crossed),
        value=value,
        before=before,
        p=p,
        queries=len(new.queries),
        slice=title,
    )
    return found if found.holds else replace(found, worst=worst_queries(line, new, old, evidence))


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
    verb, noun = ("fell", "fall") if line.measure.higher_is_better else ("rose", "rise")
    sentence = (
        f"{measure} {verb} by {drop:.4f}, from {before:.4f} to {value:.4f}; a {noun} of {line.limit:g} is allowed"
    )
    if math.isnan(p):
        return f"{sentence}."
    return f"{sentence}{'' if p < ALPHA else ', and this one may be chance'} (p {p_relation(p)})."
