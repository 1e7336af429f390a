"""A collection and a change of its ids in, how far the change moves the measures out, and the finding about it."""

from __future__ import annotations

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Effect, Finding, Severity
from rankgold.diagnosis.id_changes import FoundChange, IdChange

_SUITABLE = 0.5


def id_finding(collection: ExaminedData, run: ExaminedRun, found: FoundChange) -> Finding:
    """The finding that a change would make ids match."""
    nouns = "queries" if found.role == "query" else "documents"
    what = (
        f"{found.matches:,} of the {found.unmatched:,} judged {nouns} that the run does not have would match with"
        f" {found.change.done}"
    )
    severity: Severity = "error" if found.matches >= _SUITABLE * found.unmatched or run.hits is None else "warning"
    return Finding(
        severity,
        what,
        f"judged: {found.judged!a}, ranked: {found.ranked!a}",
        found.change.advice,
        change_effect(collection, run, *found.steps),
    )


def change_effect(collection: ExaminedData, run: ExaminedRun, *steps: tuple[IdChange, str]) -> Effect:
    """The means of a run as they are, and after changes of ids, each with the role of the ids: query or document."""
    judged, ranked = collection.judgements, run.frame
    for change, role in steps:
        ids = pl.col(role).cast(pl.String)
        judged, ranked = judged.with_columns(change.judged(ids)), ranked.with_columns(change.ranked(ids))
    return collection.effect(run, f"with {steps[-1][0].done}", judged=judged, ranked=ranked)
