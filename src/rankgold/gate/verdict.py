"""Judgements, a run and thresholds in, a Check out: whether the run is good enough, and no worse than before."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rankgold.comparison.result import ALPHA, p_relation
from rankgold.comparison.run_diff import texts_by_query
from rankgold.engines.request import Request
from rankgold.errors import CheckError, check_whole_number
from rankgold.gate.compared_runs import ComparedRuns
from rankgold.gate.reasons import Evidence, worst_queries
from rankgold.gate.result import Check, ThresholdFinding
from rankgold.gate.settings import CheckSettings
from rankgold.gate.significance import p_values
from rankgold.gate.thresholds import Threshold
from rankgold.scoring.scores import Scores


def checked(request: Request, settings: CheckSettings, worst: int, query_texts: Mapping[Any, str] | None) -> Check:
    """What is found for each threshold, with the data of a request."""
    worst = check_whole_number("worst", worst, 0, error=CheckError)
    texts = texts_by_query(query_texts, CheckError)
    runs = ComparedRuns.of(request, settings)
    evidence = replace(runs.evidence, texts=texts, most=worst)
    request.report("comparing")
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
