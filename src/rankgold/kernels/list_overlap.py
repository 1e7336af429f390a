"""Lists of items in, how different each list is from all others, on average, out."""

from __future__ import annotations

import numpy as np

from rankgold.kernels.segments import Floats, Ints, positions, starts_of

MOST_LISTS = 2000
"""Above this number of lists, pairs of lists are compared only among so many."""

# A matrix of lists and so many items is multiplied at once.
_ITEMS_AT_ONCE = 4096


def cosine_distances(item: Ints, starts: Ints) -> Floats:
    """For each list, the mean over all others of 1 less the cosine of the two as sets; NaN for an empty list.

    The mean over all others needs no pairs: with each list as a vector of length 1, it is the product of the vector and
    the sum of all other vectors. In miniature: a b and a c are (.7, .7, 0) and (.7, 0, .7), their product is 1/2.
    """
    sizes = np.diff(starts)
    group = np.repeat(np.arange(len(sizes)), sizes)
    entry = 1 / np.sqrt(sizes[group])
    total = np.bincount(item, entry)
    with_all = np.bincount(group, entry * total[item], len(sizes)) if len(item) else np.zeros(len(sizes))
    others = int(np.count_nonzero(sizes)) - 1
    if others < 1:
        return np.full(len(sizes), np.nan)
    distances = np.clip(1 - (with_all - 1) / others, 0.0, 1.0)
    return np.where(sizes > 0, distances, np.nan)


def jaccard_distances(item: Ints, starts: Ints, seed: int) -> Floats:
    """For each list, the mean over all others of 1 less what the two share of what either has; NaN for an empty list.

    Of more than MOST_LISTS lists, so many are drawn and compared with each other, and the others have NaN.
    """
    sizes = np.diff(starts)
    chosen = np.flatnonzero(sizes)
    if len(chosen) > MOST_LISTS:
        chosen = np.sort(np.random.default_rng(seed).choice(chosen, MOST_LISTS, replace=False))
    distances = np.full(len(sizes), np.nan)
    if len(chosen) < 2:
        return distances
    lengths = sizes[chosen]
    rows = np.repeat(starts[chosen], lengths) + positions(starts_of(lengths))
    shared = _shared_items(item[rows], np.repeat(np.arange(len(chosen)), lengths), len(chosen))
    apart = 1 - shared / (lengths[:, None] + lengths[None, :] - shared)
    distances[chosen] = apart.sum(axis=1) / (len(chosen) - 1)
    return distances


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
