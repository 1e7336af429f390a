"""Average recommendation popularity."""

from __future__ import annotations

from typing import Annotated, Literal

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Working
from rankgold.listed_items import ListedItems


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
