"""Average recommendation popularity, and mean popularity rank."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.item_lists import ListedItems
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff
from rankgold.measures.registry import EXPOSURES


@measure(
    "popularity",
    registry=EXPOSURES,
    aliases=(
        "arp",
        "average_recommendation_popularity",
        "avg_rec_popularity",
        "avgrecpopularity",
        "average_popularity",
    ),
    span=(0.0, float("inf")),
    higher_is_better=False,
    question="popular",
    title="Average recommendation popularity",
)
def average_popularity(
    lists: ListedItems,
    *,
    k: Cutoff = None,
    norm: Annotated[Literal["one", "pairs", "users"], "what the number of users of an item is divided by"] = "one",
) -> Derivation:
    """The mean number of users who already had the items of a list.

        popularity@k = mean over the first k items of  (users who had the item)  /  norm

    An item that nobody had counts 0. `norm=pairs` divides by all pairs of user and item, `norm=users` by the number of
    users. It is also called ARP, average recommendation popularity.

    Use it to see how far a recommender leans on bestsellers; compare it with the mean of what users chose themselves.
    A single bestseller moves it much: use pop_rank or miuf where that is not wanted.

    3 users had a, and 1 had b: (3 + 1) / 2 = 2.

    >>> average_popularity(lists_of({"u1": "a b"}, train={"u1": "a b", "u2": "a", "u3": "a"})).values
    array([2.])

    Yin, Cui, Li, Yao and Chen 2012, Challenging the long tail recommendation, doi:10.14778/2311906.2311916.
    """
    seen, had = lists.top(k), lists.had
    divisor = {"one": 1, "pairs": had.n_pairs, "users": had.n_users}[norm]
    count = had.counts[seen.item]
    return Derivation.mean(seen, count / divisor, Working("{}" if norm == "one" else "{}/{}", count, divisor))


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
