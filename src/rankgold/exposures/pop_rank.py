"""Mean popularity rank."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Working
from rankgold.listed_items import ListedItems


@measure(
    "pop_rank",
    registry=EXPOSURES,
    aliases=("mean_pop_rank", "meanpoprank", "mean_popularity_rank"),
    higher_is_better=False,
    question="popular",
    title="Mean popularity rank",
)
def mean_popularity_rank(lists: ListedItems, *, k: Cutoff = None) -> Derivation:
    """The mean popularity percentile of a list's items, from the rarest item up.

        pop_rank@k = mean over the first k items of  (items that at most as many users had)  /  (items that users had)

    The most popular item has 1, an item that nobody had has 0. Items that are equally popular share the mean of their
    places. Unlike popularity, it does not depend on how much more popular the bestsellers are.

    Use it to compare how popular the lists of different recommenders are, also between datasets.

    3 users had a, 2 had b, 1 had c. A list of a and c: (3/3 + 1/3) / 2 = 0.6667.

    >>> mean_popularity_rank(lists_of({"u1": "a c"}, train={"u1": "a b c", "u2": "a b", "u3": "a"})).values.round(4)
    array([0.6667])

    Ekstrand and Mahant 2017, Sturgeon and the cool kids, in Proceedings of FLAIRS.
    """
    seen, counts = lists.top(k), lists.had.counts
    some = np.sort(counts[counts > 0])
    place = (np.searchsorted(some, counts, side="left") + np.searchsorted(some, counts, side="right") + 1) / 2
    place = np.where(counts > 0, place, 0.0)[seen.item]
    return Derivation.mean(seen, place / max(len(some), 1), Working("{}/{}", place, len(some)))
