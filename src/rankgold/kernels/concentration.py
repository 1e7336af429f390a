"""Amounts in, what each of them adds to a number that says how unevenly they are distributed out."""

from __future__ import annotations

import math

import numpy as np

from rankgold.kernels.segments import Floats, Ints


def gini_weights(amounts: Floats) -> tuple[Ints, Ints]:
    """The amounts above 0, from the lowest, by position; and the weight of each in the Gini coefficient.

    With amounts x1 <= x2 <= ... <= xn the coefficient is  sum of (2 i - n - 1) xi / (n * sum of xi): 0 if all amounts
    are the same, near 1 if one holds all. In miniature: 0, 1, 3 give (-2 * 0 + 0 * 1 + 2 * 3) / (3 * 4) = 1/2.
    """
    rising = np.argsort(amounts, kind="stable")
    weight = 2 * np.arange(1, len(amounts) + 1) - len(amounts) - 1
    first = int(np.searchsorted(amounts[rising], 0, side="right"))
    return rising[first:], weight[first:]


def shares(amounts: Floats) -> tuple[Ints, Floats]:
    """The amounts above 0, by position, and the share that each has of all."""
    at = np.flatnonzero(amounts > 0)
    return at, amounts[at] / math.fsum(amounts)


def surprisal(share: Floats) -> Floats:
    """The contribution of each share to the Shannon entropy, in bits."""
    bits: Floats = 0.0 - share * np.log2(share)
    return bits
