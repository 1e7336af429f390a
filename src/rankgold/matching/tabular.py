"""Dicts as tables, for matching with something that is a table."""

from __future__ import annotations

import numpy as np
import polars as pl

from rankgold.data.chunks import Parts
from rankgold.data.columns import NUMBER, WHAT, Kind
from rankgold.data.dicts import Nested, numbers
from rankgold.data.table import Table


def as_table(content: Table | Parts | Nested, kind: Kind) -> Table:
    """What was read, in whatever form, as one table."""
    if isinstance(content, dict):
        return table_of_dict(content, kind)
    return content.at_once() if isinstance(content, Parts) else content


def table_of_dict(source: Nested, kind: Kind) -> Table:
    """The table of a dict of dicts. Ids of mixed types become text."""
    lengths = [len(row) for row in source.values()]
    frame = pl.DataFrame(
        {
            "query": _ids(list(source)).gather(np.repeat(np.arange(len(source)), lengths)),
            "document": _ids([document for row in source.values() for document in row]),
            NUMBER[kind]: numbers(source, source, kind),
        }
    )
    return Table(frame, "run", lambda row: f"{WHAT[kind]}, query {frame['query'][row]!r}")


def _ids(ids: list[object]) -> pl.Series:
    if ids and all(isinstance(one, (int, np.integer)) and -(2**63) <= one < 2**63 for one in ids):
        return pl.Series(values=np.array(ids, dtype=np.int64))
    return pl.Series([str(one) for one in ids], dtype=pl.String)
