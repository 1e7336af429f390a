"""Differences between two runs in, p-values out: a bootstrap interval turned round.

The p-value is 1 less the highest level at which the interval does not hold 0. So p is below 0.05 where the interval at
95 % does not hold 0, and the two never disagree. All tests are two-sided; the sample that was seen counts as one draw.
"""

from __future__ import annotations

from collections.abc import Callable
from statistics import NormalDist

import numpy as np

from rankgold.comparison.intervals import bca_shape, errors_away, sample_means, standard_error
from rankgold.comparison.seeded_draws import Draws
from rankgold.comparison.unit_sums import UnitSums
from rankgold.kernels.segments import Floats

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
