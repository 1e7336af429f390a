"""The values of several runs in, p-values of all pairs out that allow for the number of runs (Tukey's test)."""

from __future__ import annotations

import numpy as np

from rankgold.comparison.scipy_library import scipy_stats
from rankgold.comparison.seeded_draws import Draws, random_orders
from rankgold.comparison.unit_sums import ROUNDING
from rankgold.kernels.segments import Floats


def randomized_tukey(values: Floats, draws: Draws) -> Floats:
    """(run, run): the share of draws in which the best and worst run are at least as far apart as these two.

    `values` has a row for each query that all runs have, and a column for each run. A draw hands the values of each
    query to the runs in a random order: that is what they would be if all runs were alike (Carterette 2012,
    doi:10.1145/2094072.2094076).
    """
    queries, runs = values.shape
    sums = values.sum(axis=0)
    apart = np.abs(sums[:, None] - sums) - ROUNDING * np.abs(values).sum()
    count = np.zeros((runs, runs))
    for order in random_orders(draws.seed, draws.count, queries, runs):
        drawn = np.take_along_axis(np.broadcast_to(values, order.shape), order, axis=2).sum(axis=1)
        count += (np.ptp(drawn, axis=1)[:, None, None] >= apart).sum(axis=0)
    return (count + 1) / (draws.count + 1)


def anova_tukey(values: Floats, _: Draws) -> Floats:
    """(run, run): Tukey's HSD after a two-way analysis of variance, of runs and queries; NaN for fewer than two."""
    queries, runs = values.shape
    if queries < 2:
        return np.full((runs, runs), np.nan)
    residual = values - values.mean(axis=1, keepdims=True) - values.mean(axis=0) + values.mean()
    freedom = (queries - 1) * (runs - 1)
    error = np.sqrt((residual**2).sum() / freedom / queries)
    means = values.mean(axis=0)
    apart = np.abs(means[:, None] - means)
    apart[apart <= ROUNDING * np.abs(values).mean()] = 0.0
    if error == 0:
        return np.where(apart > 0, 0.0, 1.0)
    # SciPy takes a millisecond for each: every pair once.
    first, second = np.triu_indices(runs, 1)
    p = np.ones((runs, runs))
    p[first, second] = p[second, first] = scipy_stats().studentized_range.sf(
        apart[first, second] / error, runs, freedom
    )
    return p


FAMILY_TESTS = {"tukey": ("randomised Tukey HSD", randomized_tukey), "anova": ("ANOVA Tukey HSD", anova_tukey)}
"""Tests of all runs at once: what users type -> the name in sentences, and the function."""
