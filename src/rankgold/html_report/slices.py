"""A table with attributes of queries in, slices of the queries of a report out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.inputs import is_path
from rankgold.errors import DataError
from rankgold.kernels.segments import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Slice:
    """Some of the queries."""

    name: str
    queries: Ints
    """Their numbers, ascending."""


def slices_of(source: Any, queries: list[str]) -> list[Slice]:
    """A slice for each value of each attribute."""
    if source is None:
        return []
    table = _table(source)
    key = next((name for name in table.columns if name.lower() in ("query", "qid", "query_id", "topic", "id")), None)
    if key is None:
        raise DataError("the table of slices has no column of queries. Call it query.")
    number = {query: i for i, query in enumerate(queries)}
    known = [number.get(query, -1) for query in table[key].cast(pl.String).to_list()]
    slices = []
    for attribute in table.columns:
        if attribute == key:
            continue
        values = table[attribute].cast(pl.String).to_list()
        for value in sorted({value for value in values if value is not None}):
            rows = sorted({row for row, own in zip(known, values, strict=True) if own == value and row >= 0})
            if rows:
                slices.append(Slice(f"{attribute}: {value}", np.array(rows, dtype=np.int64)))
    return slices


def _table(source: Any) -> pl.DataFrame:
    if is_path(source):
        try:
            separator = "\t" if str(source).endswith((".tsv", ".tsv.gz")) else ","
            return pl.read_csv(source, infer_schema=False, separator=separator)
        except (OSError, pl.exceptions.PolarsError) as error:
            raise DataError(f"this cannot be read: {error}.", str(source)) from None
    if isinstance(source, Mapping):
        rows = [
            {"query": str(query), **(own if isinstance(own, Mapping) else {"slice": own})}
            for query, own in source.items()
        ]
        return pl.DataFrame(rows)
    return pl.DataFrame(source)
