"""Scores in, leaderboards out: means, intervals and comparisons of each measure, of all queries and of each slice."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgold.comparison import CorrectionName
from rankgold.comparison.corrections import corrected
from rankgold.comparison.doubts import doubts_about_tests
from rankgold.comparison.paired_values import AlignedValues
from rankgold.comparison.result import Comparison
from rankgold.comparison.settings import ComparisonSettings
from rankgold.comparison.unit_sums import ROUNDING
from rankgold.declaration.metric import GEOMETRIC_MEAN
from rankgold.output.result_forms import known_number
from rankgold.scoring.scores import Scores

_CORRECTION: CorrectionName = "holm"


@dataclass(frozen=True, slots=True, eq=False)
class Leaderboard:
    """The runs under one measure and for some of the queries."""

    label: str
    means: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    """Run -> the ends of the confidence interval of its mean; none where there can be none."""
    comparison: Comparison | None
    order: tuple[str, ...]
    """The runs, the best first."""

    @property
    def leaders(self) -> tuple[str, ...]:
        """The runs with the best mean, which may be several; none if it is undefined."""
        best = self.means[self.order[0]]
        return tuple(name for name in self.order if math.isclose(self.means[name], best, rel_tol=ROUNDING))

    def to_dict(self) -> dict[str, Any]:
        return {
            "means": [known_number(mean) for mean in self.means.values()],
            "intervals": [
                [known_number(end) for end in self.intervals.get(name, (math.nan, math.nan))] for name in self.means
            ],
            "order": list(self.order),
            "pairs": [] if self.comparison is None else _pairs(self.comparison),
        }


def _pairs(comparison: Comparison) -> list[dict[str, Any]]:
    return [
        {
            "a": row.a, "b": row.b, "difference": known_number(row.difference), "low": known_number(row.low),
            "high": known_number(row.high), "p": known_number(row.p_corrected), "effect": known_number(row.effect),
            "wins": row.wins, "ties": row.ties, "losses": row.losses, "queries": row.queries,
            "certain": comparison.is_significant(row), "better": comparison.better(row), "sentence": sentence,
        }
        for row, sentence in zip(comparison, comparison.sentences, strict=True)
    ]  # fmt: skip


def leaderboards_of(scores: Scores, choices: dict[str, Any]) -> dict[str, Leaderboard]:
    """A leaderboard for each measure. The p-values of a measure are corrected for the number of its comparisons."""
    labels = [label for label, measure in scores.measures.items() if measure.metric.aggregate is not GEOMETRIC_MEAN]
    comparisons, intervals = _comparisons(scores, labels, choices) if labels else ({}, {})
    found = {}
    for label in scores.measures:
        means = {name: scores.run_scores(name).means[label] for name in scores.runs}
        ends = {name: by_label[label] for name, by_label in intervals.items() if label in by_label}
        order = tuple(scores.sorted_by(label).runs)
        found[label] = Leaderboard(label, means, ends, comparisons.get(label), order)
    return found


def _comparisons(
    scores: Scores, labels: list[str], choices: dict[str, Any]
) -> tuple[dict[str, Comparison], dict[str, dict[str, tuple[float, float]]]]:
    """Label -> its comparisons; run -> label -> the interval of its mean. All measures share the random draws."""
    chosen = _of_measures(scores, labels)
    intervals = chosen.intervals(seed=choices["seed"]).by_run
    if len(scores.runs) < 2:
        return {}, intervals
    uncorrected = chosen.compare(correction="none", **choices)
    settings = ComparisonSettings.of(correction=_CORRECTION, **choices)
    aligned, comparisons = AlignedValues.of(chosen), {}
    for label in labels:
        rows = [row for row in uncorrected.rows if row.measure == label]
        p_values = corrected(np.array([row.p for row in rows]), _CORRECTION)
        rows = [replace(row, p_corrected=float(p)) for row, p in zip(rows, p_values, strict=True)]
        differences = np.stack([aligned.differences(label, row.a, row.b) for row in rows], axis=1)
        doubts = doubts_about_tests(_of_measures(scores, [label]), rows, differences, settings, len(differences))
        method = replace(uncorrected.method, correction=_CORRECTION)
        comparisons[label] = Comparison(rows, method, uncorrected.lower_is_better, doubts)
    return comparisons, intervals


def _of_measures(scores: Scores, labels: list[str]) -> Scores:
    runs = [
        replace(
            run,
            values={label: run.values[label] for label in labels},
            means={label: run.means[label] for label in labels},
        )
        for run in scores.run_list
    ]
    return replace(scores, run_list=runs, measures={label: scores.measures[label] for label in labels})
