"""The values of several runs in, their mean ranks over the queries out, and which of these differ (Nemenyi's test).

Each query ranks the runs, and tied runs share the mean of their ranks. Two runs differ if their mean ranks are further
apart than the critical difference. In miniature: for 4 runs and 14 queries it is 2.569 * sqrt(4 * 5 / (6 * 14)) = 1.25.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rankgold.comparison.scipy_library import scipy_stats
from rankgold.comparison.unit_sums import ROUNDING, tied_but_for_rounding
from rankgold.errors import ComparisonError
from rankgold.kernels.segments import Floats


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
