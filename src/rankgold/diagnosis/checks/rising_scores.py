"""Scores that rise with rank."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.registry import check_of_run
from rankgold.errors import counted

_SHORTEST = 3


@check_of_run
def rising_scores(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Scores that rise from one rank to the next, such as distances. Without ranks, from row to row of all queries."""
    has_ranks = "rank" in run.frame.columns
    rows = run.frame.with_row_index("row")
    if has_ranks:
        rows = rows.with_columns(pl.col("rank").cast(pl.Float64, strict=False)).drop_nulls("rank")
        rows = rows.sort("query", "rank", maintain_order=True)
    # Of two documents with the same rank, neither is above the other: some tools write 0 or 1 in all lines.
    is_below = pl.col("rank").diff().over("query") > 0 if has_ranks else pl.lit(True)
    change = pl.when(is_below).then(pl.col("score").diff().over("query"))
    by_query = (
        rows.with_columns(change=change)
        .group_by("query", maintain_order=True)
        .agg(
            rises=(pl.col("change") > 0).sum(),
            falls=(pl.col("change") < 0).sum(),
            documents=pl.len(),
            low=pl.col("score").first(),
            high=pl.col("score").last(),
        )
    )
    long = by_query.filter(pl.col("documents") >= _SHORTEST)
    only_rise = long.filter((pl.col("rises") > 0) & (pl.col("falls") == 0))
    rising = by_query.filter(pl.col("rises") > 0) if has_ranks else only_rise
    if not rising.height or (not has_ranks and only_rise.height < long.height):
        return
    if has_ranks:
        ranked = rows.sort("row").drop("row").with_columns(score=-pl.col("rank"))
        effect = collection.effect(run, "with the ranks in place of the scores", ranked=ranked)
    else:
        effect = collection.effect(run, "with the scores turned round", ranked=run.frame.with_columns(-pl.col("score")))
        # A file may be sorted from the worst document to the best. Then the scores are right.
        if not any(after > now for now, after in effect.values.values()):
            return
    query, low, high = rising.sort("rises", descending=True, maintain_order=True).select("query", "low", "high").row(0)
    is_all = 2 * only_rise.height > by_query.height
    yield Finding(
        "error" if is_all else "warning",
        f"scores rise with {'rank' if has_ranks else 'the order of rows'} in {counted(rising.height, 'query')} of"
        f" {by_query.height:,}, and a higher score is ranked first",
        f"query {query!r}: the score of the first document is {low:g}, of the last {high:g}",
        "If low is good, as with distances, turn the scores round (-score). Otherwise correct the ranks.",
        effect,
    )
