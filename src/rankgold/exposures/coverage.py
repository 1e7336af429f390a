"""Catalogue coverage."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import TOGETHER, measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Working
from rankgold.listed_items import ListedItems


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
