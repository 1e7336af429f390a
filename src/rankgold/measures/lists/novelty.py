"""Novelty, and mean inverse user frequency."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.item_lists import ListedItems
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff
from rankgold.measures.registry import EXPOSURES


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


@measure(
    "miuf",
    registry=EXPOSURES,
    aliases=("mean_inv_user_freq", "meaninvuserfreq", "mean_inverse_user_frequency", "inverse_user_frequency"),
    span=(0.0, float("inf")),
    question="popular",
)
def mean_inverse_user_frequency(lists: ListedItems, *, k: Cutoff = None) -> Derivation:
    """How few users had the items of a list, on average, in bits.

        miuf@k = mean over the first k items of  - log2(users who had the item / all users)

    An item that everyone had gives 0, one that one of 1,024 users had gives 10. An item that nobody had counts as if
    one user had had it.

    Use it like novelty. It does not depend on how much users had, so it is easier to compare between datasets.

    4 users, of which all had a and one had b: 0 and - log2(1/4) = 2, in the mean 1.

    >>> train = {"u1": "a b c", "u2": "a c", "u3": "a c", "u4": "a"}
    >>> mean_inverse_user_frequency(lists_of({"u5": "a b"}, train=train)).values
    array([1.])

    Zhou, Kuscsik, Liu, Medo, Wakeling and Zhang 2010, Solving the apparent diversity-accuracy dilemma,
    doi:10.1073/pnas.1000488107.
    """
    return mean_information(lists.top(k), lists.had.n_users)
