"""The same run under two names."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun
from rankgold.diagnosis.findings import Effect, Finding
from rankgold.diagnosis.registry import check_of_collection


@check_of_collection
def same_runs(collection: ExaminedData) -> Iterator[Finding]:
    """Two runs with the same documents and scores."""
    for first, second in combinations(collection.runs, 2):
        if not _are_same(first, second):
            continue
        effect = None
        if first.scores is not None and second.scores is not None:
            means, others = first.scores.means, second.scores.means
            values = {label: (means[label], others[label]) for label in means}
            effect = Effect(f"with {second.name} in its place", first.name, values)
        query, document, score = first.frame.select("query", "document", "score").row(0)
        yield Finding(
            "warning",
            f"{first.name} and {second.name} are the same run: {first.frame.height:,} equal rows",
            f"query {query!r}, document {document!r}, score {score:g} in both",
            "Check that the right file was copied.",
            effect,
        )


def _are_same(first: ExaminedRun, second: ExaminedRun) -> bool:
    rows, others = (run.frame.select("query", "document", "score") for run in (first, second))
    # Nearly all runs that differ do so in their sizes or sums, which are faster to compare than sorted rows.
    may_be_same = 0 < rows.height == others.height and rows.schema == others.schema
    if not may_be_same or rows["score"].sum() != others["score"].sum():
        return False
    return rows.sort(rows.columns).equals(others.sort(others.columns))
