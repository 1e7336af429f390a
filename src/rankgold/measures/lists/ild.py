"""Intra-list diversity."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Terms, Working
from rankgold.core.item_lists import ListedItems
from rankgold.core.segments import Floats, Ints, groups_at, positions, ranges
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff
from rankgold.measures.registry import EXPOSURES

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


_OF_NUMBERS = {"cosine": cosine_distance, "euclidean": euclidean_distance, "hamming": hamming_distance}


@measure(
    "ild",
    registry=EXPOSURES,
    aliases=("intra_list_diversity", "intralistdiversity", "diversity"),
    span=(0.0, float("inf")),
    question="variety",
    title="Intra-list diversity",
)
def intra_list_diversity(
    lists: ListedItems,
    *,
    k: Cutoff = None,
    distance: Annotated[
        Literal["jaccard", "cosine", "euclidean", "hamming"], "how two items are compared: by categories or by numbers"
    ] = "jaccard",
) -> Derivation:
    """The mean distance between all pairs of items in a list.

        ild@k = mean over the pairs of the first k items of  distance(i, j)

    `jaccard` is 1 less the share of the categories of the two items that both have. `cosine`, `euclidean` and `hamming`
    compare their numbers: an embedding, or columns of numbers; without these, their categories as zeros and ones.
    `hamming` counts the numbers that differ. Pairs with an item without features are left out. A list of fewer than two
    items has no value.

    Use it to see whether a list offers a choice. A list of random items has the most of it, so read it beside accuracy.

    Items a and b share one of two categories, so their distance is 1/2; c shares none with them: (1/2 + 1 + 1) / 3.

    >>> items = {"a": ["x", "y"], "b": ["x"], "c": ["z"]}
    >>> intra_list_diversity(lists_of({"u1": "a b c"}, items=items)).values.round(4)
    array([0.8333])

    Ziegler, McNee, Konstan and Lausen 2005, Improving recommendation lists through topic diversification,
    doi:10.1145/1060745.1060754.
    """
    seen = lists.top(k)
    place = seen.item
    if distance == "jaccard":
        sets = lists.categories
        compare = jaccard_distance(sets.starts, sets.members, sets.n_members)
    else:
        used, place = np.unique(seen.item, return_inverse=True)
        compare = _OF_NUMBERS[distance](lists.vectors(used))

    def parts() -> Iterator[Terms]:
        for user, first, second in pairs_within(seen.starts):
            far = compare(place[first], place[second])
            known = ~np.isnan(far)
            pairs = seen.item[first[known]], seen.item[second[known]]
            yield Terms(far[known], user[known], Working("{}", far[known]), partial(_pairs_of_items, *pairs))

    return Derivation(len(seen), parts, None, "the pairs of items with features")


def _pairs_of_items(first: Ints, second: Ints) -> dict[str, Ints]:
    return {"item": first, "other item": second}
