"""Lists of items in, how much each shares with all others out: item by item, or pair by pair."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankgold.kernels.segments import Floats, Ints, ranges

MOST_LISTS = 2000
"""Above this number of lists, only a sample of this size is compared."""

# A matrix of lists and so many items is multiplied at once.
_ITEMS_AT_ONCE = 4096

# The pairs of so many lists with all others are returned at once.
_LISTS_AT_ONCE = 128


def shared_with_others(item: Ints, starts: Ints) -> Floats:
    """Each item's contribution to the sum of cosines between its list and all others, as sets.

    The sum over all others needs no pairs: with each list as a vector of length 1, it is the product of the vector and
    the sum of all other vectors. In miniature: a b and a c are (.7, .7, 0) and (.7, 0, .7). In both, a adds 1/2 and the
    other item nothing.
    """
    sizes = np.diff(starts)
    entry = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes)
    shared: Floats = entry * (np.bincount(item, entry)[item] - entry) if len(item) else entry
    return shared


def drawn_lists(starts: Ints, seed: int) -> Ints:
    """The non-empty lists; at most MOST_LISTS, drawn by the seed."""
    some = np.flatnonzero(np.diff(starts))
    if len(some) <= MOST_LISTS:
        return some
    return np.sort(np.random.default_rng(seed).choice(some, MOST_LISTS, replace=False))


def jaccard_distances(item: Ints, starts: Ints, chosen: Ints) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Pairs of the chosen lists, in batches, and their Jaccard distances."""
    if len(chosen) < 2:
        return
    lengths = np.diff(starts)[chosen]
    shared = _shared_items(
        item[ranges(starts[chosen], lengths)], np.repeat(np.arange(len(chosen)), lengths), len(chosen)
    )
    for begin in range(0, len(chosen), _LISTS_AT_ONCE):
        first, second = np.divmod(np.arange(begin * len(chosen), (begin + _LISTS_AT_ONCE) * len(chosen)), len(chosen))
        differ = (first != second) & (first < len(chosen))
        first, second = first[differ], second[differ]
        both = shared[first, second]
        yield chosen[first], chosen[second], 1 - both / (lengths[first] + lengths[second] - both)


def _shared_items(item: Ints, group: Ints, n_groups: int) -> Floats:
    """How many items each pair of groups shares."""
    _, code = np.unique(item, return_inverse=True)
    order = np.argsort(code, kind="stable")
    code, group = code[order], group[order]
    shared = np.zeros((n_groups, n_groups))
    for first in range(0, int(code[-1]) + 1, _ITEMS_AT_ONCE):
        low, high = np.searchsorted(code, [first, first + _ITEMS_AT_ONCE])
        # Counts are small whole numbers, which 32 bits hold exactly.
        has = np.zeros((n_groups, _ITEMS_AT_ONCE), dtype=np.float32)
        has[group[low:high], code[low:high] - first] = 1
        shared += has @ has.T
    return shared
