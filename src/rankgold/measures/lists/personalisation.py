"""Personalisation."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Terms, Working
from rankgold.core.item_lists import ListedItems
from rankgold.core.segments import Floats, Ints, ranges
from rankgold.measures.metric import measure
from rankgold.measures.parameters import AtLeast, Cutoff, Examples
from rankgold.measures.registry import EXPOSURES

MOST_LISTS = 2000
"""Above this number of lists, only a sample of this size is compared."""

# A matrix of lists and so many items is multiplied at once.
_ITEMS_AT_ONCE = 4096

# The pairs of so many lists with all others are returned at once.
_LISTS_AT_ONCE = 128


def shared_with_others(item: Ints, starts: Ints) -> Floats:
    """Each item's contribution to the sum of cosines between its list and all others, as sets.

    The sum over all others needs no pairs: with each list as a vector of length 1, it is the product of the vector and
    the sum of all other vectors. In miniature: a b and a c are (.7, .7, 0) and (.7, 0, .7). In both, a adds 1/2 and the
    other item nothing.
    """
    sizes = np.diff(starts)
    entry = np.repeat(1 / np.sqrt(np.maximum(sizes, 1)), sizes)
    shared: Floats = entry * (np.bincount(item, entry)[item] - entry) if len(item) else entry
    return shared


def drawn_lists(starts: Ints, seed: int) -> Ints:
    """The non-empty lists; at most MOST_LISTS, drawn by the seed."""
    some = np.flatnonzero(np.diff(starts))
    if len(some) <= MOST_LISTS:
        return some
    return np.sort(np.random.default_rng(seed).choice(some, MOST_LISTS, replace=False))


def jaccard_distances(item: Ints, starts: Ints, chosen: Ints) -> Iterator[tuple[Ints, Ints, Floats]]:
    """Pairs of the chosen lists, in batches, and their Jaccard distances."""
    if len(chosen) < 2:
        return
    lengths = np.diff(starts)[chosen]
    shared = _shared_items(
        item[ranges(starts[chosen], lengths)], np.repeat(np.arange(len(chosen)), lengths), len(chosen)
    )
    for begin in range(0, len(chosen), _LISTS_AT_ONCE):
        first, second = np.divmod(np.arange(begin * len(chosen), (begin + _LISTS_AT_ONCE) * len(chosen)), len(chosen))
        differ = (first != second) & (first < len(chosen))
        first, second = first[differ], second[differ]
        both = shared[first, second]
        yield chosen[first], chosen[second], 1 - both / (lengths[first] + lengths[second] - both)


def _shared_items(item: Ints, group: Ints, n_groups: int) -> Floats:
    """How many items each pair of groups shares."""
    _, code = np.unique(item, return_inverse=True)
    order = np.argsort(code, kind="stable")
    code, group = code[order], group[order]
    shared = np.zeros((n_groups, n_groups))
    for first in range(0, int(code[-1]) + 1, _ITEMS_AT_ONCE):
        low, high = np.searchsorted(code, [first, first + _ITEMS_AT_ONCE])
        # Counts are small whole numbers, which 32 bits hold exactly.
        has = np.zeros((n_groups, _ITEMS_AT_ONCE), dtype=np.float32)
        has[group[low:high], code[low:high] - first] = 1
        shared += has @ has.T
    return shared


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
