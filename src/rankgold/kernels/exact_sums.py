"""Sums without rounding: the same in whatever order and parts the values come, and of constant size."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rankgold.kernels.segments import Floats, Ints

# Every float is a whole multiple of 2 ** -_UNIT when its mantissa has 53 bits, and every square of its square.
_UNIT = 1126
_HALF = 27
_AT_ONCE = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """How many values there are, their sum and that of their squares: whole numbers of units, so nothing is lost."""

    count: int = 0
    total: int = 0
    squares: int = 0
    infinite: float = 0.0
    """The sum of the values that are not finite."""

    @classmethod
    def of(cls, values: Floats) -> Moments:
        """The moments of some values; those that are NaN are left out."""
        known = values[~np.isnan(values)]
        finite = known[np.isfinite(known)]
        infinite = math.fsum(known[np.isinf(known)]) if len(finite) < len(known) else 0.0
        total = squares = 0
        for first in range(0, len(finite), _AT_ONCE):
            mantissa, exponent = np.frexp(finite[first : first + _AT_ONCE])
            whole = np.ldexp(mantissa, 53).astype(np.int64)
            high, low = np.abs(whole) >> _HALF, np.abs(whole) & ((1 << _HALF) - 1)
            for shift, chosen in _by_exponent(exponent + (_UNIT - 53)):
                total += _sum(whole[chosen]) << shift
                square = (_sum(high[chosen] ** 2) << 2 * _HALF) + (_sum(high[chosen] * low[chosen]) << _HALF + 1)
                squares += square + _sum(low[chosen] ** 2) << 2 * shift
        return cls(len(known), total, squares, infinite)

    def __add__(self, other: Moments) -> Moments:
        return Moments(
            self.count + other.count,
            self.total + other.total,
            self.squares + other.squares,
            self.infinite + other.infinite,
        )

    def __neg__(self) -> Moments:
        return Moments(self.count, -self.total, self.squares, -self.infinite)

    @property
    def mean(self) -> float:
        """The mean, rounded as the mean of all values at once would be."""
        if not self.count or self.infinite:
            return self.infinite / self.count if self.count else math.nan
        return self.total / (1 << _UNIT) / self.count

    @property
    def variance(self) -> float:
        """The variance of the values as a sample, rounded once; NaN of fewer than two."""
        if self.count < 2 or self.infinite:
            return math.nan
        spread = self.count * self.squares - self.total**2
        return spread / (self.count * (self.count - 1) << 2 * _UNIT)


def _by_exponent(exponent: Ints) -> Iterator[tuple[int, Ints]]:
    order = np.argsort(exponent, kind="stable")
    cuts = np.flatnonzero(np.diff(exponent[order])) + 1
    for chosen in np.split(order, cuts):
        if len(chosen):
            yield int(exponent[chosen[0]]), chosen


def _sum(whole: Ints) -> int:
    """The sum of whole numbers of up to 54 bits, in two halves that cannot overflow."""
    return (int((whole >> _HALF).sum()) << _HALF) + int((whole & ((1 << _HALF) - 1)).sum())
