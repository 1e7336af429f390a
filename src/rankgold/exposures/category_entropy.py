"""Entropy of categories."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import measure
from rankgold.declaration.named_functions import LOG2, Discount
from rankgold.declaration.parameters import AtLeast, Cutoff, Examples
from rankgold.derivation import Derivation, Terms, Working
from rankgold.kernels.concentration import surprisal
from rankgold.listed_items import ListedItems


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
