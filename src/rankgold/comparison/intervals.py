"""Computes confidence intervals, and the bootstrap tests that turn them round.

The p-value is 1 less the highest level at which the interval does not hold 0. So p is below 0.05 where the interval at
95 % does not hold 0, and the two never disagree. All tests are two-sided; the sample that was seen counts as one draw.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from rankgold.comparison.paired_values import ROUNDING, Draws, UnitSums, random_samples, scipy_stats
from rankgold.core.exact_sums import Moments
from rankgold.core.segments import Floats

FEW_QUERIES = 25
"""With fewer queries most tests detect only large differences, and some intervals are too narrow:"""
NARROW_OF_FEW = ("bca", "percentile")
"""samples of few queries vary less than the queries that these are drawn from."""

# So many samples need a standard error.
_MOST_SAMPLES = 0.95

Bounds = tuple[Floats, Floats]
"""The lower and the upper end of each column's interval; NaN where there are too few values."""


def percentile(units: UnitSums, level: float, draws: Draws) -> Bounds:
    """The middle `level` of the means of bootstrap samples."""
    low, high = np.quantile(sample_means(units, draws), [(1 - level) / 2, (1 + level) / 2], axis=0)
    return low, high


def bca(units: UnitSums, level: float, draws: Draws) -> Bounds:
    """As `percentile`, corrected for bias and skew (Efron 1987, doi:10.1080/01621459.1987.10478410)."""
    means, seen = sample_means(units, draws), units.means
    normal = NormalDist()
    below, acceleration = bca_shape(units, means)
    ends = np.full((2, len(seen)), np.nan)
    for column in np.flatnonzero(~np.isnan(seen)):
        if not 0 < below[column] < 1:  # all samples are the same
            ends[:, column] = means[0, column]
            continue
        bias = normal.inv_cdf(below[column])
        for end, share in enumerate(((1 - level) / 2, (1 + level) / 2)):
            z = bias + normal.inv_cdf(share)
            adjusted = normal.cdf(bias + z / (1 - acceleration[column] * z))
            ends[end, column] = np.quantile(means[:, column], adjusted)
    return ends[0], ends[1]


def bca_shape(units: UnitSums, means: Floats) -> tuple[Floats, Floats]:
    """The share of samples with a mean below the observed one, and the acceleration, from the skew.

    The bias is how far the share is from one half. The skew comes from the means without one unit each.
    """
    seen = units.means
    with np.errstate(invalid="ignore", divide="ignore"):
        without = (units.sums.sum(axis=0) - units.sums) / (units.sizes.sum(axis=0) - units.sizes)
        spread = without.mean(axis=0) - without
        squares = (spread**2).sum(axis=0)
        acceleration = np.nan_to_num((spread**3).sum(axis=0) / (6 * squares**1.5))
        away = means - seen
    # Samples with the same mean differ by rounding, which depends on the machine.
    is_same = np.abs(away) <= units.rounding
    return (((away < 0) & ~is_same).sum(axis=0) + is_same.sum(axis=0) / 2) / len(means), acceleration


def studentized(units: UnitSums, level: float, draws: Draws) -> Bounds:
    """The bootstrap-t: uses the distribution of studentised sample means instead of Student's t.

    In miniature: if 97.5 % of the samples are at most 2.4 of their own standard errors above the mean that was seen,
    the lower end is 2.4 standard errors below it.
    """
    seen, error = units.means, standard_error(units)
    if not error.any():
        return seen, seen
    low, high = np.full((2, len(seen)), np.nan)
    for column, away in enumerate(errors_away(units, draws)):
        if away is not None:
            low[column], high[column] = np.quantile(away, [(1 - level) / 2, (1 + level) / 2])
    return np.where(error == 0, seen, seen - high * error), np.where(error == 0, seen, seen - low * error)


def errors_away(units: UnitSums, draws: Draws) -> list[Floats | None]:
    """For each column, how many of their own standard errors the sample means are above the observed mean.

    Samples of one unit alone have no standard error. With few units there are many of them, and the column has None.
    """
    parts = []
    for sample in random_samples(draws.seed, draws.count, len(units)):
        with np.errstate(invalid="ignore", divide="ignore"):
            mean = (sample @ units.sums) / (sample @ units.sizes)
            parts.append((mean - units.means) / _standard_errors(units, sample))
    away = np.concatenate(parts)
    has_error = np.isfinite(away)
    is_enough = has_error.mean(axis=0) > _MOST_SAMPLES
    return [away[has_error[:, i], i] if enough else None for i, enough in enumerate(is_enough.tolist())]


def standard_error(units: UnitSums) -> Floats:
    """The standard error of the mean of each column."""
    errors: Floats = _standard_errors(units, np.ones((1, len(units))))[0]
    return errors


def student(units: UnitSums, level: float, _: Draws) -> Bounds:
    """The interval of the t-test: the mean plus and minus t standard errors."""
    seen = units.means
    count = (~np.isnan(units.values)).sum(axis=0)
    error = standard_error(units)
    with np.errstate(invalid="ignore"):
        width = scipy_stats().t.ppf((1 + level) / 2, count - 1) * error
    return seen - width, seen + width


