"""Group exposure, its disparity and its parity."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.errors import MeasureError, listing, nearest
from rankgold.core.item_lists import ListedItems
from rankgold.core.segments import Floats, sums
from rankgold.measures.gains import LOG2, Discount
from rankgold.measures.metric import TOGETHER, measure
from rankgold.measures.parameters import Cutoff
from rankgold.measures.registry import EXPOSURES


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


@measure(
    "exposure_disparity",
    registry=EXPOSURES,
    aggregate=TOGETHER,
    aliases=("disparity", "group_disparity"),
    higher_is_better=False,
    question="groups",
    title="Disparity of group exposure",
)
def exposure_disparity(
    lists: ListedItems,
    *,
    k: Cutoff = None,
    target: Annotated[
        Literal["items", "equal"], "what a group should get: as its share of the catalogue, or as much as each other"
    ] = "items",
    discount: Discount = LOG2,
) -> Derivation:
    """The share of the exposure that would have to move for every group to get its fair share.

        exposure_disparity@k = 1/2 * sum over groups of  | share of the exposure - share of the target |

    The exposure of an item is the sum of 1 / discount(rank) over its places in the lists. The target is the group's
    share of the items in the catalogue; with `target=equal`, all groups should get the same. 0: every group gets its
    share. It is a value of all lists together. Items without a group do not count.

    Use it to watch a market with several suppliers. It does not ask whether the items of a group are as good as others.

    Three items, one from x and two from w. A list of one item from x: x gets 1 and has 1/3, w gets 0 and has 2/3:
    1/2 * (2/3 + 2/3) = 0.6667.

    >>> items = {"a": {"group": "x"}, "b": {"group": "w"}, "c": {"group": "w"}}
    >>> round(exposure_disparity(lists_of({"u1": "a"}, items=items)).together, 4)
    0.6667

    Singh and Joachims 2018, Fairness of exposure in rankings, doi:10.1145/3219819.3220088.
    """
    exposure, sizes = exposure_by_group(lists, k, discount)
    wanted = sizes if target == "items" else np.ones(len(sizes))
    if not exposure.sum() or not wanted.sum():
        return Derivation.none(lists, "no group has any exposure")
    share, target_share = exposure / exposure.sum(), wanted / wanted.sum()
    of, working = {"group": np.arange(len(share))}, Working("|{} - {}|", share, target_share)
    return Derivation.of_all(lists, np.abs(share - target_share), of, working, 2.0, "2")


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
