"""User coverage."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import TOGETHER, measure
from rankgold.declaration.parameters import AtLeast, Cutoff, Examples
from rankgold.derivation import Derivation, Working
from rankgold.listed_items import ListedItems


@measure(
    "user_coverage",
    registry=EXPOSURES,
    aggregate=TOGETHER,
    aliases=("covered_users", "coveredusers"),
    question="catalogue",
)
def user_coverage(
    lists: ListedItems,
    *,
    k: Cutoff = None,
    least: Annotated[int, "how many items a user has to get", AtLeast(1), Examples(2)] = 1,
) -> Derivation:
    """The share of the known users who get recommendations.

        user_coverage@k = (users of the training set with `least` items or more among the first k)  /  (all of them)

    It is a value of all lists together. The users are those of the training set, since users without a list are not in
    the run. Users with a list who are not in the training set do not count.

    Use it beside the accuracy of a recommender that leaves users out: means are over the users that it serves.

    Lists for u1 and u2, and u1, u2, u3 and u4 in the training set: 2/4.

    >>> user_coverage(lists_of({"u1": "a b", "u2": "c"}, train={"u1": "a", "u2": "a", "u3": "b", "u4": "c"})).together
    0.5

    Herlocker, Konstan, Terveen and Riedl 2004, Evaluating collaborative filtering recommender systems,
    doi:10.1145/963770.963772.
    """
    before = lists.users_before
    user = np.flatnonzero(before.is_known & (lists.top(k).sizes >= least))
    norm_is = "the users of the training set"
    return Derivation.of_all(lists, np.ones(len(user)), {"user": user}, Working("1"), before.n_users, norm_is)
