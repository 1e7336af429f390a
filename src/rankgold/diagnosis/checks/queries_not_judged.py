"""Ranked queries that nobody judged."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding, agreed
from rankgold.diagnosis.registry import check_of_run
from rankgold.errors import counted, listing


@check_of_run
def queries_not_judged(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Queries that a run ranks but nobody judged."""
    unjudged = run.notes.without_judgements
    if not unjudged:
        return
    # A judgement that finds no document makes the query one without relevant documents.
    rows = {"query": pl.Series(map(str, unjudged), dtype=pl.String), "document": "", "grade": 0.0}
    added = pl.DataFrame(rows).with_columns(subtopic=pl.lit("0"), weight=1.0)
    judged = collection.judgements.with_columns(pl.col("query", "document").cast(pl.String))
    judged = pl.concat([judged, added], how="diagonal").select(judged.columns)
    yield Finding(
        "note",
        f"{counted(len(unjudged), 'query')} {agreed(len(unjudged), 'is', 'are')} ranked but not judged: left out",
        listing(map(repr, unjudged), 3),
        "Nothing, if only some queries were judged. Otherwise check that the judgements are complete.",
        collection.effect(run, "with these queries scored 0", judged=judged, policy={"no_relevant": "zero"}),
    )
