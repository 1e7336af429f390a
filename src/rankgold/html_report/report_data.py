"""Judgements and runs in any form in, the data of a report out: hits and sorted lists of each run, read once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.ids import positions_among, to_polars
from rankgold.data.inputs import read
from rankgold.data.named_runs import read_runs
from rankgold.data.pairs import read_pairs
from rankgold.data.rows import Rows
from rankgold.engines.request import Request
from rankgold.errors import DataError
from rankgold.evaluation import evaluated, hits_of
from rankgold.forked_process import check_polars
from rankgold.hits import Hits
from rankgold.kernels.segments import positions
from rankgold.matching.exclusion import Exclusion
from rankgold.matching.run_pairs import SortedRun
from rankgold.matching.table_judgements import with_parents
from rankgold.policy import Policy
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
