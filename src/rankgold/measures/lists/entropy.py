"""Shannon entropy of items, and of categories."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Terms, Working
from rankgold.core.item_lists import ListedItems, shares, surprisal
from rankgold.measures.gains import LOG2, Discount
from rankgold.measures.metric import TOGETHER, measure
from rankgold.measures.parameters import AtLeast, Cutoff, Examples
from rankgold.measures.registry import EXPOSURES


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


@measure(
    "category_entropy",
    registry=EXPOSURES,
    aliases=("rank_biased_entropy", "genre_entropy"),
    span=(0.0, float("inf")),
    question="variety",
    title="Entropy of categories",
)
def category_entropy(
    lists: ListedItems,
    *,
    k: Cutoff = None,
    weight: Annotated[Literal["one", "rank"], "whether all ranks count the same, or by the discount"] = "one",
    discount: Discount = LOG2,
    smoothing: Annotated[float, "what is added to the weight of every category", AtLeast(0), Examples(0.01)] = 0,
) -> Derivation:
    """How evenly the items of a user's list are spread over categories, in bits.

        category_entropy@k = - sum over categories c of  p(c) * log2(p(c))

    p(c) is the share that category c has of all categories of the listed items; an item with two categories counts in
    both. One category gives 0, n equally frequent ones give log2(n). With `weight=rank`, an item counts 1 /
    discount(rank). `smoothing=1e-6` gives the numbers of LensKit.

    Use it to see whether lists mix genres. It knows only the categories: use ild where items of the same genre can be
    more or less alike.

    A list of two comedies, a drama and a western: 1/2 * 1 + 2 * 1/4 * 2 = 1.5 bits.

    >>> items = {"a": "comedy", "b": "comedy", "c": "drama", "d": "western"}
    >>> category_entropy(lists_of({"u1": "a b c d"}, items=items)).values
    array([1.5])

    Shannon 1948, A mathematical theory of communication, doi:10.1002/j.1538-7305.1948.tb01338.x.
    """
    seen, sets = lists.top(k), lists.categories
    weights = np.ones(len(seen.item)) if weight == "one" else 1 / discount(seen.rank)
    members, row = sets.of(seen.item)
    cells, cell = np.unique(seen.user[row] * sets.n_members + members, return_inverse=True)
    amount = np.bincount(cell, weights[row], len(cells)) + smoothing
    user = cells // max(sets.n_members, 1)
    absent = sets.n_members - np.bincount(user, minlength=len(seen))
    total = np.bincount(user, amount, len(seen)) + absent * smoothing
    share = amount / total[user]
    terms = Terms(
        surprisal(share), user, Working("-{0} * log2({0})", share), lambda: {"category": cells % max(sets.n_members, 1)}
    )
    has_categories = (absent < sets.n_members).astype(np.float64)
    values = Derivation.of_terms(len(seen), terms, has_categories, "1")
    if not smoothing:
        return values
    rest = absent * surprisal(smoothing / np.maximum(total, smoothing)) * has_categories
    return replace(values, rest=rest, rest_is="the categories that the list lacks, by smoothing")
