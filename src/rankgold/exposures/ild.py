"""Intra-list diversity."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Annotated, Literal

import numpy as np

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Terms, Working
from rankgold.kernels.item_pairs import (
    cosine_distance,
    euclidean_distance,
    hamming_distance,
    jaccard_distance,
    pairs_within,
)
from rankgold.kernels.segments import Ints
from rankgold.listed_items import ListedItems

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
