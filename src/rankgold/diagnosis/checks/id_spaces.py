"""Ids with spaces at their ends."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun, InspectedRows, largest
from rankgold.diagnosis.findings import Effect, Finding, agreed
from rankgold.diagnosis.id_changes import OUTER_SPACE, SPACES
from rankgold.diagnosis.id_effects import change_effect
from rankgold.diagnosis.registry import check_of_rows
from rankgold.errors import counted

_ROLES = ("query", "document")


@check_of_rows
def id_spaces(collection: ExaminedData, rows: InspectedRows, run: ExaminedRun | None) -> Iterator[Finding]:
    """Spaces or invisible characters before or after ids. Such an id matches no id without them."""
    for role in _ROLES:
        column = rows.table.frame[role]
        if column.dtype != pl.String:
            continue
        ids = column.unique(maintain_order=True)
        ids = ids.filter(ids.str.contains(OUTER_SPACE))
        if len(ids):
            yield Finding(
                "error",
                f"{counted(len(ids), f'{role} id')} of {rows.name} {agreed(len(ids), 'has', 'have')} spaces or"
                " invisible characters at their ends",
                ascii(ids[0]),
                SPACES.advice,
                _effect(collection, run),
            )


def _effect(collection: ExaminedData, run: ExaminedRun | None) -> Effect | None:
    """The effect of stripping all ids, on a run; on the most affected run if it is None."""
    runs = collection.runs if run is None else [run]
    return largest(change_effect(collection, moved, *((SPACES, role) for role in _ROLES)) for moved in runs)
