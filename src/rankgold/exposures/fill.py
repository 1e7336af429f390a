"""Fill rate."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.families import EXPOSURES
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Working
from rankgold.errors import MeasureError
from rankgold.listed_items import ListedItems


@measure("fill", registry=EXPOSURES, aliases=("fill_rate", "sufficient_reco", "sufficientreco"), question="catalogue")
def fill_rate(lists: ListedItems, *, k: Cutoff = None) -> Derivation:
    """The share of the first k places of a list that hold an item.

        fill@k = (items among the first k)  /  k

    It needs a cutoff. A recommender that finds too few items for some users, or from whose lists many are taken out by
    `exclude`, has less than 1.

    Use it as a check before lists are compared: other measures divide by the items that are there.

    A list of 2 items at the cutoff 4: 2/4.

    >>> fill_rate(lists_of({"u1": "a b"}), k=4).values
    array([0.5])

    Herlocker, Konstan, Terveen and Riedl 2004, Evaluating collaborative filtering recommender systems,
    doi:10.1145/963770.963772.
    """
    if k is None:
        raise MeasureError("fill needs a cutoff, such as fill@10.")
    seen = lists.top(k)
    return Derivation.of_items(seen, np.ones(len(seen.item)), Working("1"), float(k), "k")
