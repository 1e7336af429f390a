"""Lists of items in, the pairs of items of each list, some at a time, and the distances of pairs out."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from rankgold.kernels.segments import Floats, Ints, groups_at, positions, ranges

# So many pairs are compared at once. A pair takes a few numbers, or twice the numbers of an embedding.
_PAIRS_AT_ONCE = 1 << 16

Distance = Callable[[Ints, Ints], Floats]
"""The distances of pairs of items, from the number of the first and the second of each; NaN if it is not known."""


def pairs_within(starts: Ints) -> Iterator[tuple[Ints, Ints, Ints]]:
    """The group of every pair of entries in the same group, and the two entries, some pairs at a time.

    In miniature: one group of three entries has the pairs 0 1, 0 2 and 1 2.
    """
    lengths = np.diff(starts)
    after = np.repeat(lengths, lengths) - positions(starts) - 1
    cuts = np.searchsorted(np.cumsum(after), np.arange(0, after.sum(), _PAIRS_AT_ONCE))
    for entries in np.split(np.arange(len(after)), cuts[1:]):
        first = np.repeat(entries, after[entries])
        second = ranges(entries + 1, after[entries])
        yield groups_at(starts, first), first, second


def cosine_distance(vectors: Floats) -> Distance:
    """1 minus the cosine of two rows; unknown if one of them is all zeros."""
    with np.errstate(invalid="ignore", divide="ignore"):
        # Divided by its highest number first, a row of very high or very low numbers has a finite length.
        scaled = vectors / np.abs(vectors).max(axis=1, keepdims=True, initial=0.0)
        unit = scaled / np.sqrt((scaled**2).sum(axis=1, keepdims=True))
    return lambda first, second: np.clip(1 - (unit[first] * unit[second]).sum(axis=1), 0, 2)


def euclidean_distance(vectors: Floats) -> Distance:
    def distance(first: Ints, second: Ints) -> Floats:
        apart = vectors[first] - vectors[second]
        scale = np.abs(apart).max(axis=1, keepdims=True, initial=0.0)
        scale[scale == 0] = 1.0
        far: Floats = scale[:, 0] * np.sqrt(((apart / scale) ** 2).sum(axis=1))
        return far

    return distance


def hamming_distance(vectors: Floats) -> Distance:
    """The number of columns in which two rows differ."""

    def distance(first: Ints, second: Ints) -> Floats:
        left, right = vectors[first], vectors[second]
        differ = (left != right).sum(axis=1).astype(np.float64)
        return np.where(np.isnan(left).any(axis=1) | np.isnan(right).any(axis=1), np.nan, differ)

    return distance


def jaccard_distance(starts: Ints, members: Ints, n_members: int) -> Distance:
    """1 minus the Jaccard similarity of two sets. The members of set i are `members[starts[i]:starts[i + 1]]`."""
    sizes = np.diff(starts)

    def keys(item: Ints) -> Ints:
        """A key for each member of the set of each pair."""
        lengths = sizes[item]
        pair = np.repeat(np.arange(len(item)), lengths)
        return pair * n_members + members[ranges(starts[item], lengths)]

    def distance(first: Ints, second: Ints) -> Floats:
        both = np.intersect1d(keys(first), keys(second), assume_unique=True) // max(n_members, 1)
        shared = np.bincount(both, minlength=len(first))
        either = sizes[first] + sizes[second] - shared
        known = (sizes[first] > 0) & (sizes[second] > 0)
        return np.where(known, 1 - shared / np.maximum(either, 1), np.nan)

    return distance
