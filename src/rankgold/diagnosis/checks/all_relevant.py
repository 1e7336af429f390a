"""Judgements of which all are relevant, or none."""

from __future__ import annotations

from collections.abc import Iterator

from rankgold.diagnosis.examined_data import ExaminedData
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.registry import check_of_collection
from rankgold.scoring.score_document import lenient_remark, middle_rel, too_high_remark


@check_of_collection
def all_relevant(collection: ExaminedData) -> Iterator[Finding]:
    """Different grades that are all relevant, such as ratings from 1 to 5; or a threshold above all grades."""
    notes = collection.grade_notes
    for remark in lenient_remark(notes, collection.measures):
        yield _finding(collection, remark.partition(". If")[0], middle_rel(notes))
    for remark in too_high_remark(notes, collection.measures):
        yield _finding(collection, remark.partition(". Pass")[0], notes.grades.highest)


def _finding(collection: ExaminedData, what: str, rel: float) -> Finding:
    query, document, grade = (
        collection.judgements.sort("grade", maintain_order=True).select("query", "document", "grade").row(0)
    )
    return Finding(
        "warning",
        what,
        f"the lowest grade: query {query!r}, document {document!r}, grade {grade:g}",
        f"Say from which grade on a document is relevant, such as --rel {rel:g}.",
        collection.effect_of_rel(rel),
    )
