"""Tied scores that decide the result."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.checks.constant_scores import constant_queries
from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding, is_worth_a_finding
from rankgold.diagnosis.registry import check_of_run
from rankgold.diagnosis.tie_orders import largest_effect_of_ties


@check_of_run
def ties(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Documents with the same score, if another order of them changes a mean by 0.005 or more."""
    if not run.notes.tied_hits or 2 * constant_queries(run).height > run.by_query.height:
        return
    effect = largest_effect_of_ties(collection, run)
    if effect is None or not is_worth_a_finding(effect):
        return
    tied = run.frame.group_by("query", "score", maintain_order=True).agg(pl.len(), pl.col("document").head(2))
    query, score, count, documents = tied.sort("len", descending=True, maintain_order=True).row(0)
    hits = run.notes.retrieved - run.notes.unjudged
    yield Finding(
        "warning",
        f"{run.notes.tied_hits:,} of {hits:,} judged documents in the lists are tied with others, and their order moves"
        " the measures",
        f"query {query!r}: {count:,} documents with the score {score:g}, such as {', '.join(map(repr, documents))}",
        "Write scores with more digits. Or pass --policy ties=average, the mean over all orders.",
        effect,
    )
