"""Decides whether a run holds its thresholds."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np

from rankgold.audit.baselines import ComparedRuns, Evidence, worst_queries
from rankgold.audit.gate_result import Check, ThresholdFinding
from rankgold.audit.thresholds import CheckSettings, Threshold
from rankgold.comparison.choices import ComparisonSettings, corrected
from rankgold.comparison.comparison_result import ALPHA, p_relation
from rankgold.comparison.paired_values import AlignedValues, UnitSums
from rankgold.comparison.significance_tests import TESTS
from rankgold.core.accepted import TextsById
from rankgold.core.errors import CheckError, check_whole_number
from rankgold.data.texts_by_id import texts_by_id
from rankgold.engines.request import Request
from rankgold.scoring.scores import Scores

# As many draws as a comparison makes, up to 2,000 queries; fewer of more queries, so that a pipeline does not wait.
_MOST_SIGNS, _FEWEST = 200_000_000, 10_000


def p_values(parts: Sequence[tuple[str, Scores]], labels: Sequence[str]) -> dict[tuple[str, str], float]:
    """Slice and measure -> the p-value, corrected for the number of slices and measures."""
    settings = ComparisonSettings()
    found = []
    for _, scores in parts:
        if not scores.has_queries:
            raise CheckError(
                "The baseline was saved without the values of its queries, so no fall can be tested. Save it with"
                " --save, or leave significant out."
            )
        aligned = AlignedValues.of(scores)
        units = UnitSums.of(np.stack([aligned.differences(label, *scores.runs) for label in labels], axis=1))
        count = min(settings.test_draws.count, max(_MOST_SIGNS // max(len(units), 1), _FEWEST))
        found.append(TESTS[settings.test][1](units, replace(settings.test_draws, count=count)))
    keys = [(title, label) for title, _ in parts for label in labels]
    return dict(zip(keys, corrected(np.concatenate(found), settings.correction).tolist(), strict=True))


def checked(request: Request, settings: CheckSettings, worst: int, query_texts: TextsById | None) -> Check:
    """What is found for each threshold, with the data of a request."""
    worst = check_whole_number("worst", worst, 0, error=CheckError)
    texts = texts_by_id(query_texts)
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
