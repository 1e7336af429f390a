"""Lists that are much shorter than the others of their run."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding, agreed
from rankgold.diagnosis.registry import check_of_run
from rankgold.errors import counted

# A list is short if it has less than this share of the usual number of documents, where that is large enough.
_SHARE, _USUAL = 0.1, 20


@check_of_run
def short_lists(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Lists with less than a tenth of the usual number of documents: cut off, or a query that found little."""
    by_query = run.by_query
    usual = float(by_query["documents"].median() or 0)  # type: ignore[arg-type]
    short = by_query.filter(pl.col("documents") < _SHARE * usual)
    if usual < _USUAL or not short.height:
        return
    query, documents = short.sort("documents", maintain_order=True).select("query", "documents").row(0)
    others = by_query.filter(~pl.col("query").is_in(short["query"].to_list()))["query"].to_list()
    yield Finding(
        "note",
        f"{counted(short.height, 'query')} of {by_query.height:,} {agreed(short.height, 'has', 'have')} much less"
        f" than the usual {usual:,.0f} documents",
        f"query {query!r}: {documents:,}",
        "Check that the file was written to the end, and that the search of these queries did not fail.",
        collection.effect(run, "with these queries left out", topics=others),
    )
