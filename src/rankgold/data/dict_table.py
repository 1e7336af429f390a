"""Rows held as dicts in, the same rows as a table out."""

from __future__ import annotations

import numpy as np
import polars as pl

from rankgold.data.columns import NUMBER, WHAT, Kind
from rankgold.data.dicts import DictRows, numbers
from rankgold.data.rows import Nested
from rankgold.data.table import Table


def table_of_dicts(rows: DictRows) -> Table:
    """The table of all runs, with a column of runs if there are several. Ids of mixed types become text."""
    frames = {name: _frame(tables, rows.kind) for name, tables in rows.runs.items()}
    if len(frames) == 1:
        frame = frames[rows.name]
    else:
        frame = pl.concat(
            [part.with_columns(run=pl.lit(name)) for name, part in frames.items()], how="vertical_relaxed"
        )
    return Table(frame, rows.name, lambda row: f"{WHAT[rows.kind]}, query {frame['query'][row]!r}")


def _frame(tables: Nested, kind: Kind) -> pl.DataFrame:
    lengths = [len(documents) for documents in tables.values()]
    return pl.DataFrame(
        {
            "query": _ids(list(tables)).gather(np.repeat(np.arange(len(tables)), lengths)),
            "document": _ids([document for documents in tables.values() for document in documents]),
            NUMBER[kind]: numbers(tables, tables, kind),
        }
    )


def _ids(ids: list[object]) -> pl.Series:
    if ids and all(isinstance(id_, (int, np.integer)) and -(2**63) <= id_ < 2**63 for id_ in ids):
        return pl.Series(values=np.array(ids, dtype=np.int64))
    return pl.Series([str(id_) for id_ in ids], dtype=pl.String)
