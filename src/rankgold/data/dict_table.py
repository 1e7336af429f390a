"""Rows held as dicts in, the same rows as a table, or by query, out."""

from __future__ import annotations

import numpy as np
import polars as pl

from rankgold.data.columns import NUMBER, WHAT, Kind
from rankgold.data.dicts import DictRows, numbers
from rankgold.data.ids import id_series
from rankgold.data.query_groups import QueryGroups
from rankgold.data.rows import Nested
from rankgold.data.table import Table
from rankgold.kernels.segments import starts_of


def groups_of_dicts(tables: Nested, kind: Kind, remarks: tuple[str, ...] = ()) -> QueryGroups:
    """The rows by query. A query that is judged with nothing, or ranked with nothing, has no rows."""
    starts = starts_of(np.array([len(row) for row in tables.values()], dtype=np.int64))
    queries = id_series(list(tables), f"{WHAT[kind]}: a query")
    documents = id_series([document for row in tables.values() for document in row], f"{WHAT[kind]}: a document")

    def place(row: int) -> str:
        return f"{WHAT[kind]}, query {queries[int(np.searchsorted(starts, row, side='right')) - 1]!r}"

    return QueryGroups(queries, starts, documents, numbers(tables, tables, kind), place, remarks)


def table_of_dicts(rows: DictRows) -> Table:
    """The table of all runs, with a column of runs if there are several. Ids of mixed types become text."""
    kind = rows.kind
    frames = {name: groups_of_dicts(tables, kind).frame(NUMBER[kind]) for name, tables in rows.runs.items()}
    if len(frames) == 1:
        frame = frames[rows.name]
    else:
        frame = pl.concat(
            [part.with_columns(run=pl.lit(name)) for name, part in frames.items()], how="vertical_relaxed"
        )
    return Table(frame, rows.name, lambda row: f"{WHAT[kind]}, query {frame['query'][row]!r}", rows.remarks)
