"""Queries without a relevant document."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData
from rankgold.diagnosis.findings import Finding, agreed
from rankgold.diagnosis.registry import check_of_collection
from rankgold.errors import counted, listing


@check_of_collection
def no_relevant(collection: ExaminedData) -> Iterator[Finding]:
    """Queries without a relevant document: no ranking of them is better than another."""
    thresholds = [m.threshold for m in collection.measures.values() if m.metric.wants_relevant]
    rel = max(thresholds, default=1.0)
    by_query = collection.judgements.group_by("query", maintain_order=True).agg(highest=pl.col("grade").max())
    empty = [query for queries_ in collection.judged.table.nothing.values() for query in queries_]
    without = [*by_query.filter(pl.col("highest") < rel)["query"], *empty]
    judged = by_query.height + len(empty)
    if not without:
        return
    then = "skip" if collection.policy.no_relevant == "zero" else "zero"
    yield Finding(
        "warning",
        f"{counted(len(without), 'query')} of {judged:,} {agreed(len(without), 'has', 'have')} no relevant document"
        f" (no grade from {rel:g} on)",
        listing(map(repr, without), 3),
        "Judge more documents, or leave these queries out for all systems: --policy no_relevant=skip.",
        collection.largest_effect(f"with no_relevant={then}", policy={"no_relevant": then}),
    )
