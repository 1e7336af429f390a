"""Grades between 0 and 1."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.registry import check_of_collection
from rankgold.scoring.score_document import partial_rel, partial_remark


@check_of_collection
def partial_grades(collection: ExaminedData) -> Iterator[Finding]:
    """Grades above 0 and below 1, which are not relevant by default."""
    notes = collection.grade_notes
    for remark in partial_remark(notes, collection.measures):
        rel = partial_rel(notes)
        row = collection.judgements.filter((pl.col("grade") > 0) & (pl.col("grade") < 1)).row(0, named=True)
        yield Finding(
            "warning",
            remark.partition(". Pass")[0],
            f"query {row['query']!r}, document {row['document']!r}, grade {row['grade']:g}",
            f"Say from which grade on a document is relevant, such as --rel {rel:g}; or write whole grades.",
            collection.effect_of_rel(rel),
        )
