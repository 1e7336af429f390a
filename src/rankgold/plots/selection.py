"""Which of many queries a chart shows, and the line that says so."""

from __future__ import annotations

import numpy as np

from rankgold.kernels.segments import Floats, Ints
from rankgold.plots.words import queries

MOST = 40
"""How many queries a chart shows by name."""


def worst_and_best(values: Floats, *, higher_is_better: bool = True, most: int = MOST) -> tuple[Ints, str | None]:
    """The queries to show: all in their order where they are few, else the worst and the best, from worst to best."""
    if len(values) <= most:
        return np.arange(len(values)), None
    order = np.argsort(values if higher_is_better else -values, kind="stable")
    known = order[~np.isnan(values[order])]
    if len(known) <= most:
        return known, f"{len(known)} of {queries(len(values))}: those with a value, from the worst to the best"
    half = most // 2
    told = f"{most} of {queries(len(values))}: the {half} worst and the {half} best"
    return np.concatenate((known[:half], known[-half:])), told


def gains_and_losses(gain: Floats, *, most: int = MOST) -> tuple[Ints, str | None]:
    """The queries to show, from the greatest gain to the greatest loss; of many, those at both ends."""
    order = np.argsort(-gain, kind="stable")
    if len(order) <= most:
        return order, None
    half = most // 2
    told = f"{most} of {queries(len(order))}: the {half} greatest gains and the {half} greatest losses"
    return np.concatenate((order[:half], order[-half:])), told


def spread_evenly(values: Floats, most: int) -> Ints:
    """At most so many of the values, from the lowest to the highest in even steps, both ends among them."""
    order = np.argsort(values, kind="stable")
    known = order[~np.isnan(values[order])]
    if len(known) <= most:
        return known
    return known[np.linspace(0, len(known) - 1, most).round().astype(np.int64)]
