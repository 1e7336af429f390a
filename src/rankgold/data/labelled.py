"""A table with grades and scores in, judgements and a run out: what a model for ranking predicts beside its labels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from rankgold.data.columns import Columns
from rankgold.data.inputs import read
from rankgold.data.inspection import RowFaults
from rankgold.data.table import Table, TableSource, check_rows, places_of
from rankgold.errors import DataError


def judged_and_ranked(
    source: object, columns: Mapping[str, str] | None, faults: RowFaults | None = None
) -> tuple[Table, Table]:
    """The judgements and the runs in a table that holds both. Without a column of documents, each row is one."""
    table = read(source, "labelled", columns, faults=faults).table()
    of_subtopics = [role for role in ("subtopic", "weight") if role in table.frame.columns]
    judged = table.frame.select("query", "document", "grade", *of_subtopics)
    if "run" in table.frame.columns:
        judged = judged.unique(maintain_order=True)
    ranked = table.frame.drop("grade", *of_subtopics)
    if not of_subtopics:
        return replace(table, frame=judged), replace(table, frame=ranked, remarks=())
    once = ranked.with_row_index("row").unique(ranked.columns, keep="first", maintain_order=True)
    place = places_of(table.place, once["row"])
    return replace(table, frame=judged), replace(table, frame=once.drop("row"), place=place, remarks=())


def labelled_table(selected: pl.DataFrame, columns: Columns, source: TableSource) -> Table:
    """The checked table of columns under the names of their roles."""
    if not columns.document:
        if "run" in selected.columns:
            raise DataError("a table of several runs needs a column of documents.", source.place(0))
        # As text the numbers of rows have the order of the rows.
        width = len(str(selected.height))
        number = pl.int_range(1, pl.len() + 1, dtype=pl.Int64).cast(pl.String).str.zfill(width)
        selected = selected.with_columns(document=number)
    judged, place = check_rows(selected, columns, source.place, source.faults)
    frame, place = check_rows(judged, replace(columns, number_is=columns.score_is), place, source.faults)
    return Table(frame, source.name, place, columns.remarks, is_numbered=not columns.document)
