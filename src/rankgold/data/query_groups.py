"""Puts the rows of each query side by side."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from rankgold.core.segments import Bools, Floats, Ints, starts_of
from rankgold.data.ids import IdColumn, to_polars
from rankgold.data.rows import Place

if TYPE_CHECKING:
    import polars as pl


@dataclass(frozen=True, slots=True)
class QueryGroups:
    """Rows by query: the rows of query i are `starts[i]:starts[i + 1]`."""

    queries: IdColumn
    starts: Ints
    documents: IdColumn
    numbers: Floats
    """Grades or scores."""
    place: Place
    """Where a row of the source comes from."""
    remarks: tuple[str, ...] = ()
    row: Ints | None = None
    """The row of the source that each row comes from; None if the order is the same."""
    subtopics: pl.Series | None = None
    """The subtopic for which each document is judged. A document then has a row for each of its subtopics."""
    weights: pl.Series | None = None
    """The weight of this subtopic."""

    def keep(self, which: Bools) -> QueryGroups:
        """The rows where the mask is true; a query may be left without rows."""
        rows = np.flatnonzero(which)
        return replace(
            self,
            starts=np.concatenate(([0], np.cumsum(which)))[self.starts],
            documents=self.documents.gather(rows),
            numbers=self.numbers[rows],
            row=rows if self.row is None else self.row[rows],
            subtopics=None if self.subtopics is None else self.subtopics.gather(rows),
            weights=None if self.weights is None else self.weights.gather(rows),
        )

    def of_queries(self, which: Bools) -> QueryGroups:
        """The rows of the queries where the mask is true."""
        lengths = np.diff(self.starts)
        rows = self.keep(np.repeat(which, lengths))
        queries = self.queries.gather(np.flatnonzero(which))
        return replace(rows, queries=queries, starts=starts_of(lengths[which]))

    def frame(self, number: str) -> pl.DataFrame:
        """The rows as columns: query, document, and the number under this name."""
        from polars import DataFrame

        query = np.repeat(np.arange(len(self.queries)), np.diff(self.starts))
        queries, documents = to_polars(self.queries), to_polars(self.documents)
        return DataFrame({"query": queries.gather(query), "document": documents, number: self.numbers})

    def place_of(self, at: int) -> str:
        """Where a row comes from."""
        return self.place(at if self.row is None else int(self.row[at]))
