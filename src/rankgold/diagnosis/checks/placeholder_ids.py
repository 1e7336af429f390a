"""Words for a missing value in place of ids."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import ExaminedData, InspectedRows
from rankgold.diagnosis.findings import Effect, Finding, agreed
from rankgold.diagnosis.registry import check_of_collection
from rankgold.errors import counted

_PLACEHOLDERS = ["", "nan", "NaN", "None", "null", "NULL", "<NA>", "undefined", "-1"]
_CHANGE = "with these rows left out"


@check_of_collection
def placeholder_ids(collection: ExaminedData) -> Iterator[Finding]:
    """Ids such as nan, None, null or -1, which mark a missing value where the file was written."""
    found = _placeholders(collection.judgements)
    if found.any():
        effect = collection.largest_effect(_CHANGE, judged=collection.judgements.filter(~found))
        yield _finding(collection.judged, found, None, effect)
    for run in collection.runs:
        found = _placeholders(run.frame)
        if found.any():
            effect = collection.effect(run, _CHANGE, ranked=run.frame.filter(~found))
            yield _finding(run.rows, found, run.name, effect)


def _placeholders(frame: pl.DataFrame) -> pl.Series:
    is_one = pl.col("query", "document").cast(pl.String).is_in(_PLACEHOLDERS)
    return frame.select(found=pl.any_horizontal(is_one))["found"]


def _finding(rows: InspectedRows, found: pl.Series, run: str | None, effect: Effect | None) -> Finding:
    at, count = found.arg_true()[0], int(found.sum())
    query, document = rows.table.frame.select("query", "document").row(at)
    return Finding(
        "warning",
        f"{counted(count, 'row')} of {rows.name} {agreed(count, 'has', 'have')} a mark of a missing value as id",
        f"{rows.table.place(at)}: query {query!r}, document {document!r}",
        "Remove these rows, or find out where the id got lost.",
        effect,
        run,
    )
