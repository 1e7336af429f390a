"""Overlap."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation
from rankgold.core.ranked_pairs import RankedPairs
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff
from rankgold.measures.registry import SIMILARITIES

Norm = Annotated[
    Literal["longest", "shortest", "k"],
    "what the number is divided by: the length of the longer list, of the shorter, k",
]


@measure("overlap", registry=SIMILARITIES, aliases=("intersection",), question="tops")
def overlap(pairs: RankedPairs, *, k: Cutoff = None, norm: Norm = "longest") -> Derivation:
    """The share of the top k documents that both rankings have, in any order.

        overlap@k = (documents in the first k of both)  /  (the length of the longer list, at most k)

    Lists of k documents or more are divided by k. Shorter ones are divided by their length, so that a ranking always
    agrees with itself fully. With `norm=shortest` a list counts as the same as a longer one that contains it.

    Use it to say in plain words how much of a page changed: an overlap@10 of 0.8 means that two results of ten are new.
    It does not see the order: use rbo where the top matters more.

    a b c against b d a: both have a and b: 2/3.

    >>> overlap(two_lists("a b c", "b d a")).values.round(4)
    array([0.6667])

    Fagin, Kumar and Sivakumar 2003, Comparing top k lists, doi:10.1137/S0895480102412856.
    """
    seen = pairs.top(k)
    if norm == "k" and k is not None:
        return Derivation.of_terms(len(seen), seen.shared_terms(), float(k), "k")
    lengths, which = (np.minimum, "shorter") if norm == "shortest" else (np.maximum, "longer")
    length = lengths(seen.first.sizes, seen.second.sizes)
    return Derivation.of_terms(len(seen), seen.shared_terms(), length, f"the length of the {which} list")
