"""Values of queries in, confidence intervals of their means out."""

from __future__ import annotations

import math
from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from rankgold.comparison.scipy_library import scipy_stats
from rankgold.comparison.seeded_draws import Draws, random_samples
from rankgold.comparison.unit_sums import ROUNDING, UnitSums
from rankgold.kernels.exact_sums import Moments
from rankgold.kernels.segments import Floats

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
