"""Average share and average coverage of long tail items."""

from __future__ import annotations

from typing import Annotated

from rankgold.core.derivation import Derivation, Working
from rankgold.core.item_lists import ListedItems
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Above, AtMost, Cutoff, Examples
from rankgold.measures.registry import EXPOSURES

Head = Annotated[float, "the share of all interactions that the short head has", Above(0), AtMost(1), Examples(0.5)]


@measure(
    "aplt",
    registry=EXPOSURES,
    aliases=("average_percentage_of_long_tail", "long_tail_share"),
    question="popular",
    title="Average percentage of long tail items",
)
def long_tail_share(lists: ListedItems, *, k: Cutoff = None, head: Head = 0.8) -> Derivation:
    """The share of a list's items that are not bestsellers.

        aplt@k = (items of the long tail among the first k)  /  (items among the first k)

    The bestsellers, the short head, are the most popular items that together have the share `head` of all that users
    had; items as popular as the last one of them are among them. All others are the long tail, and so are items that
    nobody had.

    Use it to see how much of a list is left to rare items. Use aclt to see their number.

    5 users had a, 3 had b, 1 each c and d: the head is a and b with 8 of 10. In the list a c d, 2 of 3 are long tail.

    >>> train = {"u1": "a b c", "u2": "a b d", "u3": "a b", "u4": "a", "u5": "a"}
    >>> long_tail_share(lists_of({"u1": "a c d"}, train=train)).values.round(4)
    array([0.6667])

    Abdollahpouri, Burke and Mobasher 2019, Managing popularity bias in recommender systems with personalized
    re-ranking, in Proceedings of FLAIRS.
    """
    seen = lists.top(k)
    return Derivation.mean(seen, ~lists.had.head(head)[seen.item])


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
