"""The values of all queries in, one number out: the mean of most measures, the sum of counts, the geometric mean.

An aggregate is made of exact sums, so that it is the same in any order and in any split of the queries. Values are
prepared before they are added up; what is made of the sum is decided at the end. In miniature: the geometric mean of
0.1 and 0.4 adds up log(0.1) and log(0.4), and is exp of half of the sum, 0.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rankgold.kernels.exact_sums import Moments
from rankgold.kernels.segments import Floats

# A single 0 would make a geometric mean 0, so lower values count as this one, as in trec_eval.
_LOWEST = 0.00001


@dataclass(frozen=True, slots=True)
class Aggregate:
    """What one number is made of the values of all queries."""

    name: str
    finish: Callable[[Moments], float]
    """From the sums of the prepared values to the result."""
    prepare: Callable[[Floats], Floats] | None = None
    """From values to what is added up; None if these are the values themselves."""

    def moments(self, values: Floats) -> Moments:
        """The sums of the values of some queries; NaN is left out."""
        return Moments.of(values if self.prepare is None else self.prepare(values))

    def __call__(self, values: Floats) -> float:
        return self.finish(self.moments(values))


@dataclass(frozen=True, slots=True)
class _Mean(Aggregate):
    """The mean, by the fastest way to its exact sum."""

    def __call__(self, values: Floats) -> float:
        known = values[~np.isnan(values)]
        try:
            return math.fsum(known) / len(known) if len(known) else math.nan
        except OverflowError:
            return self.finish(Moments.of(known))


def _logarithm(values: Floats) -> Floats:
    prepared: Floats = np.log(np.maximum(values, _LOWEST))
    return prepared


def _mean(sums: Moments) -> float:
    return sums.mean


def _sum(sums: Moments) -> float:
    return sums.sum


def _exponential_of_mean(sums: Moments) -> float:
    return math.exp(sums.mean)


MEAN = _Mean("mean", _mean)
SUM = Aggregate("sum", _sum)
GEOMETRIC_MEAN = Aggregate("geometric mean", _exponential_of_mean, _logarithm)
