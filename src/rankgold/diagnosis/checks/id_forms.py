"""Ids that would match after a simple change."""

from __future__ import annotations

from collections.abc import Iterator

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.id_changes import CASE, SPACES
from rankgold.diagnosis.id_effects import id_finding
from rankgold.diagnosis.registry import check_of_run


@check_of_run
def id_forms(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Ids that would match without a prefix, a suffix, zeros before a number, quotes, or in one Unicode form."""
    for found in run.id_changes:
        if found.change not in (CASE, SPACES):
            yield id_finding(collection, run, found)
