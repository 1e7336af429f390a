"""Average coverage of long tail items."""

from __future__ import annotations

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Working
from rankgold.exposures.aplt import Head
from rankgold.listed_items import ListedItems


@measure(
    "aclt",
    registry=EXPOSURES,
    aliases=("average_coverage_of_long_tail", "long_tail_count"),
    span=(0.0, float("inf")),
    question="popular",
    title="Average coverage of long tail items",
)
def long_tail_count(lists: ListedItems, *, k: Cutoff = None, head: Head = 0.8) -> Derivation:
    """The number of items in a list that are not bestsellers.

        aclt@k = (items of the long tail among the first k)

    The long tail is that of aplt: all items but the most popular ones that together have the share `head` of what users
    had. Unlike aplt, a longer list can have more.

    Use it with a cutoff, so that lists of different lengths can be compared.

    5 users had a, 3 had b, 1 each c and d: the head is a and b. The list a c d has 2 items of the long tail.

    >>> train = {"u1": "a b c", "u2": "a b d", "u3": "a b", "u4": "a", "u5": "a"}
    >>> long_tail_count(lists_of({"u1": "a c d"}, train=train)).values
    array([2.])

    Abdollahpouri, Burke and Mobasher 2019, Managing popularity bias in recommender systems with personalized
    re-ranking, in Proceedings of FLAIRS.
    """
    seen = lists.top(k)
    is_rare = ~lists.had.head(head)[seen.item]
    return Derivation.of_items(seen, is_rare, Working("{}", is_rare), 1.0, "1")
