"""Reads the data of a report once, and numbers the documents it can name.

The pool of a query holds what any run has in its first ranks, and every document that counts in a measure. Ranks and
contributions then name a document by its small number in the pool, which is compact.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rankgold.core.errors import DataError
from rankgold.core.hits import Hits
from rankgold.core.policy import Policy
from rankgold.core.segments import Bools, Floats, Ints, positions, starts_of
from rankgold.data.exclusion import Exclusion, read_pairs
from rankgold.data.ids import positions_among, to_polars
from rankgold.data.inputs import read, read_runs
from rankgold.data.matching.run_pairs import SortedRun
from rankgold.data.matching.table_judgements import with_parents
from rankgold.data.polars_guard import check_polars
from rankgold.data.rows import Rows
from rankgold.engines.request import Request
from rankgold.scoring.evaluation import evaluated, hits_of
from rankgold.scoring.scores import Scores


@dataclass(frozen=True, slots=True, eq=False)
class ReportData:
    """The data of a report."""

    qrels: Rows
    runs: dict[str, Rows]
    request: Request
    exclude: pl.DataFrame | None
    """Pairs of a query and a document that is taken out of its lists."""
    hits: list[Hits]
    """The hits of each run. All have the same queries in the same order."""

    @classmethod
    def of(cls, request: Request) -> ReportData:
        """Everything is read once, and kept as tables."""
        check_polars()
        columns, policy = request.columns, request.policy
        request.report("reading")
        judged = read(request.qrels, "qrels", columns, policy.repeats).whole().table()
        named: dict[str, Rows] = {
            name: run.table() for name, run in read_runs(request.run, columns, policy.repeats, small=False)
        }
        request.report("matching")
        pairs = None if request.exclude is None else read_pairs(request.exclude, columns)
        data = {"qrels": judged, "run": dict(named)}
        request = replace(request, data=data, columns=None, exclude=pairs)
        hits = list(hits_of(replace(request, progress=None)))
        if not len(hits[0]):
            raise DataError("there is no judged query to report on.")
        return cls(judged, named, request, pairs, hits)

    @property
    def policy(self) -> Policy:
        return self.request.policy

    @property
    def queries(self) -> list[str]:
        """The judged queries as text."""
        return list(map(str, self.hits[0].queries))

    @property
    def names(self) -> list[str]:
        return list(self.runs)

    @property
    def judgements(self) -> pl.DataFrame:
        """A row for each judgement: query (its number), document, grade, row (its position among the documents)."""
        ideal = self.hits[0].ideal.whole
        documents: Any = ideal.documents
        return pl.DataFrame(
            {
                "query": ideal.query,
                "document": to_polars(documents).cast(pl.String).gather(ideal.row),
                "grade": ideal.grade,
                "row": ideal.row,
            }
        )

    def ranked(self, run: str) -> pl.DataFrame:
        """The lists of the judged queries as a run ranks them: query (its number), document, rank."""
        ranked = self.policy if self.policy.ties != "average" else replace(self.policy, ties="descending")
        groups = with_parents(self.runs[run].groups(), self.request.parent)
        if self.exclude is not None:
            groups = Exclusion.of_pairs(self.exclude).remaining(groups)
        lists = SortedRun.of(run, groups, ranked).with_text_ids()
        sizes = np.diff(lists.starts)
        query = np.repeat(positions_among(to_polars(lists.queries), pl.Series(self.queries, dtype=pl.String)), sizes)
        rank = positions(lists.starts) + 1
        kept = np.flatnonzero(query >= 0)
        documents = to_polars(lists.documents).gather(kept)
        return pl.DataFrame({"query": query[kept], "document": documents, "rank": rank[kept]}).sort("query", "rank")

    def scores_under(self, policy: Policy, measures: list[str]) -> Scores:
        """The scores of the same runs under another policy."""
        return evaluated(replace(self.request, policy=policy, rel=None, progress=None), measures)


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
