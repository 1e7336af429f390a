"""Rows that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun, InspectedRows
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.registry import check_of_rows
from rankgold.errors import counted


@check_of_rows
def bad_rows(collection: ExaminedData, rows: InspectedRows, run: ExaminedRun | None) -> Iterator[Finding]:
    """Lines with too few or too many fields, missing ids, grades or scores that are not finite numbers."""
    if rows.faults.bad_rows:
        yield Finding(
            "error",
            f"{counted(rows.faults.bad_rows, 'row')} of {rows.name} cannot be read, so evaluate refuses it",
            str(rows.faults.bad[0]),
            "Correct these rows or remove them.",
            collection.effect_on(run, "with these rows left out", is_refused=True),
        )
