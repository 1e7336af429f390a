"""Novelty."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Working
from rankgold.listed_items import ListedItems


@measure(
    "novelty",
    registry=EXPOSURES,
    aliases=("self_information", "mean_self_information"),
    span=(0.0, float("inf")),
    question="popular",
)
def novelty(lists: ListedItems, *, k: Cutoff = None) -> Derivation:
    """The mean self-information of a list's items, in bits: rare items are more surprising.

        novelty@k = mean over the first k items of  - log2(p(i))

    p(i) is the share of item i in all that users had: the users who had it, by all pairs of user and item. An item that
    nobody had counts as if one user had had it. An item that everyone has tells nothing new, and adds little.

    Use it to compare how far recommenders go beyond bestsellers. Use miuf where p(i) is to be a share of the users.

    a was had by 4 users and b by 1, and there are 8 pairs: - log2(4/8) = 1 and - log2(1/8) = 3, in the mean 2.

    >>> train = {"u1": "a b c", "u2": "a c", "u3": "a c", "u4": "a"}
    >>> novelty(lists_of({"u5": "a b"}, train=train)).values
    array([2.])

    Vargas and Castells 2011, Rank and relevance in novelty and diversity metrics, doi:10.1145/2043932.2043955.
    """
    return mean_information(lists.top(k), lists.had.n_pairs)


def mean_information(seen: ListedItems, total: int) -> Derivation:
    """The mean of -log2(users who had the item / total) over the items of each list."""
    count = np.maximum(seen.had.counts, 1)
    bits = -np.log2(count / total)
    return Derivation.mean(seen, bits[seen.item], Working("-log2({}/{})", count[seen.item], total))
