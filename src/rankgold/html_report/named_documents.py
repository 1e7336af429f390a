"""The data of a report in, its pool out: the documents that the page can name, numbered from 0 in each query.

The pool of a query holds what any run has in its first ranks, and every document that counts in a measure. Ranks and
contributions then name a document by its small number in the pool, which is compact.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rankgold.html_report.report_data import ReportData
from rankgold.kernels.segments import Bools, Floats, Ints, starts_of


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The documents of all queries, query by query."""

    starts: Ints
    ids: list[str]
    """The distinct ids, in the order of their first use."""
    document: Ints
    """The position in `ids` of each row."""
    grade: Floats
    """NaN where a document is not judged."""
    ranks: list[Ints]
    """For each run, the rank of each row; 0 where the run does not retrieve it."""
    depth: int
    """The last rank of which every document is in the pool."""
    place_of_judgement: Ints
    """For the position of each judged document in Hits, its number in the pool of its query; -1 if it is not there."""

    @property
    def query(self) -> Ints:
        """The number of the query of each row."""
        return np.repeat(np.arange(len(self.starts) - 1), np.diff(self.starts))

    @property
    def is_listed(self) -> Bools:
        """Whether a row is in the first ranks of any run."""
        listed: Bools = np.any([(rank > 0) & (rank <= self.depth) for rank in self.ranks], axis=0)
        return listed

    def to_columns(self) -> dict[str, Any]:
        """The columns for the page."""
        grades = sorted({float(grade) for grade in np.unique(self.grade) if not np.isnan(grade)})
        code = np.searchsorted(grades, np.nan_to_num(self.grade)) + 1
        return {
            "sizes": np.diff(self.starts),
            "ids": self.ids,
            "steps": np.diff(self.document, prepend=0),
            "grades": grades,
            "grade": np.where(np.isnan(self.grade), 0, code),
            "ranks": self.ranks,
            "depth": self.depth,
        }


def pool_of(collection: ReportData, depth: int, counted: Ints) -> Pool:
    """The pool with the first `depth` documents of each list, and the judged documents at the positions `counted`."""
    judged, n_queries = collection.judgements, len(collection.queries)
    lists = [collection.ranked(name) for name in collection.names]
    is_counted = pl.Series(np.isin(judged["row"].to_numpy(), counted))
    needed = judged.filter(is_counted | (pl.col("grade") > 0)).select("query", "document")
    keys = pl.concat([*(rows.filter(pl.col("rank") <= depth).select("query", "document") for rows in lists), needed])
    rows = keys.unique(maintain_order=True).sort("query", maintain_order=True)
    query = rows["query"].to_numpy()
    starts = starts_of(np.bincount(query, minlength=n_queries))
    rows = rows.with_columns(place=pl.Series(np.arange(len(rows)) - starts[query]))
    ids = rows["document"].unique(maintain_order=True)
    number = pl.DataFrame({"document": ids, "number": np.arange(len(ids))})
    places = judged.join(rows, on=("query", "document"), how="left", maintain_order="left")
    place_of_judgement = np.full(len(judged), -1)
    place_of_judgement[places["row"].to_numpy()] = places["place"].fill_null(-1).to_numpy()
    return Pool(
        starts=starts,
        ids=ids.to_list(),
        document=rows.join(number, on="document", how="left", maintain_order="left")["number"].to_numpy(),
        grade=_looked_up(rows, judged, "grade", np.nan),
        ranks=[_looked_up(rows, ranked, "rank", 0) for ranked in lists],
        depth=depth,
        place_of_judgement=place_of_judgement,
    )


def _looked_up(rows: pl.DataFrame, known: pl.DataFrame, column: str, absent: float) -> Any:
    """A column of the rows with the same query and document."""
    found = rows.join(
        known.select("query", "document", column), on=("query", "document"), how="left", maintain_order="left"
    )
    return found[column].fill_null(absent).to_numpy()
