"""Scores in, leaderboards out: means, intervals and comparisons of each measure, of all queries and of each slice."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgold.comparison.result import Comparison
from rankgold.declaration.metric import GEOMETRIC_MEAN
from rankgold.html_report.plain_data import known
from rankgold.scoring.scores import RunScores, Scores


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

    def to_dict(self) -> dict[str, Any]:
        rows = []
        for row in self.comparison or ():
            assert self.comparison is not None
            rows.append(
                {
                    "a": row.a, "b": row.b, "difference": known(row.difference), "low": known(row.low),
                    "high": known(row.high), "p": known(row.p_corrected), "effect": known(row.effect),
                    "wins": row.wins, "ties": row.ties, "losses": row.losses, "queries": row.queries,
                    "certain": self.comparison.is_significant(row), "better": self.comparison.better(row),
                }
            )  # fmt: skip
        sentences = [] if self.comparison is None else self.comparison.sentences
        return {
            "means": [known(mean) for mean in self.means.values()],
            "intervals": [[known(end) for end in self.intervals.get(name, (math.nan, math.nan))] for name in self.means],
            "order": list(self.order),
            "pairs": [row | {"sentence": sentence} for row, sentence in zip(rows, sentences, strict=True)],
        }


def leaderboards_of(scores: Scores, baseline: str | None, seed: int) -> dict[str, Leaderboard]:
    """A leaderboard for each measure. The comparisons of a measure are corrected for their number."""
    found = {}
    for label, measure in scores.measures.items():
        one = _of_measure(scores, label)
        can_compare = measure.metric.aggregate is not GEOMETRIC_MEAN
        intervals, comparison = {}, None
        if can_compare:
            ends = one.intervals(seed=seed)
            intervals = {name: (ends[name] if len(one.runs) > 1 else ends)[label] for name in one.runs}
            if len(one.runs) > 1:
                comparison = one.compare(baseline=baseline, seed=seed)
        means = {name: one.run_scores(name).means[label] for name in one.runs}
        found[label] = Leaderboard(label, means, intervals, comparison, tuple(one.sorted_by(label).runs))
    return found


def _of_measure(scores: Scores, label: str) -> Scores:
    runs = [
        replace(run, values={label: run.values[label]}, means={label: run.means[label]}) for run in scores.run_list
    ]
    return replace(scores, run_list=runs, measures={label: scores.measures[label]})


def scores_of_queries(scores: Scores, queries: Sequence[str]) -> Scores:
    """The scores of some of the queries."""
    wanted = set(queries)
    runs = []
    for run in scores.run_list:
        kept = np.array([str(query) in wanted for query in run.queries], dtype=bool)
        values = {label: column[kept] for label, column in run.values.items()}
        means = {label: scores.measures[label].metric.aggregate(column) for label, column in values.items()}
        names = [run.queries[i] for i in np.flatnonzero(kept).tolist()]
        runs.append(RunScores(run.name, names, values, means, run.notes))
    return scores.of_runs(runs)
