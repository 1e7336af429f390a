"""Computes sums, positions, orders and inversions per query over flat arrays.

The groups stand side by side in one array. `starts` holds where each group begins, and at the end the length of the
array: group i is `starts[i]:starts[i + 1]`. In miniature: values 9 7 8 | 5 | 4 6 with starts 0 3 4 6 are three groups.

The numbers are sorted bit by bit from the highest, as a wavelet tree does it. At every bit, the entries of a node,
which agree in all higher bits, are split: zeros come first, and an entry with a one counts the zeros before it. In
miniature: of 2 1 3 1 (10 01 11 01 in bits), the first bit puts 1 1 before 2 3, and the 3 counts the one zero that stood
before it; the second bit splits 2 3, and the 3 counts the 2. So two numbers before the 3 are lower. It takes one pass
for each bit of the highest number, over all groups at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Literal, Protocol

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.integer[Any]]
    Floats = NDArray[np.floating[Any]]
    Bools = NDArray[np.bool_]
else:  # importing numpy.typing takes time, and annotations do not need it
    Ints = Floats = Bools = np.ndarray

# The number of entries processed at once: few enough to stay in the processor's cache.
_CELLS = 1 << 16


def starts_of(lengths: Ints) -> Ints:
    """The starts of groups of these lengths, and the end: lengths 3 1 2 give 0 3 4 6."""
    return np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))


def starts_at(is_first: Bools) -> Ints:
    """The starts of groups whose first entries are marked, and the end: 1 0 0 1 1 0 give 0 3 4 6."""
    return np.append(np.flatnonzero(is_first), len(is_first))


def sums(values: Floats | Ints, group: Ints, n_groups: int) -> Floats:
    """The sum of the values of each group, added in the order of the entries."""
    total: Floats = np.bincount(group, weights=values, minlength=n_groups).astype(np.float64)
    return total


def sum_in_order(values: Iterable[float]) -> float:
    """The sum with the rounding of every step, as C has it: `sum` of Python 3.12 and later is more exact."""
    total = 0.0
    for value in values:
        total += value
    return total


def positions(starts: Ints) -> Ints:
    """The position of each entry in its group, from 0: starts 0 3 4 6 give 0 1 2 0 0 1."""
    return np.arange(starts[-1], dtype=np.int64) - np.repeat(starts[:-1], np.diff(starts))


def ranges(first: Ints, lengths: Ints) -> Ints:
    """All positions of ranges, one range after the other: from 5 and 0, with lengths 2 and 3, they are 5 6 0 1 2."""
    return np.repeat(first, lengths) + positions(starts_of(lengths))


def changes(column: NDArray[Any], *others: NDArray[Any]) -> Bools:
    """Whether each entry differs from the one before it in one of the columns: 7 7 8 8 gives 1 0 1 0."""
    is_new = np.ones(len(column), dtype=bool)
    is_new[1:] = column[1:] != column[:-1]
    for other in others:
        is_new[1:] |= other[1:] != other[:-1]
    return is_new


def groups_at(starts: Ints, at: Ints) -> Ints:
    """The group of each of these entries: with starts 0 3 4 6, the entries 2 3 5 are of the groups 0 1 2."""
    return np.searchsorted(starts, at, side="right") - 1


class Block(Protocol):
    """Some groups as the rows of a matrix that is small enough to stay in the cache."""

    @property
    def real(self) -> Bools:
        """Which cells of the matrix hold an entry."""

    def of(self, values: NDArray[Any], fill: float) -> NDArray[Any]:
        """The matrix of the values, with `fill` in cells without an entry. It may be a view of the values."""

    def entries(self, which: Bools) -> Ints:
        """The positions in the array of the real cells among these."""

    def put(self, result: NDArray[Any], matrix: NDArray[Any]) -> None:
        """Writes the cells of a matrix to the positions of their entries in the array."""

    def ordered(self, places: Ints) -> Ints:
        """The positions in the array of the cells of each row in this order: all or the first few, real ones first."""


@dataclass(frozen=True, slots=True, eq=False)
class Even:
    """Groups of the same length, side by side."""

    start: int
    real: Bools

    @property
    def _end(self) -> int:
        return self.start + self.real.size

    def of(self, values: NDArray[Any], fill: float) -> NDArray[Any]:
        return values[self.start : self._end].reshape(self.real.shape)

    def entries(self, which: Bools) -> Ints:
        return np.flatnonzero(which) + self.start

    def put(self, result: NDArray[Any], matrix: NDArray[Any]) -> None:
        result[self.start : self._end] = matrix.reshape(-1)

    def ordered(self, places: Ints) -> Ints:
        rows, width = self.real.shape
        return (places + np.arange(self.start, self._end, width).reshape(rows, 1)).reshape(-1)


@dataclass(frozen=True, slots=True, eq=False)
class Padded:
    """Groups of similar length: every row is as long as the longest; cells after a group's end are not real."""

    cells: Ints
    real: Bools

    def of(self, values: NDArray[Any], fill: float) -> NDArray[Any]:
        return np.where(self.real, values[self.cells], np.array(fill, dtype=values.dtype))

    def entries(self, which: Bools) -> Ints:
        return self.cells[which & self.real]

    def put(self, result: NDArray[Any], matrix: NDArray[Any]) -> None:
        result[self.cells[self.real]] = matrix[self.real]

    def ordered(self, places: Ints) -> Ints:
        return np.take_along_axis(self.cells, places, axis=1)[self.real[:, : places.shape[1]]]


