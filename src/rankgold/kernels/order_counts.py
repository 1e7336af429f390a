"""Groups of whole numbers in, how many numbers before and after each entry are lower or higher out.

The numbers are sorted bit by bit from the highest, as a wavelet tree does it. At every bit, the entries of a node,
which agree in all higher bits, are split: zeros come first, and an entry with a one counts the zeros before it. In
miniature: of 2 1 3 1 (10 01 11 01 in bits), the first bit puts 1 1 before 2 3, and the 3 counts the one zero that stood
before it; the second bit splits 2 3, and the 3 counts the 2. So two numbers before the 3 are lower. It takes one pass
for each bit of the highest number, over all groups at once.
"""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np

from rankgold.kernels.segments import Ints


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
