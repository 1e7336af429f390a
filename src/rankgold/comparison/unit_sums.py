"""Values of queries in, sums over the units out that tests and intervals draw: queries, or all queries of one user.

In miniature: the differences 0.1 and 0.3 of user A and 0.2 of user B are units with the sums 0.4 and 0.2 and the sizes
2 and 1. The mean is (0.4 + 0.2) / (2 + 1) = 0.2. A weight multiplies the value of a query and its size.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from rankgold.kernels.segments import Floats, Ints

ROUNDING = 1e-12
"""Numbers that differ by at most this share of their sum are equal: they were added in another order."""


@dataclass(frozen=True, slots=True, eq=False)
class UnitSums:
    """The sums to compare: a column for each pair of runs and measure."""

    sums: Floats
    """(unit, column): the sum of the unit's values, times their weights."""
    sizes: Floats
    """(unit, column): the sum of the weights of the unit's values; 0 if all are undefined."""
    values: Floats
    """(query, column): the values themselves, NaN where one is undefined."""

    @classmethod
    def of(cls, values: Floats, weights: Floats | None = None, clusters: Ints | None = None) -> UnitSums:
        """Units of a matrix (query, column); `clusters` has the number of each query's unit, from 0."""
        is_known = ~np.isnan(values)
        sizes = is_known if weights is None else is_known * weights[:, None]
        sums = np.where(is_known, values, 0.0) * sizes
        sizes = sizes.astype(np.float64)
        if clusters is not None:
            count = int(clusters.max(initial=-1)) + 1
            sums, sizes = (_by_cluster(part, clusters, count) for part in (sums, sizes))
        return cls(sums, sizes, values)

    def __len__(self) -> int:
        return len(self.sums)

    @property
    def means(self) -> Floats:
        """The weighted mean of each column; NaN if it has no value."""
        with np.errstate(invalid="ignore"):
            means: Floats = self.sums.sum(axis=0) / self.sizes.sum(axis=0)
        return means

    @property
    def rounding(self) -> Floats:
        """How far the means of samples of a column may differ by rounding alone."""
        with np.errstate(invalid="ignore"):
            rounding: Floats = ROUNDING * np.abs(self.sums).sum(axis=0) / self.sizes.sum(axis=0)
        return rounding

    def known(self, column: int) -> Floats:
        """The values of a column that are defined."""
        values = self.values[:, column]
        known: Floats = values[~np.isnan(values)]
        return known


def tied_but_for_rounding(values: Floats, unseen: float) -> Floats:
    """The values, where runs of values in steps of at most `unseen` all become the least of them.

    In miniature: 0.8 - 0.7 is 0.10000000000000009, and 0.1 - 0 is 0.1. Ranks of differences have to see a tie.
    """
    order = np.argsort(values, kind="stable")
    ascending = values[order]
    is_first = np.diff(ascending, prepend=-np.inf) > unseen
    tied = np.empty(len(values))
    tied[order] = ascending[is_first][np.cumsum(is_first) - 1]
    return tied


def _by_cluster(part: Floats, clusters: Ints, count: int) -> Floats:
    result = np.zeros((count, part.shape[1]))
    np.add.at(result, clusters, part)
    return result
