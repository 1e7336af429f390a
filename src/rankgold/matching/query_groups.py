"""A table in, its rows with those of each query side by side out."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import polars as pl

from rankgold.data.table import Table, stretches
from rankgold.kernels.segments import Bools, Floats, Ints, starts_of

_FIRST = 10_000


@dataclass(frozen=True, slots=True)
class QueryGroups:
    """Rows by query: the rows of query i are `starts[i]:starts[i + 1]`."""

    queries: pl.Series
    starts: Ints
    documents: pl.Series
    numbers: Floats
    """Grades or scores."""
    row: Ints | None = None
    """The row of the table that each row comes from; None if the order is the same."""

    @classmethod
    def of(cls, table: Table, number: str) -> QueryGroups:
        """The rows of a table: queries in the order of their first rows, the rows of a query in their order."""
        frame = table.frame
        starts = stretches(frame["query"]) if table.starts is None else table.starts
        queries = frame["query"].gather(starts[:-1])
        if not _has_repeats(queries):
            return cls(queries, starts, frame["document"].rechunk(), frame[number].to_numpy())
        by_query = frame.with_row_index("row").group_by("query", maintain_order=True).agg("document", number, "row")
        return cls(
            by_query["query"],
            starts_of(by_query["row"].list.len().to_numpy()),
            by_query["document"].explode().rechunk(),
            by_query[number].explode().to_numpy(),
            by_query["row"].explode().to_numpy().astype(np.int64),
        )

    @property
    def lengths(self) -> Ints:
        return np.diff(self.starts)

    def spread(self, per_query: Ints) -> Ints:
        """For each row, the number of its query."""
        return np.repeat(per_query, self.lengths)

    def group(self, at: Ints) -> Ints:
        """The query of each row in `at`."""
        return np.searchsorted(self.starts, at, side="right") - 1

    def keep(self, which: Bools) -> QueryGroups:
        """The rows where the mask is true; a query may be left without rows."""
        return replace(
            self,
            starts=np.concatenate(([0], np.cumsum(which)))[self.starts],
            documents=self.documents.filter(pl.Series(which)),
            numbers=self.numbers[which],
            row=np.flatnonzero(which) if self.row is None else self.row[which],
        )

    def source_row(self, at: int) -> int:
        """The row of the table that a row comes from."""
        return at if self.row is None else int(self.row[at])


def _has_repeats(queries: pl.Series) -> bool:
    """Whether a query has several stretches of rows. Interleaved rows show that in their first stretches already."""
    return any(part.n_unique() < len(part) for part in (queries[:_FIRST], queries))
