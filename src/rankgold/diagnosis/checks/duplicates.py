"""Documents that are in a query twice."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData, InspectedRows
from rankgold.diagnosis.findings import Finding, agreed
from rankgold.diagnosis.registry import check_of_collection
from rankgold.errors import counted
from rankgold.matching.repeats import duplicate_error

_CHANGE = "with the last row of each document instead of the first"
_ADVICE = "Remove all rows of a document but one, or pass --policy duplicates=first, last or best."


@check_of_collection
def duplicates(collection: ExaminedData) -> Iterator[Finding]:
    """The same document twice in a query, in the judgements or in a run. Its rows may have different numbers."""
    for finding in _of_rows(collection.judged, "judges", "grade"):
        yield replace(finding, effect=collection.largest_effect(_CHANGE, duplicates="last"))
    for run in collection.runs:
        for finding in _of_rows(run.rows, "ranks", "score"):
            effect = collection.effect(run, _CHANGE, duplicates="last")
            yield replace(finding, run=run.name, effect=effect)


def _of_rows(rows: InspectedRows, verb: str, number: str) -> Iterator[Finding]:
    if rows.faults.repeated_rows:
        count = rows.faults.repeated_rows
        what = f"{counted(count, 'row')} of {rows.name} {agreed(count, 'repeats', 'repeat')} an id; evaluate refuses it"
        yield Finding("error", what, str(rows.faults.repeats[0]), _ADVICE)
    frame = rows.table.frame
    keys = [key for key in ("query", "document", "subtopic") if key in frame.columns]
    is_repeated = frame.select(keys).is_duplicated()
    if not is_repeated.any():
        return
    repeats = frame.with_row_index("row").filter(is_repeated)
    by_document = repeats.group_by(keys, maintain_order=True).agg("row", contradicts=pl.col(number).n_unique() > 1)
    surplus = repeats.height - by_document.height
    contradicting = int(by_document["contradicts"].sum())
    what = (
        f"{counted(surplus, 'row')} of {rows.name} {agreed(surplus, 'repeats', 'repeat')} a document of a query,"
        f" {contradicting:,} of them with another {number}; evaluate refuses it"
    )
    first = by_document.sort("contradicts", descending=True, maintain_order=True).row(0, named=True)
    places = [rows.table.place(row) for row in first["row"][:2]]
    yield Finding("error", what, str(duplicate_error(first["query"], verb, first["document"], *places)), _ADVICE)
