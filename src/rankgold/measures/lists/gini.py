"""Gini coefficient of items, and of exposure."""

from __future__ import annotations

import math

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.item_lists import ListedItems, gini_weights
from rankgold.core.segments import Floats
from rankgold.measures.gains import LOG2, Discount
from rankgold.measures.metric import TOGETHER, measure
from rankgold.measures.parameters import Cutoff
from rankgold.measures.registry import EXPOSURES


@measure(
    "gini",
    registry=EXPOSURES,
    aggregate=TOGETHER,
    aliases=("list_gini", "listgini", "gini_index"),
    higher_is_better=False,
    question="catalogue",
    title="Gini coefficient of items",
)
def item_gini(lists: ListedItems, *, k: Cutoff = None) -> Derivation:
    """How unevenly places in the lists are spread over the catalogue.

        gini@k = (sum over items i, from the rarest, of  (2 i - n - 1) x_i)  /  (n * sum of x_i)

    x_i is the number of lists with the item, n the number of items in the catalogue. 0: all items are shown equally
    often; near 1: few items fill all lists. Items that are never shown count, so it depends on the catalogue. It is a
    value of all lists together.

    Use it to see whether a recommender shows the same few items to everyone. Use exposure_gini where the first places
    of a list are worth more than the others.

    Lists a b and a c of a catalogue of 4 items: counts 0, 1, 1, 2, so (-3*0 - 1 + 1 + 3*2) / (4 * 4) = 0.375.

    >>> item_gini(lists_of({"u1": "a b", "u2": "a c"}, items="a b c d")).together
    0.375

    Fleder and Hosanagar 2009, Blockbuster culture's next rise or fall, doi:10.1287/mnsc.1080.0974.
    """
    return gini_of(lists, lists.top(k).totals())


def gini_of(lists: ListedItems, amounts: Floats) -> Derivation:
    """The Gini coefficient of one amount per item; items outside the catalogue do not count."""
    listed = np.flatnonzero(lists.in_catalogue)
    place, weight = gini_weights(amounts[listed])
    amount = amounts[listed][place]
    norm = len(listed) * math.fsum(amount)
    working = Working("{} * {}", weight, amount)
    return Derivation.of_all(lists, weight * amount, {"item": listed[place]}, working, norm, "n * sum of x_i")


@measure(
    "exposure_gini",
    registry=EXPOSURES,
    aggregate=TOGETHER,
    aliases=("exposuregini",),
    higher_is_better=False,
    question="catalogue",
    title="Gini coefficient of exposure",
)
def exposure_gini(lists: ListedItems, *, k: Cutoff = None, discount: Discount = LOG2) -> Derivation:
    """How unevenly readers' attention is spread over the catalogue.

        exposure_gini@k = (sum over items i, from the least seen, of  (2 i - n - 1) x_i)  /  (n * sum of x_i)

    x_i is the exposure of the item: the sum of 1 / discount(rank) over its places in the lists. It is gini with places
    that count by how likely they are looked at. `discount=exponential(0.1625)` has the weights 0.85^(rank - 1).

    Use it where lists are long: an item at rank 50 is hardly seen, and gini counts it like one at rank 1.

    Lists a b and a c of 3 items: a has 2, b and c have 1 / log2(3) = 0.6309 each, so 2 * (2 - 0.6309) / (3 * 3.2619)
    = 0.2798.

    >>> round(exposure_gini(lists_of({"u1": "a b", "u2": "a c"}, items="a b c")).together, 4)
    0.2798

    Diaz, Mitra, Ekstrand, Biega and Carterette 2020, Evaluating stochastic rankings with expected exposure,
    doi:10.1145/3340531.3411962.
    """
    seen = lists.top(k)
    return gini_of(lists, seen.totals(1 / discount(seen.rank)))
