"""What users had, in any form, in; columns of queries and documents, each pair once, out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from typing import Any, TypeGuard

import polars as pl

from rankgold.data.columns import check_column_names
from rankgold.data.ids import id_series
from rankgold.data.inputs import read
from rankgold.errors import DataError
from rankgold.forked_process import check_polars

_PAIR = 2


def read_pairs(source: object, columns: Mapping[str, str] | None = None) -> pl.DataFrame:
    """The pairs of a run or of judgements in any form, of a table with any further columns, or of a list of pairs."""
    check_polars()
    if isinstance(source, (Mapping, Sequence, Set)) and not isinstance(source, (str, bytes)) and not source:
        return pl.DataFrame(schema={"query": pl.String, "document": pl.String})
    if isinstance(source, Set):
        source = list(source)
    if _is_list_of_pairs(source):
        queries, documents = zip(*source, strict=True)
        frame = pl.DataFrame({"query": id_series(queries, "a query"), "document": id_series(documents, "a document")})
        if frame.null_count().sum_horizontal()[0]:
            raise DataError("an id cannot be None. Ids must be integers or text.", "the interactions")
    else:
        frame = read(source, "pairs", ids_of(columns), "first").table().frame.select("query", "document")
    return frame.unique(maintain_order=True)


def ids_of(columns: Mapping[str, str] | None) -> dict[str, str]:
    """Of the columns that the user named, those that a table of pairs has."""
    return {role: name for role, name in check_column_names(columns).items() if role in ("query", "document")}


def _is_list_of_pairs(source: object) -> TypeGuard[Sequence[Sequence[Any]]]:
    if not isinstance(source, Sequence) or isinstance(source, (str, bytes)) or not source:
        return False
    return all(isinstance(pair, (tuple, list)) and len(pair) == _PAIR for pair in source)
