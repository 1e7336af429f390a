"""Runs of unequal depth."""

from __future__ import annotations

from collections.abc import Iterator

from rankgold.diagnosis.examined_data import ExaminedData, largest
from rankgold.diagnosis.findings import Finding, is_worth_a_finding
from rankgold.diagnosis.registry import check_of_collection

_TIMES = 2


@check_of_collection
def unequal_depth(collection: ExaminedData) -> Iterator[Finding]:
    """A run with lists at least twice as deep as another's, if that changes a mean by 0.005 or more."""
    depth = {run.name: run.by_query["documents"].to_numpy().max() for run in collection.runs if run.by_query.height}
    if len(depth) < 2 or max(depth.values()) < _TIMES * min(depth.values()):
        return
    lowest = min(depth, key=lambda name: depth[name])
    cut = int(depth[lowest])
    deeper = [run for run in collection.runs if depth.get(run.name, 0) > cut]
    effect = largest(collection.effect(run, f"with depth={cut}", policy={"depth": cut}) for run in deeper)
    if effect is None or not is_worth_a_finding(effect):
        return
    yield Finding(
        "warning",
        f"the runs have lists of different depth, from {min(depth.values()):,} to {max(depth.values()):,} documents:"
        " measures without a cutoff favour the deeper ones",
        f"{lowest}: {cut:,} documents, {effect.run}: {depth[effect.run]:,}",
        f"Write lists of one depth, or cut them with --depth {cut}.",
        effect,
    )
