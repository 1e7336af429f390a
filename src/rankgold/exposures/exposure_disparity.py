"""Disparity of group exposure."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import TOGETHER, measure
from rankgold.declaration.named_functions import LOG2, Discount
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Working
from rankgold.exposures.group_exposure import exposure_by_group
from rankgold.listed_items import ListedItems


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
