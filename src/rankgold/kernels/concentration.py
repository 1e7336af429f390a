"""Amounts in, how unevenly they are distributed out."""

from __future__ import annotations

import math

import numpy as np

from rankgold.kernels.segments import Floats


def gini(amounts: Floats) -> float:
    """The Gini coefficient: 0 if all amounts are the same, near 1 if one holds all; NaN if there is nothing.

    With amounts x1 <= x2 <= ... <= xn it is  sum of (2 i - n - 1) xi / (n * sum of xi). In miniature: 0, 1, 3 give
    (-2 * 0 + 0 * 1 + 2 * 3) / (3 * 4) = 1/2.
    """
    total = math.fsum(amounts)
    n = len(amounts)
    if not total:
        return math.nan
    rising = np.sort(amounts)
    return math.fsum((2 * np.arange(1, n + 1) - n - 1) * rising) / (n * total)


def entropy(amounts: Floats) -> float:
    """The Shannon entropy of the shares of the amounts, in bits; NaN if there is nothing."""
    some = amounts[amounts > 0]
    if not len(some):
        return math.nan
    share = some / math.fsum(some)
    return max(-math.fsum(share * np.log2(share)), 0.0)
