"""Compares runs: differences, tests, intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from rankgold.comparison.choices import ComparisonSettings, corrected
from rankgold.comparison.comparison_result import Comparison, ComparisonMethod, PairRow
from rankgold.comparison.intervals import interval_of_moments
from rankgold.comparison.paired_values import ROUNDING, AlignedValues, UnitSums
from rankgold.comparison.significance_tests import FAMILY_TESTS, equivalence, t_of_moments
from rankgold.comparison.warnings import doubts_about
from rankgold.core.accepted import Measures
from rankgold.core.errors import ComparisonError, listing, nearest
from rankgold.core.segments import Floats
from rankgold.engines.request import Request
from rankgold.measures.metric import MEAN
from rankgold.scoring.evaluation import evaluated
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    from rankgold.judging.difference_bounds import DifferenceBounds


def bounds_of_pairs(request: Request, scores: Scores, comparison: Comparison) -> list[DifferenceBounds]:
    """The bounds of the difference of each pair and measure."""
    from rankgold.judging.difference_bounds import difference_bounds
    from rankgold.judging.open_documents import open_runs

    pairs = list(dict.fromkeys((row.a, row.b) for row in comparison.rows))
    return difference_bounds(open_runs(request), scores.measures, pairs)


# Differences that are all the same, such as 0.3 - 0.2 and 0.9 - 0.8, have a deviation of up to this share of them.
_ROUNDED_DEVIATION = 1e-9


def compared(
    request: Request, measures: Measures | None, settings: ComparisonSettings, *, bounds: bool = False
) -> Comparison:
    """The comparison of the runs of a request, and of each slice, if there are slices."""
    from rankgold.comparison.slice_comparison import compare_with_slices

    if bounds and settings.weights is not None:
        raise ComparisonError("bounds and weights cannot be combined: in bounds all queries count the same.")
    scores = evaluated(request, measures)
    request.report("comparing")
    comparison = compare_with_slices(scores, settings, request.progress)
    return replace(comparison, bounds=bounds_of_pairs(request, scores, comparison)) if bounds else comparison


def compare_scores(scores: Scores, settings: ComparisonSettings) -> Comparison:
    """The comparison of runs that were already evaluated."""
    aligned = AlignedValues.of(scores)
    pairs = pairs_to_compare(scores, settings.baseline)
    keys = [(label, a, b) for label in scores.measures for a, b in pairs]
    differences = np.stack([aligned.differences(*key) for key in keys], axis=1)
    weights = aligned.weights(settings.weights)
    units = UnitSums.of(differences, weights, aligned.clusters(settings.clusters))
    if settings.is_family_test:
        p = p_corrected = _family_p(scores, aligned, keys, settings)
    else:
        p = settings.pair_test(units, settings.test_draws)
        p_corrected = corrected(p, settings.correction)
    low, high = settings.interval_of(units)
    margin = settings.margin
    p_equivalent = np.full(len(keys), np.nan) if margin is None else equivalence(units, margin)
    columns = zip(keys, differences.T, low, high, p, p_corrected, p_equivalent, strict=True)
    signs = {label: 1 if measure.higher_is_better else -1 for label, measure in scores.measures.items()}
    rows = [_row(aligned, key, weights, signs[key[0]], column, numbers) for key, column, *numbers in columns]
    method = ComparisonMethod(
        test=settings.test_name,
        correction="none" if settings.is_family_test else settings.correction,
        interval=settings.interval,
        level=settings.level,
        draws=settings.test_draws.count,
        seed=settings.test_draws.seed,
        margin=margin,
        is_weighted=weights is not None,
        is_clustered=settings.clusters is not None,
    )
    doubts = doubts_about(scores, rows, differences, settings, len(units))
    return Comparison(rows, method, frozenset(label for label, sign in signs.items() if sign < 0), doubts)


def pairs_to_compare(scores: Scores, baseline: str | None) -> list[tuple[str, str]]:
    """Pairs of runs: all of them, or those with the baseline first."""
    names = scores.runs
    if len(names) < 2:
        raise ComparisonError(f"A comparison needs two runs or more, and there is only one: {listing(names)}.")
    if baseline is None:
        return list(combinations(names, 2))
    baseline = str(baseline)
    if baseline not in names:
        raise ComparisonError(f"There is no run {baseline!r}.{nearest(baseline, names)} There are {listing(names)}.")
    return [(baseline, name) for name in names if name != baseline]


def _family_p(
    scores: Scores, aligned: AlignedValues, keys: Sequence[tuple[str, str, str]], settings: ComparisonSettings
) -> Floats:
    """The p-values of a test of all runs at once, measure by measure."""
    place = {name: i for i, name in enumerate(scores.runs)}
    test = FAMILY_TESTS[settings.test][1]
    p_of: dict[str, Floats] = {}
    for label in scores.measures:
        values = np.stack([aligned.values[name, label] for name in scores.runs], axis=1)
        known = values[~np.isnan(values).any(axis=1)]
        p_of[label] = test(known, settings.test_draws) if len(known) else np.full((len(place), len(place)), np.nan)
    return np.array([p_of[label][place[a], place[b]] for label, a, b in keys])


def _row(
    aligned: AlignedValues,
    key: tuple[str, str, str],
    weights: Floats | None,
    sign: int,
    differences: Floats,
    numbers: Sequence[float],
) -> PairRow:
    """One row, with the numbers of its test and interval; `sign` is -1 if less is better."""
    label, a, b = key
    values_a, values_b = aligned.values[a, label], aligned.values[b, label]
    known = ~np.isnan(differences)
    values_a, values_b, differences = values_a[known], values_b[known], differences[known]
    weights = None if weights is None else weights[known]
    mean_a, mean_b = _mean(values_a, weights), _mean(values_b, weights)
    difference = mean_b - mean_a if differences.any() else 0.0 * mean_a
    pooled = math.sqrt((_variance(values_a, weights) + _variance(values_b, weights)) / 2)
    wins, losses = (int((sign * differences * direction > 0).sum()) for direction in (1, -1))
    low, high, p, p_corrected, p_equivalent = map(float, numbers)
    return PairRow(
        measure=label,
        a=a,
        b=b,
        mean_a=mean_a,
        mean_b=mean_b,
        difference=difference,
        low=low,
        high=high,
        p=p,
        p_corrected=p_corrected,
        effect=in_deviations(difference, math.sqrt(_variance(differences, weights))),
        standardized=in_deviations(difference, pooled),
        wins=wins,
        ties=len(differences) - wins - losses,
        losses=losses,
        queries=len(differences),
        p_equivalent=p_equivalent,
    )


def _mean(values: Floats, weights: Floats | None) -> float:
    if weights is None:
        return MEAN(values)
    total = math.fsum(weights)
    return math.fsum(values * weights) / total if total else math.nan


def _variance(values: Floats, weights: Floats | None) -> float:
    """The unbiased estimate of the population variance; weights are shares, not counts."""
    weights = np.ones(len(values)) if weights is None else weights
    if np.count_nonzero(weights) < 2:
        return math.nan
    shares = weights / weights.sum()
    others = 1 - float(shares @ shares)
    # If one query is all that counts, but for rounding, nothing is known about the spread.
    return float(shares @ (values - shares @ values) ** 2) / others if others > ROUNDING else math.nan


def in_deviations(difference: float, deviation: float) -> float:
    """A difference in standard deviations; undefined if the deviation is 0 up to rounding."""
    return difference / deviation if deviation > _ROUNDED_DEVIATION * abs(difference) else math.nan


def interval_of_difference(scores: Scores, label: str, a: str, b: str, level: float) -> tuple[float, float, float, int]:
    """The mean difference of two runs (b minus a), the ends of its interval, and the number of queries."""
    if not scores.has_queries:
        moments = scores.difference_sums(b, a)[label]
        return moments.mean, *interval_of_moments(moments, level), moments.count
    differences = AlignedValues.of(scores).differences(label, a, b)
    units = UnitSums.of(differences[:, None])
    low, high = ComparisonSettings(level=level).interval_of(units)
    return float(units.means[0]), float(low[0]), float(high[0]), int((~np.isnan(differences)).sum())


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
        _row_of_sums(scores, label, a, b, settings.level)
        for label, measure in scores.measures.items()
        if measure.metric.aggregate is MEAN
        for a, b in pairs_to_compare(scores, settings.baseline)
    ]
    lower = frozenset(label for label, measure in scores.measures.items() if not measure.higher_is_better)
    method = ComparisonMethod(TEST_OF_SUMS, "none", "t", settings.level, 0, settings.test_draws.seed)
    return Comparison(rows, method, lower)


def _row_of_sums(scores: Scores, label: str, a: str, b: str, level: float) -> PairRow:
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
