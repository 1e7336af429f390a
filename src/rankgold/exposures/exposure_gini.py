"""Gini coefficient of exposure."""

from __future__ import annotations

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import TOGETHER, measure
from rankgold.declaration.named_functions import LOG2, Discount
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation
from rankgold.exposures.gini import gini_of
from rankgold.listed_items import ListedItems


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
