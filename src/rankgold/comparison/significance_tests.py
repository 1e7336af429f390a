"""Tests differences: randomization, t, Wilcoxon, sign, Tukey, Nemenyi.

All tests are two-sided. Several columns, of several pairs and measures, use the same draws: a test of all is one matrix
product.

Each query ranks the runs, and tied runs share the mean of their ranks. Two runs differ if their mean ranks are further
apart than the critical difference. In miniature: for 4 runs and 14 queries it is 2.569 * sqrt(4 * 5 / (6 * 14)) = 1.25.
"""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TypeVar

import numpy as np

from rankgold.comparison.intervals import bca_test
from rankgold.comparison.paired_values import (
    ROUNDING,
    Draws,
    UnitSums,
    all_signs,
    random_orders,
    random_signs,
    scipy_stats,
    tied_but_for_rounding,
)
from rankgold.core.errors import ComparisonError
from rankgold.core.exact_sums import Moments
from rankgold.core.segments import Floats

Test = TypeVar("Test", bound=Callable[..., Floats])
TESTS: dict[str, tuple[str, Callable[[UnitSums, Draws], Floats]]] = {}
"""Tests of pairs: what users type -> the name in sentences, and the function."""
FAMILY_TESTS: dict[str, tuple[str, Callable[[Floats, Draws], Floats]]] = {}
"""Tests of all runs at once, likewise. They take a (query, run) matrix."""


def significance_test(name: str, title: str, *, of_all_runs: bool = False) -> Callable[[Test], Test]:
    """Registers a function as a test: its name in `test=`, and in sentences."""

    def register(function: Test) -> Test:
        (FAMILY_TESTS if of_all_runs else TESTS)[name] = title, function
        return function

    return register


# Differences of values that are alike differ by rounding by no more than this share of the largest one.
_UNSEEN = 1e-9


@significance_test("randomization", "paired randomisation test")
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


significance_test("bootstrap", "paired bootstrap test")(bca_test)


@significance_test("t", "paired t-test")
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


@significance_test("wilcoxon", "Wilcoxon signed-rank test")
def wilcoxon(units: UnitSums, _: Draws) -> Floats:
    """Wilcoxon's signed-rank test, without differences of 0. Differences equal up to rounding are tied.

    SciPy sees no tie between 0.8 - 0.7, which is 0.10000000000000009, and 0.1 - 0, and ranks the first one higher.
    """

    def of_column(differences: Floats) -> float:
        sizes = np.abs(differences)
        sizes = tied_but_for_rounding(sizes, _UNSEEN * float(sizes.max()))
        return float(scipy_stats().wilcoxon(np.sign(differences) * sizes).pvalue)

    return _by_column(units, of_column)


@significance_test("sign", "sign test")
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


@significance_test("tukey", "randomised Tukey HSD", of_all_runs=True)
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


@significance_test("anova", "ANOVA Tukey HSD", of_all_runs=True)
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


@dataclass(frozen=True, slots=True, eq=False)
class MeanRanks:
    """The mean rank of each run; 1 if it is best for every query."""

    ranks: Floats
    queries: int
    critical: float
    """The distance above which two mean ranks differ significantly (Demšar 2006)."""
    p: float
    """The p-value of Friedman's test that all runs are equal; NaN for fewer than three runs."""

    def groups(self) -> list[tuple[int, ...]]:
        """The maximal groups of two or more runs that do not differ significantly, best first."""
        order = np.argsort(self.ranks, kind="stable")
        sorted_ranks = self.ranks[order]
        found: list[tuple[int, ...]] = []
        last_end = 0
        for start in range(len(order)):
            end = int(np.searchsorted(sorted_ranks, sorted_ranks[start] + self.critical, side="left"))
            if end > max(last_end, start + 1):
                found.append(tuple(order[start:end].tolist()))
                last_end = end
        return found


def mean_ranks(values: Floats, alpha: float = 0.05) -> MeanRanks:
    """The mean ranks of a (query, run) matrix where more is better; queries with undefined values do not count."""
    known = values[~np.isnan(values).any(axis=1)]
    queries, runs = known.shape
    if runs < 2 or not queries:
        raise ComparisonError("Mean ranks need two runs or more, and a query for which all of them have a value.")
    stats = scipy_stats()
    tied = np.stack([tied_but_for_rounding(row, ROUNDING * float(np.abs(row).max())) for row in known])
    ranks = stats.rankdata(-tied, axis=1)
    quantile = stats.studentized_range.isf(alpha, runs, math.inf) / math.sqrt(2)
    critical = float(quantile) * math.sqrt(runs * (runs + 1) / (6 * queries))
    return MeanRanks(ranks.mean(axis=0), queries, critical, _friedman(tied))


def _friedman(values: Floats) -> float:
    if values.shape[1] < 3:
        return math.nan
    if (values == values[:, :1]).all():
        return 1.0
    return float(scipy_stats().friedmanchisquare(*values.T).pvalue)
