"""A run in, how far another order of its tied documents moves the measures out."""

from __future__ import annotations

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun, largest
from rankgold.diagnosis.findings import Effect

_ORDERS = ("descending", "ascending", "input")


def largest_effect_of_ties(collection: ExaminedData, run: ExaminedRun) -> Effect | None:
    """The effect of the order that changes a mean most."""
    orders = [order for order in _ORDERS if order != collection.policy.ties]
    return largest(collection.effect(run, f"with ties={order}", policy={"ties": order}) for order in orders)
