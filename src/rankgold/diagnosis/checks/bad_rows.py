"""Rows that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rankgold.diagnosis.examined_data import ExaminedData, InspectedRows, largest
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.registry import check_of_collection
from rankgold.errors import counted

_CHANGE = "with these rows left out"


@check_of_collection
def bad_rows(collection: ExaminedData) -> Iterator[Finding]:
    """Lines with a field too few or too many, ids that are missing, grades or scores that are not finite numbers."""
    if collection.judged.faults.bad_rows:
        effects = [collection.effect(run, _CHANGE, refused=True) for run in collection.runs]
        yield replace(_finding(collection.judged), effect=largest(effects))
    for run in collection.runs:
        if run.rows.faults.bad_rows:
            effect = collection.effect(run, _CHANGE, refused=True)
            yield replace(_finding(run.rows), run=run.name, effect=effect)


def _finding(rows: InspectedRows) -> Finding:
    what = f"{counted(rows.faults.bad_rows, 'row')} of {rows.name} cannot be read, so evaluate refuses it"
    return Finding("error", what, str(rows.faults.bad[0]), "Correct these rows or remove them.")
