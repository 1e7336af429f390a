"""Shannon entropy of items."""

from __future__ import annotations

import math
from typing import Annotated, Literal

import numpy as np

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import TOGETHER, measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Working
from rankgold.kernels.concentration import shares, surprisal
from rankgold.listed_items import ListedItems


@measure(
    "entropy",
    registry=EXPOSURES,
    aggregate=TOGETHER,
    aliases=("shannon_entropy", "item_entropy"),
    span=(0.0, float("inf")),
    question="catalogue",
    title="Shannon entropy of items",
)
def item_entropy(
    lists: ListedItems,
    *,
    k: Cutoff = None,
    norm: Annotated[
        Literal["one", "items"], "what it is divided by: 1, or the entropy of a catalogue shown evenly"
    ] = "one",
) -> Derivation:
    """The entropy of the items shown, in bits: how hard it is to guess which item is at a given place.

        entropy@k = - sum over items of  p(i) * log2(p(i))

    p(i) is the share of all places in the lists that item i has. One item everywhere gives 0, n items that are equally
    frequent give log2(n). With `norm=items` it is divided by log2 of the number of items in the catalogue, and is at
    most 1. It is a value of all lists together.

    Use it like gini, where a number is wanted that does not depend on items that are never shown.

    Lists a b and a c: a has half of the places, b and c a quarter each: 1/2 * 1 + 2 * 1/4 * 2 = 1.5 bits.

    >>> item_entropy(lists_of({"u1": "a b", "u2": "a c"})).together
    1.5

    Shannon 1948, A mathematical theory of communication, doi:10.1002/j.1538-7305.1948.tb01338.x.
    """
    places = lists.top(k).totals()
    divisor, norm_is = 1.0, "1"
    if norm == "items":
        places = np.where(lists.in_catalogue, places, 0.0)
        divisor, norm_is = math.log2(max(int(lists.in_catalogue.sum()), 1)), "log2(items of the catalogue)"
    item, share = shares(places)
    if not len(item):
        return Derivation.none(lists, "no item is shown")
    working = Working("-{0} * log2({0})", share)
    return Derivation.of_all(lists, surprisal(share), {"item": item}, working, divisor, norm_is)
