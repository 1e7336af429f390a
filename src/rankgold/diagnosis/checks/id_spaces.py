"""Ids with spaces at their ends."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData
from rankgold.diagnosis.findings import Effect, Finding, agreed
from rankgold.diagnosis.id_changes import OUTER_SPACE, SPACES
from rankgold.diagnosis.id_effects import change_effect, largest_change_effect
from rankgold.diagnosis.registry import check_of_collection
from rankgold.errors import counted


@check_of_collection
def id_spaces(collection: ExaminedData) -> Iterator[Finding]:
    """Spaces, or characters that nobody sees, before or after ids. Such an id matches no id without them."""
    for role, ids in _with_spaces(collection.judgements):
        yield _finding(role, ids, collection.judged.name, None, largest_change_effect(collection, SPACES))
    for run in collection.runs:
        for role, ids in _with_spaces(run.frame):
            yield _finding(role, ids, run.rows.name, run.name, change_effect(collection, run, SPACES))


def _with_spaces(frame: pl.DataFrame) -> Iterator[tuple[str, pl.Series]]:
    for role in ("query", "document"):
        if frame[role].dtype == pl.String:
            ids = frame[role].unique(maintain_order=True)
            if len(found := ids.filter(ids.str.contains(OUTER_SPACE))):
                yield role, found


def _finding(role: str, ids: pl.Series, source: str, run: str | None, effect: Effect | None) -> Finding:
    amount = counted(len(ids), f"{role} id")
    what = f"{amount} of {source} {agreed(len(ids), 'has', 'have')} spaces or invisible characters at their ends"
    return Finding("error", what, ascii(ids[0]), SPACES.advice, effect, run)
