"""Scores that are equal in 32 bits."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding, is_worth_a_finding
from rankgold.diagnosis.registry import check_of_run
from rankgold.scoring.score_document import is_moved_at_32_bits


@check_of_run
def score_bits(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Scores that differ in 64 bits and are equal in 32: trec_eval 9 and pytrec_eval see ties."""
    notes = run.notes
    if not is_moved_at_32_bits(notes):
        return
    effect = collection.effect(run, "with score_bits=32", policy={"score_bits": 32})
    rows = run.frame.with_columns(short=pl.col("score").cast(pl.Float32))
    equal = rows.group_by("query", "short", maintain_order=True).agg(pl.col("score").unique(maintain_order=True))
    query, low, high = (
        equal.filter(pl.col("score").list.len() > 1)
        .select("query", pl.col("score").list.get(0), pl.col("score").list.get(1).alias("other"))
        .row(0)
    )
    yield Finding(
        "warning" if is_worth_a_finding(effect) else "note",
        f"{notes.moved_at_32_bits:,} of {notes.retrieved - notes.unjudged:,} judged documents in the lists would have"
        " another rank with scores of 32 bits",
        f"query {query!r}: {low!r} and {high!r} are the same number in 32 bits",
        "For other tools, subtract what all scores have in common, or write ranks as scores.",
        effect,
    )
