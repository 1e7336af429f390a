"""Arithmetic within segments: arrays whose entries stand in groups side by side, one group a query.

`starts` holds where each group begins and, last, where the array ends: group i is `starts[i]:starts[i + 1]`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.integer[Any]]
Floats = NDArray[np.floating[Any]]
Bools = NDArray[np.bool_]

# How many entries are worked on at once: few enough for their memory to be in the cache, and used again and again.
_CELLS = 1 << 16


def starts_of(lengths: Ints) -> Ints:
    """Where groups of these lengths start, and the end."""
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))


def sums(values: Floats | Ints, group: Ints, n_groups: int) -> Floats:
    """The sum of the values of each group, added in their order."""
    total: Floats = np.bincount(group, weights=values, minlength=n_groups).astype(np.float64)
    return total


def positions(starts: Ints) -> Ints:
    """The position of each entry in its group, from 0."""
    return np.arange(starts[-1], dtype=np.int64) - np.repeat(starts[:-1], np.diff(starts))


def blocks(starts: Ints) -> Iterator[tuple[Ints, Bools]]:
    """The groups as rectangles: indices of entries, one group a row, and which of the cells are real.

    Groups of similar length share rectangles, so all of them together hold at most twice the entries: what NumPy does
    along rows of a matrix then costs no Python per group. A rectangle is small enough to stay in the cache.
    """
    lengths = np.diff(starts)
    size_class = np.frexp(np.maximum(lengths - 1, 0).astype(np.float64))[1]
    for wanted in np.unique(size_class[lengths > 0]):
        groups = np.flatnonzero((size_class == wanted) & (lengths > 0))
        column = np.arange(lengths[groups].max(), dtype=np.int64)
        at_once = max(_CELLS // len(column), 1)
        for first in range(0, len(groups), at_once):
            chosen = groups[first : first + at_once]
            real = column < lengths[chosen, None]
            yield np.where(real, starts[chosen, None] + column, starts[chosen, None]), real


def products_before(values: Floats, starts: Ints) -> Floats:
    """The product of the values above each entry in its group; 1 for the first."""
    result = np.ones_like(values)
    for cells, real in blocks(starts):
        running = np.cumprod(np.where(real, values[cells], 1.0), axis=1)
        before = np.concatenate((np.ones((len(running), 1)), running[:, :-1]), axis=1)
        result[cells[real]] = before[real]
    return result


def best_first(values: Floats, starts: Ints, *, later_first: bool = False) -> Ints:
    """The order that puts each group's values from high to low; equal ones as they stand, or the later one first."""
    order = np.empty(len(values), dtype=np.int64)
    for cells, real in blocks(starts):
        if later_first:
            places = np.argsort(np.where(real, values[cells], -np.inf), axis=1, kind="stable")[:, ::-1]
        else:
            places = np.argsort(np.where(real, -values[cells], np.inf), axis=1, kind="stable")
        order[cells[real]] = np.take_along_axis(cells, places, axis=1)[real]
    return order


def sorted_descending(values: Floats, starts: Ints) -> Floats:
    """The values with each group in descending order; the array itself if it is so already."""
    if descending(values, starts):
        return values
    result = np.empty_like(values)
    for cells, real in blocks(starts):
        rows = np.sort(np.where(real, -values[cells], np.inf), axis=1)
        result[cells[real]] = -rows[real]
    return result


def descending(values: Floats, starts: Ints) -> bool:
    """Whether the values of every group fall, or stay, from entry to entry."""
    rises = np.flatnonzero(values[1:] > values[:-1]) + 1
    return bool(np.isin(rises, starts, assume_unique=True).all()) if len(rises) else True


def count_above(values: Floats, starts: Ints, group: Ints, bound: Floats, *, or_equal: bool = False) -> Ints:
    """For each bound, how many values of its group are higher (or equal). The groups must be descending."""
    low, high = starts[group], starts[group + 1]
    first = low.copy()
    while len(searching := np.flatnonzero(low < high)):
        middle = (low[searching] + high[searching]) // 2
        value = values[middle]
        inside = value >= bound[searching] if or_equal else value > bound[searching]
        low[searching[inside]] = middle[inside] + 1
        high[searching[~inside]] = middle[~inside]
    return low - first
