"""Computes how likely a reader looks at each rank.

A reader looks at 1,000 documents at most, judged or not, also where a list is shorter: the rest has no gain. In
miniature, with 3 documents at most: a reader who goes on with the chances 1/2 and 1/3 looks at the ranks 1, 2 and 3
with the chances 1, 1/2 and 1/6, which is 5/3 documents on average.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from rankgold.core.segments import Floats, Ints, changes, products_before, running_sums, sums

DEEPEST = 1000
_CELLS = 1 << 16

# Euler and Maclaurin's series of the sum of 1/x^2: the Bernoulli numbers B14, B12, ..., B2.
_SERIES = (7 / 6, -691 / 2730, 5 / 66, -1 / 30, 1 / 42, -1 / 30, 1 / 6)
_FAR = 12

GoOn = Callable[[Floats, Floats], Floats]
"""The gains of some queries, a row each with a column for every rank, and the ranks -> the chances to go on."""


def deepest_rank(k: int | None) -> int:
    """The last rank that a reader can look at."""
    return DEEPEST if k is None else min(k, DEEPEST)


@dataclass(frozen=True, slots=True, eq=False)
class GainsAtRanks:
    """Documents with a gain, in the order of their queries and ranks, and none below the depth."""

    gains: Floats
    query: Ints
    rank: Ints
    n_queries: int
    depth: int

    @property
    def starts(self) -> Ints:
        return np.searchsorted(self.query, np.arange(self.n_queries + 1))

    @property
    def following(self) -> Ints:
        """The rank of the next document of the query; the depth for the last one."""
        is_last = np.append(changes(self.query)[1:], True)[: len(self.query)]
        return np.where(is_last, self.depth, np.append(self.rank[1:], self.depth)[: len(self.rank)])

    @property
    def first(self) -> Ints:
        """The rank of the first document of each query; the depth where there is none."""
        rank = np.full(self.n_queries, self.depth)
        rank[self.query[::-1]] = self.rank[::-1]
        return rank


def looks(seen: GainsAtRanks, go_on: GoOn) -> tuple[Floats, Floats]:
    """The chance that a reader looks at each document with a gain, and the number of looks at a query's documents."""
    chance = np.empty(len(seen.gains))
    number = np.empty(seen.n_queries)
    ranks = np.arange(1.0, seen.depth + 1)
    at_once = max(_CELLS // seen.depth, 1)
    for first in range(0, seen.n_queries, at_once):
        last = min(first + at_once, seen.n_queries)
        part = slice(*np.searchsorted(seen.query, [first, last]))
        cells = (seen.query[part] - first, seen.rank[part] - 1)
        matrix = np.zeros((last - first, seen.depth))
        matrix[cells] = seen.gains[part]
        looked = np.ones_like(matrix)
        np.cumprod(go_on(matrix, ranks)[:, :-1], axis=1, out=looked[:, 1:])
        chance[part] = looked[cells]
        # Added one by one, so that the other queries do not change the last bit.
        number[first:last] = np.cumsum(looked, axis=1)[:, -1]
    return chance, number


def looks_until_satisfied(seen: GainsAtRanks, go_on: Floats) -> tuple[Floats, Floats]:
    """As `looks`, for readers who go on with a chance that the rank has, times 1 - gain.

    Between two documents with a gain the looks are those of a list without gains, times a constant. In miniature: the
    looks of a list without gains are 1, 1/2, 1/4 and 1/8. A gain of 2/3 at rank 2 leaves a third of the looks below, so
    there are 1 + 1/2 and then (1/4 + 1/8) / 3.
    """
    plain = np.concatenate(([1.0], np.cumprod(go_on[:-1])))
    down_to = np.concatenate(([0.0], np.cumsum(plain)))
    unsatisfied = products_before(1 - seen.gains, seen.starts)
    below = unsatisfied * (1 - seen.gains) * (down_to[seen.following] - down_to[seen.rank])
    return plain[seen.rank - 1] * unsatisfied, down_to[seen.first] + sums(below, seen.query, seen.n_queries)


def looks_for_goal(seen: GainsAtRanks, goal: float) -> tuple[Floats, Floats]:
    """As `looks`, for readers who go on with the chance ((x - 1) / x)^2, where x = rank + goal - what was gained.

    Where nothing is gained, x grows by 1 from rank to rank and the chances cancel out. In miniature: with x = 3, 4, 5
    they are (2/3)^2, (3/4)^2 and (4/5)^2, and their products are (2/3)^2, (2/4)^2 and (2/5)^2.
    """
    x = seen.rank + (goal - running_sums(seen.gains, seen.starts))
    after = x + (seen.following - seen.rank)
    first = seen.first.astype(np.float64)
    chance = (goal / (goal + first - 1))[seen.query] ** 2 * products_before(((x - 1) / (after - 1)) ** 2, seen.starts)
    below = chance * (x - 1) ** 2 * (_inverse_squares(x) - _inverse_squares(after))
    start = np.full(seen.n_queries, float(goal))
    above = goal**2 * (_inverse_squares(start) - _inverse_squares(goal + first))
    return chance, above + sums(below, seen.query, seen.n_queries)


def _inverse_squares(x: Floats) -> Floats:
    """1/x^2 + 1/(x + 1)^2 + ... without end, for x of 1 or more. The series is exact to the last digits from 12 on."""
    total = np.zeros(len(x))
    far = x.copy()
    near = np.flatnonzero(x < _FAR)
    for _ in range(_FAR - 1):
        total[near] += 1 / far[near] ** 2
        far[near] += 1
    inverse = 1 / far
    square = inverse**2
    series = np.polyval(_SERIES, square)
    return total + inverse + square / 2 + inverse * square * series
