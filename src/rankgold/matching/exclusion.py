"""Rows of a run in, the rows out that are left when the documents are taken out that each user already had."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from rankgold.data.ids import as_text, differ_in_type, positions_among, to_polars
from rankgold.data.pairs import read_pairs
from rankgold.data.query_groups import QueryGroups
from rankgold.data.table import Table
from rankgold.matching.hash_lookup import Lookup, hashes_of


@dataclass(frozen=True, slots=True)
class Exclusion:
    """Documents that are taken out of the lists of their queries before ranks are counted."""

    queries: pl.Series
    lookup: Lookup

    @classmethod
    def of(cls, source: object, columns: Mapping[str, str] | None = None) -> Exclusion:
        """The pairs of query and document in what the user passed."""
        return source if isinstance(source, Exclusion) else cls.of_pairs(read_pairs(source, columns))

    @classmethod
    def of_pairs(cls, pairs: pl.DataFrame) -> Exclusion:
        rows = Table(pairs.with_columns(grade=pl.lit(1.0)), "", lambda row: "the interactions").groups()
        return cls(to_polars(rows.queries), Lookup.of(to_polars(rows.documents), rows.starts))

    def pairs(self) -> pl.DataFrame:
        """All pairs as text."""
        queries = self.queries.gather(np.repeat(np.arange(len(self.queries)), np.diff(self.lookup.starts)))
        return pl.DataFrame({"query": as_text(queries), "document": as_text(self.lookup.documents)})

    def remaining(self, rows: QueryGroups) -> QueryGroups:
        """The rows without the excluded ones; a query may be left without rows."""
        known, queries, documents = self, to_polars(rows.queries), to_polars(rows.documents)
        if differ_in_type((queries, documents), (self.queries, self.lookup.documents)):
            known, queries, documents = self.of_pairs(self.pairs()), as_text(queries), as_text(documents)
        number = positions_among(queries, known.queries)
        at, _ = known.lookup.find(documents, hashes_of(documents), rows.starts, number)
        kept = np.ones(len(rows.numbers), dtype=bool)
        kept[at] = False
        return rows if kept.all() else rows.keep(kept)
