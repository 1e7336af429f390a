"""Personalisation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import AtLeast, Cutoff, Examples
from rankgold.derivation import Derivation, Terms, Working
from rankgold.kernels.list_overlap import drawn_lists, jaccard_distances, shared_with_others
from rankgold.listed_items import ListedItems


@measure(
    "personalisation",
    registry=EXPOSURES,
    aliases=("personalization", "inter_list_diversity", "inter_user_diversity"),
    question="variety",
)
def personalisation(
    lists: ListedItems,
    *,
    k: Cutoff = None,
    distance: Annotated[Literal["cosine", "jaccard"], "how two lists are compared, as sets of items"] = "cosine",
    seed: Annotated[int, "which users are drawn, if there are more than 2,000", AtLeast(0), Examples(7)] = 0,
) -> Derivation:
    """The mean distance between the lists of all pairs of users.

        personalisation@k = mean over pairs of users of  1 - shared items / sqrt(items of one * items of the other)

    0: all users get the same items; 1: no item is in two lists. For lists of k items each, it is 1 - shared / k. The
    value of a user is the mean over the pairs with this user. The order of a list does not count. With
    `distance=jaccard` the shared items are divided by those in either list; with more than 2,000 users this one is
    computed of 2,000 users, drawn by `seed`. The default is exact for any number of users.

    Use it to tell a recommender that knows its users from a list of bestsellers for everyone, which has 0. Random lists
    have the most, so read it beside accuracy.

    Lists a b, a c and d e: the first two share one of two items, so their distance is 1/2: (1/2 + 1 + 1) / 3.

    >>> personalisation(lists_of({"u1": "a b", "u2": "a c", "u3": "d e"})).values
    array([0.75, 0.75, 1.  ])

    Zhou, Kuscsik, Liu, Medo, Wakeling and Zhang 2010, Solving the apparent diversity-accuracy dilemma,
    doi:10.1073/pnas.1000488107.
    """
    seen = lists.top(k)
    if distance == "cosine":
        has_list = seen.sizes > 0
        others = np.where(has_list, max(int(has_list.sum()) - 1, 0), 0)
        shared = -shared_with_others(seen.item, seen.starts)
        values = Derivation.of_items(seen, shared, Working("{}", shared), others, "the other users")
        return replace(values, rest=others.astype(np.float64), rest_is="the other users", bounds=(0.0, 1.0))
    drawn = drawn_lists(seen.starts, seed)

    def parts() -> Iterator[Terms]:
        for user, other, apart in jaccard_distances(seen.item, seen.starts, drawn):
            yield Terms(apart, user, Working("{}", apart), partial(dict[str, Any], user=other))

    values = Derivation(len(seen), parts, None, "the other users")
    if len(drawn) == np.count_nonzero(seen.sizes):
        return values
    left_out = (seen.sizes > 0) & ~np.isin(np.arange(len(seen)), drawn)
    remark = f"personalisation(distance=jaccard) is that of {len(drawn):,} users, drawn with seed {seed}"
    return replace(values, left_out=left_out, remarks=(remark,))
