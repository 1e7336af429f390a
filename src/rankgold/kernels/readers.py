"""Gains at ranks in, how likely a reader looks at each of them out: for readers who go on or stop at every document.

A reader looks at 1,000 documents at most, judged or not, also where a list is shorter: the rest has no gain. In
miniature, with 3 documents at most: a reader who goes on with the chances 1/2 and 1/3 looks at the ranks 1, 2 and 3
with the chances 1, 1/2 and 1/6, which is 5/3 documents on average.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgold.kernels.segments import Floats, Ints

DEEPEST = 1000
_CELLS = 1 << 16

GoOn = Callable[[Floats, Floats], Floats]
"""The gains of some queries, a row each with a column for every rank, and the ranks -> the chances to go on."""


def deepest_rank(k: int | None) -> int:
    """The last rank that a reader can look at."""
    return DEEPEST if k is None else min(k, DEEPEST)


def looks(gains: Floats, query: Ints, rank: Ints, n_queries: int, depth: int, go_on: GoOn) -> tuple[Floats, Floats]:
    """The chance that a reader looks at each document with a gain, and how many documents a reader of a query looks at.

    The documents are in the order of their queries, and none is below the depth.
    """
    chance = np.empty(len(gains))
    number = np.empty(n_queries)
    ranks = np.arange(1.0, depth + 1)
    at_once = max(_CELLS // depth, 1)
    for first in range(0, n_queries, at_once):
        last = min(first + at_once, n_queries)
        part = slice(*np.searchsorted(query, [first, last]))
        cells = (query[part] - first, rank[part] - 1)
        matrix = np.zeros((last - first, depth))
        matrix[cells] = gains[part]
        looked = np.ones_like(matrix)
        np.cumprod(go_on(matrix, ranks)[:, :-1], axis=1, out=looked[:, 1:])
        chance[part] = looked[cells]
        # Added one by one, so that the other queries do not change the last bit.
        number[first:last] = np.cumsum(looked, axis=1)[:, -1]
    return chance, number
