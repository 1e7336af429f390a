"""What the gain at a rank is divided by."""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np

from rankgold.declaration.metric import Examples
from rankgold.declaration.named_functions import Family, Named
from rankgold.errors import MeasureError
from rankgold.kernels.segments import Floats, Ints

discount = Family("discount")


@discount
def log2(rank: Ints) -> Floats:
    """log2(rank + 1): 1, 1.585, 2, 2.322, ..."""
    divisor: Floats = np.log2(rank + 1.0)
    return divisor


@discount
def log(rank: Ints, base: float = math.e) -> Floats:
    """The logarithm of rank + 1 to any base above 1; `log(e)` is the natural one."""
    if base <= 1:
        raise MeasureError(f"The base of a logarithm is above 1 here, not {base}.")
    divisor: Floats = np.log(rank + 1.0) / math.log(base)
    return divisor


@discount
def jk(rank: Ints) -> Floats:
    """The form of Järvelin and Kekäläinen 2002: ranks 1 and 2 undiscounted, then log2(rank)."""
    return np.log2(np.maximum(rank, 2).astype(np.float64))


@discount
def linear(rank: Ints) -> Floats:
    """The rank itself, so that rank 10 counts a tenth."""
    return rank.astype(np.float64)


@discount
def exponential(rank: Ints, rate: float = 0.5) -> Floats:
    """e^(rate (rank - 1)): attention falls by the same factor from each rank to the next."""
    if rate <= 0:
        raise MeasureError(f"The rate of an exponential discount is above 0, not {rate}.")
    divisor: Floats = np.exp(np.minimum(rate * (rank - 1.0), 700.0))
    return divisor


@discount
def zipf(rank: Ints, p: float = 0, s: float = 1) -> Floats:
    """(rank + p)^s, the power law that Zipf's law states."""
    if p <= -1 or not 0 <= s <= 30:
        raise MeasureError(f"A zipf discount has p above -1 and s from 0 to 30, not p={p} and s={s}.")
    return (rank + float(p)) ** s


Discount = Annotated[
    Named,
    discount,
    "what the gain at a rank is divided by",
    Examples("log(10)", "exponential(0.1)", "zipf(1, 0.5)"),
]
LOG2 = discount.parse("log2")
