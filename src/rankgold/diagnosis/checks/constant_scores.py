"""Lists in which all documents have the same score."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.registry import check_of_run
from rankgold.diagnosis.tie_orders import largest_effect_of_ties
from rankgold.errors import counted

_SHORTEST = 3


@check_of_run
def constant_scores(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Lists of three or more documents with the same score: their ids decide the order."""
    constant = constant_queries(run)
    if not constant.height:
        return
    query, documents, score = constant.select("query", "documents", "low").row(0)
    yield Finding(
        "error" if 2 * constant.height > run.by_query.height else "warning",
        f"all documents of {counted(constant.height, 'query')} have the same score, so that their ids decide the order",
        f"query {query!r}: {documents:,} documents with the score {score:g}",
        "Write the scores of the system. If only the order is known, give falling scores, or pass --policy ties=input.",
        largest_effect_of_ties(collection, run),
    )


def constant_queries(run: ExaminedRun) -> pl.DataFrame:
    return run.by_query.filter((pl.col("documents") >= _SHORTEST) & (pl.col("low") == pl.col("high")))
