"""Words for a missing value in place of ids."""

from __future__ import annotations

from collections.abc import Iterator

import polars as pl

from rankgold.diagnosis.examined_data import Changes, ExaminedData, ExaminedRun, InspectedRows
from rankgold.diagnosis.findings import Finding, agreed
from rankgold.diagnosis.registry import check_of_rows
from rankgold.errors import counted

_PLACEHOLDERS = ["", "nan", "NaN", "None", "null", "NULL", "<NA>", "undefined", "-1"]


@check_of_rows
def placeholder_ids(collection: ExaminedData, rows: InspectedRows, run: ExaminedRun | None) -> Iterator[Finding]:
    """Ids such as nan, None, null or -1, which mark a missing value where the file was written."""
    frame = rows.table.frame
    is_placeholder = pl.any_horizontal(pl.col("query", "document").cast(pl.String).is_in(_PLACEHOLDERS))
    found = frame.select(found=is_placeholder)["found"]
    if not found.any():
        return
    at, count = found.arg_true()[0], int(found.sum())
    query, document = frame.select("query", "document").row(at)
    left = frame.filter(~found)
    changes: Changes = {"judged": left} if run is None else {"ranked": left}
    yield Finding(
        "warning",
        f"{counted(count, 'row')} of {rows.name} {agreed(count, 'has', 'have')} a mark of a missing value as id",
        f"{rows.table.place(at)}: query {query!r}, document {document!r}",
        "Remove these rows, or find out where the id got lost.",
        collection.effect_on(run, "with these rows left out", **changes),
    )
