"""The values of many queries in, which of them a chart shows out, with a line for the title that says so."""

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.kernels.segments import Floats, Ints
from rankgold.plots.chart_text import query_count

_MAX_QUERIES = 40
_MAX_MEASURES = 6


def worst_and_best(values: Floats, *, higher_is_better: bool) -> tuple[Ints, str | None]:
    """All queries in their order where they are few; else the worst and the best, from worst to best."""
    if len(values) <= _MAX_QUERIES:
        return np.arange(len(values)), None
    order = np.argsort(values if higher_is_better else -values, kind="stable")
    known = order[~np.isnan(values[order])]
    if len(known) <= _MAX_QUERIES:
        return known, f"{len(known)} of {query_count(len(values))}: those with a value, from the worst to the best"
    return _both_ends(known, len(values), "worst", "best")


def gains_and_losses(gain: Floats) -> tuple[Ints, str | None]:
    """Queries from the greatest gain to the greatest loss; of many, those at both ends."""
    order = np.argsort(-gain, kind="stable")
    if len(order) <= _MAX_QUERIES:
        return order, None
    return _both_ends(order, len(order), "greatest gains", "greatest losses")


def _both_ends(order: Ints, count: int, first: str, last: str) -> tuple[Ints, str]:
    half = _MAX_QUERIES // 2
    note = f"{_MAX_QUERIES} of {query_count(count)}: the {half} {first} and the {half} {last}"
    return np.concatenate((order[:half], order[-half:])), note


def pick_evenly(values: Floats, limit: int) -> Ints:
    """At most `limit` of the values: from the lowest to the highest in even steps, both ends included."""
    order = np.argsort(values, kind="stable")
    known = order[~np.isnan(values[order])]
    if len(known) <= limit:
        return known
    return known[np.linspace(0, len(known) - 1, limit).round().astype(np.int64)]


def first_measures(measures: list[Measure]) -> tuple[list[Measure], str | None]:
    """As many of the measures as there is room for."""
    if len(measures) <= _MAX_MEASURES:
        return measures, None
    return measures[:_MAX_MEASURES], f"{_MAX_MEASURES} of {len(measures)} measures"
