"""The values of many queries in, which of them a chart shows out, with a line for the title that says so."""

from dataclasses import dataclass

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.errors import counted
from rankgold.kernels.segments import Floats, Ints

NAMED = 8
"""How many sorted queries are named at each end."""
MAX_BARS = 1000
_MAX_ROWS = 40
_MAX_MEASURES = 6
MAX_RUNS = 40


@dataclass(frozen=True, slots=True, eq=False)
class ShownQueries:
    """The queries of a chart, from top to bottom."""

    positions: Ints
    """Where each query is in the values."""
    places: Ints
    """Where each query is among all that are sorted, from 0."""
    count: int
    """How many queries are sorted."""
    is_crowded: bool = False
    """Whether queries are too many for a labelled row each."""
    note: str | None = None


def worst_to_best(values: Floats, *, higher_is_better: bool, limit: int = MAX_BARS) -> ShownQueries:
    """All queries in their order where they are few; else those with a value, from the worst to the best."""
    if len(values) <= _MAX_ROWS:
        return _few_queries(np.arange(len(values)))
    known = _sorted_places(values if higher_is_better else -values)
    if len(known) <= _MAX_ROWS:
        note = f"{len(known)} of {counted(len(values), 'query')}: those with a value, from the worst to the best"
        return _few_queries(known, note)
    return _sorted_queries(known, "from the worst to the best", limit)


def gains_to_losses(gain: Floats) -> ShownQueries:
    """Queries from the greatest gain to the greatest loss."""
    order = np.argsort(-gain, kind="stable")
    if len(order) <= _MAX_ROWS:
        return _few_queries(order)
    first = "the greatest gain" if gain.max() > 0 else "the smallest loss"
    last = "the greatest loss" if gain.min() < 0 else "the smallest gain"
    return _sorted_queries(order, f"from {first} to {last}" if gain.any() else "all the same", MAX_BARS)


def _few_queries(order: Ints, note: str | None = None) -> ShownQueries:
    return ShownQueries(order, np.arange(len(order)), len(order), note=note)


def _sorted_queries(order: Ints, direction: str, limit: int) -> ShownQueries:
    """All queries; of more than the limit, those at both ends, which are named, and even steps between them."""
    count = len(order)
    places, some = np.arange(count), counted(count, "query")
    if count > limit:
        steps = np.linspace(NAMED, count - NAMED - 1, limit - 2 * NAMED).round().astype(np.int64)
        places = np.concatenate((places[:NAMED], steps, places[-NAMED:]))
        some = f"{len(places):,} of {some} in even steps"
    return ShownQueries(order[places], places, count, True, f"{some}, {direction}")


def pick_evenly(values: Floats, limit: int) -> Ints:
    """At most `limit` of the values: from the lowest to the highest in even steps, both ends included."""
    known = _sorted_places(values)
    if len(known) <= limit:
        return known
    return known[np.linspace(0, len(known) - 1, limit).round().astype(np.int64)]


def _sorted_places(values: Floats) -> Ints:
    """The places of the values that are numbers, from the lowest to the highest."""
    order = np.argsort(values, kind="stable")
    return order[~np.isnan(values[order])]


def best_runs_note(count: int) -> str | None:
    """Says that a chart shows only the best of so many runs; None where it shows them all."""
    return f"the best {MAX_RUNS} of {counted(count, 'run')}" if count > MAX_RUNS else None


def first_measures(measures: list[Measure]) -> tuple[list[Measure], str | None]:
    """As many of the measures as there is room for."""
    if len(measures) <= _MAX_MEASURES:
        return measures, None
    return measures[:_MAX_MEASURES], f"{_MAX_MEASURES} of {len(measures)} measures"
