"""Ranks and a persistence in, the weight of the depths from each rank on out: what a document adds to an overlap."""

from __future__ import annotations

import numpy as np

from rankgold.kernels.segments import Floats, Ints


def weight_of_depths(p: float, first: Ints, last: Ints) -> Floats:
    """The sum of p^(d - 1) / d over the depths d from `first` to `last`.

    A document that two lists share down to depth d adds 1/d to their agreement there. With p = 0.5, one that they share
    from depth 2 to depth 3 adds 0.5/2 + 0.25/3.
    """
    depth = np.arange(1, int(last.max(initial=0)) + 1)
    until = np.concatenate(([0.0], np.cumsum(p ** (depth - 1.0) / depth)))
    weight: Floats = until[last] - until[np.minimum(first - 1, last)]
    return weight
