"""Differences between two runs in, p-values out: how often chance alone would make a difference as large.

All tests are two-sided. Several columns, of several pairs and measures, use the same draws: a test of all is one matrix
product.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable

import numpy as np

from rankgold.comparison.bootstrap_tests import bca_test
from rankgold.comparison.scipy_library import scipy_stats
from rankgold.comparison.seeded_draws import Draws, all_signs, random_signs
from rankgold.comparison.unit_sums import ROUNDING, UnitSums, tied_but_for_rounding
from rankgold.kernels.exact_sums import Moments
from rankgold.kernels.segments import Floats

# Differences of values that are alike differ by rounding by no more than this share of the largest one.
_UNSEEN = 1e-9


def randomization(units: UnitSums, draws: Draws) -> Floats:
    """Fisher's randomisation test: if the runs were equal, each difference could as well have the other sign.

    The share of the choices of signs that give a sum as far from 0 as the one that was seen. All choices are tried if
    there are no more of them than draws. Otherwise random ones are, and the one that was seen counts as one of them.
    In miniature: of the differences 0.2 and 0.1, the four choices sum up to 0.3, 0.1, -0.1 and -0.3. Two of them are as
    far from 0 as 0.3: p is 2/4.
    """
    p = np.full(units.sums.shape[1], np.nan)
    differ = (units.sums != 0).sum(axis=0)
    few = differ < min(np.log2(max(draws.count, 1)), 62)
    for column in np.flatnonzero(few):
        sums = units.sums[:, [column]]
        sums = sums[sums[:, 0] != 0]
        p[column] = _count_as_far(sums, all_signs(len(sums)))[0] / 2 ** len(sums)
    if not few.all():
        sums = units.sums[:, ~few]
        p[~few] = (_count_as_far(sums, random_signs(draws.seed, draws.count, len(sums))) + 1) / (draws.count + 1)
    p[~np.isfinite(units.means)] = np.nan
    return p


def _count_as_far(sums: Floats, signs: Iterable[Floats]) -> Floats:
    """For each column, the number of draws with a sum at least as far from 0 as the observed one."""
    total = sums.sum(axis=0)
    seen = np.abs(total) - ROUNDING * np.abs(sums).sum(axis=0)
    count = np.zeros(sums.shape[1])
    for kept in signs:
        # The kept ones less the turned ones are twice the kept ones less all.
        count += (np.abs(2 * (kept @ sums) - total) >= seen).sum(axis=0)
    return count


def t(units: UnitSums, _: Draws) -> Floats:
    """Student's paired t-test."""
    return _by_column(units, lambda differences: scipy_stats().ttest_1samp(differences, 0.0).pvalue)


def t_of_moments(moments: Moments) -> float:
    """The t-test of differences, from their sums."""
    if moments.count and not moments.squares:
        return 1.0
    if moments.count < 2:
        return math.nan
    error = math.sqrt(moments.variance / moments.count)
    return float(2 * scipy_stats().t.sf(abs(moments.mean) / error, moments.count - 1)) if error else 0.0


def wilcoxon(units: UnitSums, _: Draws) -> Floats:
    """Wilcoxon's signed-rank test, without differences of 0. Differences equal up to rounding are tied.

    SciPy sees no tie between 0.8 - 0.7, which is 0.10000000000000009, and 0.1 - 0, and ranks the first one higher.
    """

    def of_column(differences: Floats) -> float:
        sizes = np.abs(differences)
        sizes = tied_but_for_rounding(sizes, _UNSEEN * float(sizes.max()))
        return float(scipy_stats().wilcoxon(np.sign(differences) * sizes).pvalue)

    return _by_column(units, of_column)


def sign(units: UnitSums, _: Draws) -> Floats:
    """The sign test on wins and losses; ties do not count."""

    def of_column(differences: Floats) -> float:
        wins, losses = int((differences > 0).sum()), int((differences < 0).sum())
        return float(scipy_stats().binomtest(wins, wins + losses).pvalue)

    return _by_column(units, of_column)


def equivalence(units: UnitSums, margin: float) -> Floats:
    """Two one-sided t-tests: small if the mean difference is certainly within the margin, on both sides."""

    def of_column(differences: Floats) -> float:
        above = scipy_stats().ttest_1samp(differences, -margin, alternative="greater").pvalue
        below = scipy_stats().ttest_1samp(differences, margin, alternative="less").pvalue
        return float(max(above, below))

    return _by_column(units, of_column, if_equal=0.0, fewest=2)


def _by_column(units: UnitSums, test: Callable[[Floats], float], if_equal: float = 1.0, fewest: int = 1) -> Floats:
    """The p-value of each column. SciPy leaves it undefined if all differences are 0: these are no evidence.

    `if_equal` is the p-value of so many differences of 0, at least.
    """
    p = np.full(units.values.shape[1], np.nan)
    for column in range(len(p)):
        differences = units.known(column)
        if len(differences) >= fewest and not differences.any():
            p[column] = if_equal
        elif len(differences) > 1:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", RuntimeWarning)  # SciPy's, of differences that are all the same
                p[column] = test(differences)
    return p


TESTS: dict[str, tuple[str, Callable[[UnitSums, Draws], Floats]]] = {
    "randomization": ("paired randomisation test", randomization),
    "bootstrap": ("paired bootstrap test", bca_test),
    "t": ("paired t-test", t),
    "wilcoxon": ("Wilcoxon signed-rank test", wilcoxon),
    "sign": ("sign test", sign),
}
"""Tests of pairs: what users type -> the name in sentences, and the function."""
