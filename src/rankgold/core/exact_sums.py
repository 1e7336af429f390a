"""Adds numbers exactly, in any order and any split.

A float is a whole number of 53 bits times a power of two, so a sum of floats is a sum of whole numbers once all of them
are counted in one unit, 2 ** -1126, which is smaller than any float's last bit. Python's integers have no limit, so
nothing is rounded. NumPy adds up the values of one exponent at a time; to stay within 64 bits, each 53-bit number is
split into 27 low bits and the high rest:

    x = high * 2 ** 27 + low,   x ** 2 = high ** 2 * 2 ** 54 + high * low * 2 ** 28 + low ** 2

In miniature, with numbers of 3 bits and the unit 1/8: 0.5, 0.125 and 0.75 are 4, 1 and 6 units, and their sum is 11
units. Only what is made of it in the end is rounded, such as the mean 11 / 8 / 3.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from rankgold.core.segments import Floats, Ints

_UNIT = 1126
_HALF = 27
_AT_ONCE = 1 << 22


@dataclass(frozen=True, slots=True, eq=False)
class Moments:
    """The number of values, their sum, and the sum of their squares, in whole numbers of units."""

    count: int = 0
    total: int = 0
    squares: int = 0
    infinite: float = 0.0
    """The sum of the values that are not finite."""

    @classmethod
    def of(cls, values: Floats) -> Moments:
        """The moments of values; NaN is left out."""
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
    def sum(self) -> float:
        """The exact sum, rounded once; infinite if no float can hold it."""
        try:
            return self.infinite or self.total / (1 << _UNIT)
        except OverflowError:
            return math.copysign(math.inf, self.total)

    @property
    def mean(self) -> float:
        """The exact sum, rounded once, over the number of values: the mean that `math.fsum` gives."""
        if not self.count or self.infinite:
            return self.infinite / self.count if self.count else math.nan
        try:
            return self.total / (1 << _UNIT) / self.count
        except OverflowError:  # the sum is beyond what a float can hold, but the mean never is
            return self.total / (self.count << _UNIT)

    @property
    def variance(self) -> float:
        """The sample variance, rounded once; NaN for fewer than two values, infinite if no float can hold it."""
        if self.count < 2 or self.infinite:
            return math.nan
        spread = self.count * self.squares - self.total**2
        try:
            return spread / (self.count * (self.count - 1) << 2 * _UNIT)
        except OverflowError:
            return math.inf


def _by_exponent(exponent: Ints) -> Iterator[tuple[int, Ints]]:
    order = np.argsort(exponent, kind="stable")
    cuts = np.flatnonzero(np.diff(exponent[order])) + 1
    for chosen in np.split(order, cuts):
        if len(chosen):
            yield int(exponent[chosen[0]]), chosen


def _sum(whole: Ints) -> int:
    """The sum of whole numbers of up to 54 bits, in two parts that cannot overflow."""
    return (int((whole >> _HALF).sum()) << _HALF) + int((whole & ((1 << _HALF) - 1)).sum())
