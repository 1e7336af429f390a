"""Coverage of the catalogue and of users, and fill rate."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.errors import MeasureError
from rankgold.core.item_lists import ListedItems
from rankgold.measures.metric import TOGETHER, measure
from rankgold.measures.parameters import AtLeast, Cutoff, Examples
from rankgold.measures.registry import EXPOSURES


@measure(
    "coverage",
    registry=EXPOSURES,
    aggregate=TOGETHER,
    aliases=("catalogue_coverage", "catalog_coverage", "item_coverage", "aggregate_diversity"),
    span=(0.0, float("inf")),
    question="catalogue",
)
def catalogue_coverage(
    lists: ListedItems,
    *,
    k: Cutoff = None,
    norm: Annotated[
        Literal["items", "one"], "what the number of items is divided by: those of the catalogue, or 1"
    ] = "items",
) -> Derivation:
    """The share of the catalogue that appears in at least one user's list.

        coverage@k = (different items in the lists)  /  (items in the catalogue)

    It is one value for all lists together: single users have none. An item counts once, however often shown. Items
    that are not in the catalogue do not count. `norm=one` gives their number instead of the share.

    Use it to see how much of the catalogue a recommender can show at all. It grows with the number of users, so compare
    runs for the same users. Use gini to see whether the items get a similar share.

    Lists a b and a c of a catalogue of 5 items: a, b and c are shown, 3/5.

    >>> catalogue_coverage(lists_of({"u1": "a b", "u2": "a c"}, items="a b c d e")).together
    0.6

    Ge, Delgado-Battenfeld and Jannach 2010, Beyond accuracy, doi:10.1145/1864708.1864761.
    """
    item = np.flatnonzero((lists.top(k).totals() > 0) & lists.in_catalogue)
    n_items = int(np.count_nonzero(lists.in_catalogue))
    divisor, norm_is = (1.0, "1") if norm == "one" else (n_items, "the items of the catalogue")
    return Derivation.of_all(lists, np.ones(len(item)), {"item": item}, Working("1"), divisor, norm_is)


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


@measure("fill", registry=EXPOSURES, aliases=("fill_rate", "sufficient_reco", "sufficientreco"), question="catalogue")
def fill_rate(lists: ListedItems, *, k: Cutoff = None) -> Derivation:
    """The share of the first k places of a list that hold an item.

        fill@k = (items among the first k)  /  k

    It needs a cutoff. A recommender that finds too few items for some users, or from whose lists many are taken out by
    `exclude`, has less than 1.

    Use it as a check before lists are compared: other measures divide by the items that are there.

    A list of 2 items at the cutoff 4: 2/4.

    >>> fill_rate(lists_of({"u1": "a b"}), k=4).values
    array([0.5])

    Herlocker, Konstan, Terveen and Riedl 2004, Evaluating collaborative filtering recommender systems,
    doi:10.1145/963770.963772.
    """
    if k is None:
        raise MeasureError("fill needs a cutoff, such as fill@10.")
    seen = lists.top(k)
    return Derivation.of_items(seen, np.ones(len(seen.item)), Working("1"), float(k), "k")
