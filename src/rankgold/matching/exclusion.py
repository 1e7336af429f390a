"""Rows of a run in, the rows out that are left when the documents are taken out that each user already had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.ids import IdColumn, is_text, to_polars
from rankgold.data.pairs import read_pairs
from rankgold.data.query_groups import QueryGroups
from rankgold.data.table import Table
from rankgold.matching.hash_lookup import Lookup, hashes_of


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Documents that are taken out of the lists of their queries before ranks are counted."""

    queries: pl.Series
    lookup: Lookup
    as_text: tuple[bool, bool]
    """Whether the ids of queries are text, and those of documents."""

    @classmethod
    def of(cls, source: Any, columns: Mapping[str, str] | None = None) -> Exclusion:
        """The pairs of query and document in what the user passed."""
        return source if isinstance(source, Exclusion) else cls.of_pairs(read_pairs(source, columns))

    @classmethod
    def of_pairs(cls, pairs: pl.DataFrame) -> Exclusion:
        rows = Table(pairs.with_columns(grade=pl.lit(1.0)), "", lambda row: "the interactions").groups()
        documents = to_polars(rows.documents)
        queries = to_polars(rows.queries)
        return cls(queries, Lookup.of(documents, rows.starts), (is_text(queries), is_text(documents)))

    def pairs(self) -> pl.DataFrame:
        """All pairs as text."""
        queries = self.queries.gather(np.repeat(np.arange(len(self.queries)), np.diff(self.lookup.starts)))
        documents = to_polars(self.lookup.documents)
        return pl.DataFrame({"query": queries.cast(pl.String), "document": documents.cast(pl.String)})

    def remaining(self, rows: QueryGroups) -> QueryGroups:
        """The rows without the excluded ones; a query may be left without rows."""
        if (is_text(rows.queries), is_text(rows.documents)) != self.as_text:
            return self._with_text_ids()._remaining(rows, as_text(rows.queries), as_text(rows.documents))
        return self._remaining(rows, to_polars(rows.queries), to_polars(rows.documents))

    def _remaining(self, rows: QueryGroups, queries: pl.Series, documents: pl.Series) -> QueryGroups:
        known = pl.DataFrame({"query": self.queries, "number": np.arange(len(self.queries))})
        asked = queries.alias("query").to_frame()
        number = asked.join(known, on="query", how="left", maintain_order="left")["number"].fill_null(-1).to_numpy()
        at, _ = self.lookup.find(documents, hashes_of(documents), rows.starts, number)
        kept = np.ones(len(rows.numbers), dtype=bool)
        kept[at] = False
        return rows if kept.all() else rows.keep(kept)

    def _with_text_ids(self) -> Exclusion:
        return self.of_pairs(self.pairs())


def as_text(ids: IdColumn) -> pl.Series:
    return to_polars(ids).cast(pl.String)