def sample_means(units: UnitSums, draws: Draws) -> Floats:
    """(draw, column): the means of samples of the units."""
    samples = random_samples(draws.seed, draws.count, len(units))
    with np.errstate(invalid="ignore"):
        means: Floats = np.concatenate([(sample @ units.sums) / (sample @ units.sizes) for sample in samples])
    # A sample may hold no defined value at all.
    return np.where(np.isnan(means), units.means, means)


def _standard_errors(units: UnitSums, sample: Floats) -> Floats:
    """(draw, column): the standard error of the mean of each sample, which is a ratio of sums.

    The squares of `sum - mean * size` are added up without writing them out for every sample: their three products are.
    """
    count = (units.sizes > 0).sum(axis=0)
    sizes = sample @ units.sizes
    with np.errstate(invalid="ignore", divide="ignore"):
        mean = (sample @ units.sums) / sizes
        squares = (
            sample @ units.sums**2
            - 2 * mean * (sample @ (units.sums * units.sizes))
            + mean**2 * (sample @ units.sizes**2)
        )
        # What rounding leaves of squares that cancel out is no spread.
        squares = np.where(squares > ROUNDING * (sample @ units.sums**2), squares, 0.0)
        errors: Floats = np.sqrt(squares * count / (count - 1)) / sizes
    return errors


INTERVALS: dict[str, Callable[[UnitSums, float, Draws], Bounds]] = {
    "bca": bca,
    "percentile": percentile,
    "studentized": studentized,
    "t": student,
}


def interval_of(units: UnitSums, method: str, level: float, draws: Draws) -> Bounds:
    """The interval of each column by this method; NaN with fewer than two units."""
    low, high = INTERVALS[method](units, level, draws)
    few = (units.sizes > 0).sum(axis=0) < 2
    return np.where(few, np.nan, low), np.where(few, np.nan, high)


def interval_of_moments(moments: Moments, level: float) -> tuple[float, float]:
    """Student's interval of a mean from sums; NaN with fewer than two values."""
    if moments.count < 2:
        return math.nan, math.nan
    width = scipy_stats().t.ppf((1 + level) / 2, moments.count - 1) * math.sqrt(moments.variance / moments.count)
    return float(moments.mean - width), float(moments.mean + width)


# Numbers of standard errors that differ by no more than this share are equal: they were computed in another order.
_UNSEEN = 1e-9


def percentile_test(units: UnitSums, draws: Draws) -> Floats:
    """Twice the share of samples on the other side of 0.

    In miniature: if 12 of 999 means of samples are 0 or less, p is 2 * (12 + 1) / (999 + 1).
    """
    return _where_known(units, 2 * _smaller_side(_without_rounding(units, draws), 0.0))


def bca_test(units: UnitSums, draws: Draws) -> Floats:
    """As `percentile_test`, corrected for bias and skew as the BCa interval is."""
    means = _without_rounding(units, draws)
    below, acceleration = bca_shape(units, means)
    under_zero = ((means < 0).sum(axis=0) + (means == 0).sum(axis=0) / 2 + 0.5) / (draws.count + 1)
    normal = NormalDist()
    p = 2 * np.minimum(under_zero, 1 - under_zero)
    for column in np.flatnonzero((below > 0) & (below < 1)):
        bias = normal.inv_cdf(below[column])
        away = normal.inv_cdf(under_zero[column]) - bias
        slope = 1 + acceleration[column] * away
        # Where the slope is not above 0, no level moves the end of the interval as far as 0.
        side = normal.cdf(away / slope - bias) if slope > 0 else 0.0
        p[column] = 2 * min(side, 1 - side)
    return _where_known(units, np.maximum(p, 1 / (draws.count + 1)))


def studentized_test(units: UnitSums, draws: Draws) -> Floats:
    """The share of samples at least as many of their own standard errors away as the mean is from 0 (Sakai 2006).

    doi:10.1145/1148170.1148261
    """
    seen, error = units.means, standard_error(units)
    p = np.where(error == 0, np.where(seen == 0, 1.0, 1 / (draws.count + 1)), np.nan)
    for column, away in enumerate(errors_away(units, draws)):
        if away is not None and error[column]:
            p[column] = 2 * _smaller_side(away[:, None], seen[column] / error[column])[0]
    return _where_known(units, p)


def _without_rounding(units: UnitSums, draws: Draws) -> Floats:
    """(draw, column): the means of samples; 0 where the sum cancels out up to rounding."""
    means = sample_means(units, draws)
    return np.where(np.abs(means) <= units.rounding, 0.0, means)


def _smaller_side(values: Floats, limit: float) -> Floats:
    """For each column, the smaller of the shares of values at most, or at least, the limit."""
    unseen = _UNSEEN * abs(limit)
    count: Floats = np.minimum((values <= limit + unseen).sum(axis=0), (values >= limit - unseen).sum(axis=0))
    return (count + 1) / (len(values) + 1)


def _where_known(units: UnitSums, p: Floats) -> Floats:
    """The p-values, at most 1; undefined with fewer than two units."""
    known = (units.sizes > 0).sum(axis=0) > 1
    return np.where(known, np.minimum(p, 1.0), np.nan)


BOOTSTRAP_TESTS: dict[str, tuple[str, Callable[[UnitSums, Draws], Floats]]] = {
    "bca": ("BCa", bca_test),
    "percentile": ("percentile", percentile_test),
    "studentized": ("studentized", studentized_test),
    "t": ("studentized", studentized_test),
}
"""The kind of interval -> the name in sentences, and the test that it gives. The interval t is not of samples."""
