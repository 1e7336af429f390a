"""Mean inverse user frequency."""

from __future__ import annotations

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation
from rankgold.exposures.novelty import mean_information
from rankgold.listed_items import ListedItems


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
