"""Ids that differ in case only."""

from __future__ import annotations

from collections.abc import Iterator

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.id_changes import CASE
from rankgold.diagnosis.id_effects import id_finding
from rankgold.diagnosis.registry import check_of_run


@check_of_run
def id_case(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Ids of the two sides that would match if case did not count."""
    for found in run.id_changes:
        if found.change is CASE:
            yield id_finding(collection, run, found)
