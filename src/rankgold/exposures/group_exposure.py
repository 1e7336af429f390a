"""Group exposure."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import measure
from rankgold.declaration.named_functions import LOG2, Discount
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Working
from rankgold.errors import MeasureError, listing, nearest
from rankgold.kernels.segments import Floats, sums
from rankgold.listed_items import ListedItems


@measure("group_exposure", registry=EXPOSURES, span=(0.0, 1.0), question="groups")
def group_exposure(
    lists: ListedItems,
    *,
    k: Cutoff = None,
    group: Annotated[str, "the name of the group"] = "",
    discount: Discount = LOG2,
) -> Derivation:
    """The share of a list's exposure that goes to one group.

        group_exposure(group=G)@k = (exposure of the items of G)  /  (exposure of all items)

    The exposure of an item is 1 / discount(rank): how likely a reader looks at its place. Groups are a column of the
    catalogue, such as the supplier or the language of an item. Items without a group count below the line.

    Use it to see what a group of suppliers gets of the attention, and exposure_disparity for all groups in one number.

    A list of two items, the second from group x: (1 / log2(3)) / (1 + 1 / log2(3)) = 0.6309 / 1.6309 = 0.3869.

    >>> items = {"a": {"group": "w"}, "b": {"group": "x"}}
    >>> group_exposure(lists_of({"u1": "a b"}, items=items), group="x").values.round(4)
    array([0.3869])

    Singh and Joachims 2018, Fairness of exposure in rankings, doi:10.1145/3219819.3220088.
    """
    seen, codes = lists.top(k), lists.group
    names = lists.catalogue.groups
    if group not in names:
        which = f"There is no group {group!r}.{nearest(group, names)}" if group else "Name a group."
        raise MeasureError(f"{which} The form is group_exposure(group=NAME). Groups: {listing(names, 10)}.")
    exposure = 1 / discount(seen.rank)
    of_group = np.where(codes[seen.item] == names.index(group), exposure, 0.0)
    return Derivation.of_items(
        seen, of_group, Working("{}", of_group), seen.sums(exposure), "the exposure of all items"
    )


def exposure_by_group(lists: ListedItems, k: int | None, discount: Discount) -> tuple[Floats, Floats]:
    """The total exposure of each group, and the number of its items in the catalogue."""
    seen, codes = lists.top(k), lists.group
    codes_of_rows = codes[seen.item]
    known = codes_of_rows >= 0
    weights = (1 / discount(seen.rank))[known]
    exposure = sums(weights, codes_of_rows[known], len(lists.catalogue.groups))
    listed = codes[lists.in_catalogue]
    sizes = np.bincount(listed[listed >= 0], minlength=len(lists.catalogue.groups))
    return exposure, sizes.astype(np.float64)