def blocks(starts: Ints) -> Iterator[Block]:
    """All groups as rows of matrices, so that NumPy works along rows and no Python loop runs over groups.

    Groups of the same power of two in length share matrices, so padding at most doubles the number of cells. In
    miniature: groups of 3, 1 and 4 entries become one matrix of 1 x 1 and one of 2 x 4, whose first row ends in a cell
    that is not real.
    """
    lengths = np.diff(starts)
    if len(lengths) and lengths[0] and (lengths == lengths[0]).all():
        at_once = max(_CELLS // int(lengths[0]), 1)
        for first in range(0, len(lengths), at_once):
            rows = min(at_once, len(lengths) - first)
            yield Even(int(starts[first]), np.broadcast_to(True, (rows, int(lengths[0]))))
        return
    size_class = np.frexp(np.maximum(lengths - 1, 0).astype(np.float64))[1]
    for wanted in np.flatnonzero(np.bincount(size_class[lengths > 0])):
        groups = np.flatnonzero((size_class == wanted) & (lengths > 0))
        column = np.arange(lengths[groups].max(), dtype=np.int64)
        at_once = max(_CELLS // len(column), 1)
        for first in range(0, len(groups), at_once):
            chosen = groups[first : first + at_once]
            real = column < lengths[chosen, None]
            yield Padded(np.where(real, starts[chosen, None] + column, starts[chosen, None]), real)


def slices(starts: Ints) -> Iterator[tuple[int, int]]:
    """All groups, some at a time: the first group of each slice, and the group after its last."""
    cuts = np.searchsorted(starts, np.arange(0, starts[-1], _CELLS))
    yield from pairwise(sorted({0, *cuts.tolist(), len(starts) - 1}))


def products_before(values: Floats, starts: Ints) -> Floats:
    """The product of the values above each entry in its group; 1 for the first."""
    result = np.ones_like(values)
    for block in blocks(starts):
        running = np.cumprod(block.of(values, 1.0), axis=1)
        block.put(result, np.concatenate((np.ones((len(running), 1)), running[:, :-1]), axis=1))
    return result


def running_sums(values: Floats, starts: Ints) -> Floats:
    """The sum of the values down to each entry in its group, with this one; other groups do not change its last bit."""
    result = np.zeros_like(values)
    for block in blocks(starts):
        block.put(result, np.cumsum(block.of(values, 0.0), axis=1))
    return result


def best_first(values: Floats, starts: Ints, *, later_first: bool = False, is_stable: bool = True) -> Ints:
    """The order that sorts each group from high to low; equal values keep their order, or reverse it.

    Without `is_stable`, equal values have any order, and sorting takes half the time.
    """
    kind: Literal["stable", "quicksort"] = "stable" if is_stable else "quicksort"
    result = np.empty(len(values), dtype=np.int64)
    for block in blocks(starts):
        if later_first:
            places = np.argsort(block.of(values, -np.inf), axis=1, kind="stable")[:, ::-1]
        else:
            places = np.argsort(-block.of(values, -np.inf), axis=1, kind=kind)
        result[block.entries(block.real)] = block.ordered(places)
    return result


def sorted_descending(values: Floats, starts: Ints) -> Floats:
    """The values with each group in descending order; the array itself if it is descending already."""
    if is_descending(values, starts):
        return values
    result = np.empty_like(values)
    for block in blocks(starts):
        block.put(result, -np.sort(-block.of(values, -np.inf), axis=1))
    return result


def count_true(which: Bools, starts: Ints) -> Ints:
    """The number of entries of each group that are true."""
    lengths = np.diff(starts)
    if len(lengths) and lengths[0] and (lengths == lengths[0]).all():
        even: Ints = which.reshape(len(lengths), -1).sum(axis=1, dtype=np.int64)
        return even
    return np.diff(np.concatenate(([0], np.cumsum(which, dtype=np.int64)))[starts])


def earlier_of_kind(group: Ints, kind: Ints | Floats) -> Ints:
    """For each entry, the number of entries before it in its group with the same kind: 7 8 7 7 give 0 0 1 2."""
    order, starts = _by_kind(group, kind)
    earlier = np.empty(len(group), dtype=np.int64)
    earlier[order] = positions(starts)
    return earlier


def count_of_kind(group: Ints, kind: Ints | Floats) -> Ints:
    """For each entry, the number of entries in its group with the same kind, with this one: 7 8 7 7 give 3 1 3 3."""
    order, starts = _by_kind(group, kind)
    count = np.empty(len(group), dtype=np.int64)
    count[order] = np.repeat(np.diff(starts), np.diff(starts))
    return count


def _by_kind(group: Ints, kind: Ints | Floats) -> tuple[Ints, Ints]:
    """The order that sorts entries by group and kind, and where those of one group and kind start in it."""
    order = np.lexsort((kind, group))
    return order, starts_at(changes(group[order], kind[order]))


def is_descending(values: Floats, starts: Ints) -> bool:
    """Whether no value of any group is higher than the one before it."""
    rises = np.flatnonzero(values[1:] > values[:-1]) + 1
    return len(rises) < len(starts) and bool((starts[np.searchsorted(starts, rises)] == rises).all())


def count_above(values: Floats, starts: Ints, group: Ints, bound: Floats, *, or_equal: bool = False) -> Ints:
    """For each bound, the number of values of its group that are higher (or equal). The groups must be descending.

    A binary search for all bounds at once: each round halves the ranges that are still open.
    """
    low, high = starts[group], starts[group + 1]
    first = low.copy()
    while len(searching := np.flatnonzero(low < high)):
        middle = (low[searching] + high[searching]) // 2
        value = values[middle]
        inside = value >= bound[searching] if or_equal else value > bound[searching]
        low[searching[inside]] = middle[inside] + 1
        high[searching[~inside]] = middle[~inside]
    return low - first


@dataclass(frozen=True, slots=True, eq=False)
class OrderCounts:
    """For each entry, the number of entries of its group that stand before or after it, and are lower or higher."""

    lower_before: Ints
    higher_before: Ints
    lower_after: Ints
    higher_after: Ints

    @classmethod
    def of(cls, values: Ints, starts: Ints) -> OrderCounts:
        """The counts for whole numbers from 0; group i is `starts[i]:starts[i + 1]`."""
        size, lengths = len(values), np.diff(starts)
        lower = np.zeros(size, dtype=np.int64)
        entry: Ints = np.arange(size)
        begin, end = np.repeat(starts[:-1], lengths), np.repeat(starts[1:], lengths)
        for bit in reversed(range(int(values.max(initial=0)).bit_length())):
            is_one = (values[entry] >> bit & 1).astype(bool)
            zeros = np.concatenate(([0], np.cumsum(~is_one)))
            before, inside = zeros[:-1] - zeros[begin], zeros[end] - zeros[begin]
            lower[entry[is_one]] += before[is_one]
            middle = begin + inside
            place = np.where(is_one, np.arange(size) + inside - before, begin + before)
            begin, end = np.where(is_one, middle, begin), np.where(is_one, end, middle)
            entry, begin, end = (_moved(array, place) for array in (entry, begin, end))
        # The entries are now sorted by group and number, and begin to end are those with the same number.
        group_start, group_end = (np.repeat(ends, lengths) for ends in (starts[:-1], starts[1:]))
        equal_before, all_lower, all_higher = (np.empty(size, dtype=np.int64) for _ in range(3))
        equal_before[entry] = np.arange(size) - begin
        all_lower[entry] = begin - group_start
        all_higher[entry] = group_end - end
        higher = np.arange(size) - group_start - lower - equal_before
        return cls(lower, higher, all_lower - lower, all_higher - higher)

    def __sub__(self, other: OrderCounts) -> OrderCounts:
        """The counts without those of smaller groups of the same entries."""
        return OrderCounts(*(getattr(self, count.name) - getattr(other, count.name) for count in fields(self)))


def rising_less_falling(values: Ints, starts: Ints) -> Ints:
    """For each entry, the rising pairs with others of its group minus the falling ones.

    In miniature: 1 3 2. The 1 rises to both others: 2. The 3 rises from 1 and falls to 2: 0. The 2 does the same: 0.
    """
    counts = OrderCounts.of(values, starts)
    return counts.lower_before - counts.higher_before + counts.higher_after - counts.lower_after


def _moved(array: Ints, place: Ints) -> Ints:
    moved = np.empty_like(array)
    moved[place] = array
    return moved
