"""Numbers in, a line of small columns out that a terminal shows: ▁▂▅█."""

from __future__ import annotations

import numpy as np

from rankgold.kernels.segments import Floats

_COLUMNS = "▁▂▃▄▅▆▇█"
WIDTH = 20


def sparkline(values: Floats, low: float, high: float, width: int = WIDTH) -> str:
    """The values from the lowest to the highest, each column the mean of as many of them; NaN is left out.

    >>> sparkline(np.array([0.0, 1.0, 0.5, 0.5]), 0, 1, width=2)
    '▃▇'
    """
    known = np.sort(values[~np.isnan(values)])
    if not len(known):
        return "–"
    means = np.array([part.mean() for part in np.array_split(known, min(width, len(known)))])
    share = (means - low) / (high - low) if high > low else np.zeros(len(means))
    levels = np.clip(np.floor(share * len(_COLUMNS)), 0, len(_COLUMNS) - 1).astype(int)
    return "".join(_COLUMNS[level] for level in levels.tolist())
