"""Judged queries that a run does not rank."""

from __future__ import annotations

from collections.abc import Iterator

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Finding, agreed
from rankgold.diagnosis.registry import check_of_run
from rankgold.errors import counted, listing


@check_of_run
def queries_not_ranked(collection: ExaminedData, run: ExaminedRun) -> Iterator[Finding]:
    """Judged queries without a list in a run."""
    missing = run.notes.without_ranking
    if not missing:
        return
    now, then = ("scored 0", "skip") if collection.policy.missing == "zero" else ("left out", "zero")
    yield Finding(
        "warning",
        f"{counted(len(missing), 'query')} of {run.notes.queries:,} {agreed(len(missing), 'is', 'are')} judged but not"
        f" ranked: {now}",
        listing(map(repr, missing), 3),
        "Rank them; if the system returned nothing for them, leave them at 0 for all systems alike.",
        collection.effect(run, f"with missing={then}", policy={"missing": then}),
    )
