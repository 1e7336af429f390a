"""Scores without the values of queries in, a Comparison out: Student's test of the sums that were kept."""

from __future__ import annotations

import math

from rankgold.comparison.intervals import interval_of_moments
from rankgold.comparison.paired_tests import t_of_moments
from rankgold.comparison.result import Comparison, ComparisonMethod, PairRow
from rankgold.comparison.runs import in_deviations, pairs_to_compare
from rankgold.comparison.settings import ComparisonSettings
from rankgold.declaration.metric import MEAN
from rankgold.errors import ComparisonError
from rankgold.scoring.scores import Scores

TEST_OF_SUMS = "paired t-test of sums"
_NEEDS_VALUES = "the values of the queries, and only their sums were kept. Pass per_query=True, or leave {} out"


def compare_sums(scores: Scores, settings: ComparisonSettings) -> Comparison:
    """The comparison of runs with only sums. Wins, ties and losses are unknown, and left at 0."""
    for name, usual in (("test", ("randomization", "t")), ("interval", ("bca", "t"))):
        if getattr(settings, name) not in usual:
            raise ComparisonError(f"{name}={getattr(settings, name)} needs {_NEEDS_VALUES.format(name)}.")
    for name in ("margin", "weights", "clusters"):
        if getattr(settings, name) is not None:
            raise ComparisonError(f"{name} needs {_NEEDS_VALUES.format(name)}.")
    rows = [
        _row(scores, label, a, b, settings.level)
        for label, measure in scores.measures.items()
        if measure.metric.aggregate is MEAN
        for a, b in pairs_to_compare(scores, settings.baseline)
    ]
    lower = frozenset(label for label, measure in scores.measures.items() if not measure.higher_is_better)
    method = ComparisonMethod(TEST_OF_SUMS, "none", "t", settings.level, 0, settings.test_draws.seed)
    return Comparison(rows, method, lower)


def _row(scores: Scores, label: str, a: str, b: str, level: float) -> PairRow:
    moments = scores.difference_sums(b, a)[label]
    of_runs = [scores.run_scores(name).moments(label) for name in (a, b)]
    low, high = interval_of_moments(moments, level)
    p = t_of_moments(moments)
    pooled = math.sqrt(math.fsum(sums.variance for sums in of_runs) / 2)
    return PairRow(
        measure=label,
        a=a,
        b=b,
        mean_a=of_runs[0].mean,
        mean_b=of_runs[1].mean,
        difference=moments.mean,
        low=low,
        high=high,
        p=p,
        p_corrected=p,
        effect=in_deviations(moments.mean, math.sqrt(moments.variance)),
        standardized=in_deviations(moments.mean, pooled),
        wins=0,
        ties=0,
        losses=0,
        queries=moments.count,
    )
