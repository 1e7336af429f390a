"""Judgements and a run that are swapped."""

from __future__ import annotations

from collections.abc import Iterator

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.registry import check_of_run
from rankgold.scoring.score_document import swapped_remark


@check_of_run
def swapped(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Grades that look like scores, and scores that look like grades."""
    for remark in swapped_remark(run.notes):
        judged = collection.judgements.select("query", "document", score="grade")
        ranked = run.frame.select("query", "document", grade="score")
        example = f"a grade is {run.notes.grades.highest:g}, a score {run.notes.scores.highest:g}"
        effect = collection.effect(run, "with the two exchanged", judged=ranked, ranked=judged)
        yield Finding("error", remark, example, "Pass the judgements first, then the run.", effect)
