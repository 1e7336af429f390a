"""Average share of long tail items."""

from __future__ import annotations

from typing import Annotated

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Above, AtMost, Cutoff, Examples
from rankgold.derivation import Derivation
from rankgold.listed_items import ListedItems

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
