"""Documents that are in a query twice."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData, ExaminedRun, InspectedRows
from rankgold.diagnosis.findings import Finding, agreed
from rankgold.diagnosis.registry import check_of_rows
from rankgold.errors import counted
from rankgold.matching.repeats import duplicate_error

_CHANGE = "with the last row of each document instead of the first"
_ADVICE = "Remove all rows of a document but one, or pass --policy duplicates=first or last."


@check_of_rows
def duplicates(collection: ExaminedData, rows: InspectedRows, run: ExaminedRun | None) -> Iterator[Finding]:
    """The same document twice in a query, in the judgements or in a run. Its rows may have different numbers."""
    for what, example in _repeats(rows, *(("judges", "grade") if run is None else ("ranks", "score"))):
        yield Finding(
            "error", what, example, _ADVICE, collection.effect_on(run, _CHANGE, policy={"duplicates": "last"})
        )


def _repeats(rows: InspectedRows, verb: str, number: str) -> Iterator[tuple[str, str]]:
    """What is repeated, and an example."""
    if rows.faults.repeated_rows:
        count = rows.faults.repeated_rows
        what = f"{counted(count, 'row')} of {rows.name} {agreed(count, 'repeats', 'repeat')} an id; evaluate refuses it"
        yield what, str(rows.faults.repeats[0])
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
    yield what, str(duplicate_error(first["query"], verb, first["document"], *places))
