"""Ids that are integers on one side and text on the other."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding
from rankgold.diagnosis.registry import check_of_run
from rankgold.matching.judgements import IDS_AS_TEXT


@check_of_run
def id_types(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Ids of two types. rankgold compares them as text; other tools find no match."""
    if IDS_AS_TEXT not in run.notes.remarks:
        return
    roles = [role for role in ("query", "document") if run.frame[role].dtype != collection.judgements[role].dtype]
    role = roles[0] if roles else "document"
    judged, ranked = collection.judgements[role].first(), run.frame[role].first()
    # An id with its type before it matches no id of another type.
    typed = run.frame.with_columns(pl.format("typed {}", pl.col(name)).alias(name) for name in roles)
    yield Finding(
        "note",
        f"{role} ids are integers on one side and text on the other: compared as text",
        f"judged: {judged!r}, ranked: {ranked!r}",
        "Write ids as text on both sides before you use other tools, joins of frames for example.",
        collection.effect(run, "with ids compared by type, as other tools do", ranked=typed),
    )
