"""Parity of group exposure."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import TOGETHER, measure
from rankgold.declaration.named_functions import LOG2, Discount
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Working
from rankgold.exposures.group_exposure import exposure_by_group
from rankgold.listed_items import ListedItems


@measure(
    "exposure_parity",
    registry=EXPOSURES,
    aggregate=TOGETHER,
    aliases=("demographic_parity", "exposure_ratio"),
    question="groups",
    title="Parity of group exposure",
)
def exposure_parity(lists: ListedItems, *, k: Cutoff = None, discount: Discount = LOG2) -> Derivation:
    """Mean exposure per item in the worst-served group, divided by that in the best-served group.

        exposure_parity@k = (lowest mean exposure of a group's items)  /  (highest)

    The exposure of an item is the sum of 1 / discount(rank) over its places in the lists; items of the catalogue that
    are never shown have 0, and count in the mean. 1: an item of every group can expect the same. 0: the items of one
    group are never shown. It is a value of all lists together.

    Use it with few groups, of which none should be left out. With many small groups some are always at 0: use
    exposure_disparity then.

    Group x has one item, shown once at rank 1: exposure 1. w has two items, one shown at rank 2: 0.6309 / 2 = 0.3155.

    >>> items = {"a": {"group": "x"}, "b": {"group": "w"}, "c": {"group": "w"}}
    >>> round(exposure_parity(lists_of({"u1": "a b"}, items=items)).together, 4)
    0.3155

    Singh and Joachims 2018, Fairness of exposure in rankings, doi:10.1145/3219819.3220088.
    """
    exposure, sizes = exposure_by_group(lists, k, discount)
    means = np.where(sizes > 0, exposure, np.nan) / np.maximum(sizes, 1)
    if not np.nanmax(means, initial=0.0):
        return Derivation.none(lists, "no group has any exposure")
    worst, best = np.flatnonzero(means == np.nanmin(means))[:1], int(np.nanargmax(means))
    working = Working("{}/{}", exposure[worst], sizes[worst])
    norm_is = f"the mean exposure of an item of {lists.catalogue.groups[best]}, the best served group"
    return Derivation.of_all(lists, means[worst], {"group": worst}, working, float(means[best]), norm_is)
