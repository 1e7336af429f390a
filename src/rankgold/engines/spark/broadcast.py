"""Judgements of all queries in, packed for a broadcast to every task; the judgements of some queries out."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import polars as pl

from rankgold.data.ids import to_polars
from rankgold.data.parents import ParentRule
from rankgold.data.query_groups import QueryGroups
from rankgold.kernels.segments import Ints, ranges, starts_of
from rankgold.kernels.subtopics import Subtopics
from rankgold.matching.table_judgements import TableJudgements
from rankgold.policy import Policy


@dataclass(frozen=True)
class BroadcastJudgements:
    """All judgements, query by query. A query is identified by its number."""

    packed: bytes
    """Documents and grades, in Arrow's format."""
    names: bytes
    """The queries, as they are compared with those of the run, in Arrow's format."""
    starts: Ints
    """The judgements of query i are at `starts[i]:starts[i + 1]`."""
    subtopics: Subtopics | None = None

    @classmethod
    def of(cls, judged: TableJudgements, as_text: bool) -> BroadcastJudgements:
        documents, names = to_polars(judged.lookup.documents), to_polars(judged.queries)
        if as_text:
            documents, names = documents.cast(pl.String), names.cast(pl.String)
        rows = pl.DataFrame({"document": documents, "grade": judged.judgements.grade})
        queries = _packed(pl.DataFrame({"query": names}))
        return cls(_packed(rows), queries, judged.lookup.starts, judged.judgements.subtopics)

    def __getstate__(self) -> dict[str, Any]:
        return {"packed": self.packed, "names": self.names, "starts": self.starts, "subtopics": self.subtopics}

    @cached_property
    def rows(self) -> pl.DataFrame:
        return pl.read_ipc(self.packed)

    @cached_property
    def queries(self) -> pl.Series:
        return pl.read_ipc(self.names)["query"]

    def rows_of(self, numbers: Ints) -> tuple[Ints, Ints]:
        """The positions of the judgements of these queries, and where those of each query start among them.

        With starts [0, 2, 5] the judgements of query 1 are at the positions [2, 3, 4], and they start at [0, 3].
        """
        lengths = self.starts[numbers + 1] - self.starts[numbers]
        return ranges(self.starts[numbers], lengths), starts_of(lengths)

    def judged(self, numbers: Ints, policy: Policy, parent: ParentRule | None) -> TableJudgements:
        at, starts = self.rows_of(numbers)
        rows = self.rows[at]
        queries, grades = self.queries.gather(numbers), rows["grade"].to_numpy()
        groups = QueryGroups(queries, starts, rows["document"].rechunk(), grades, lambda row: "the judgements")
        judged = TableJudgements.of(groups, policy, parent)
        if self.subtopics is None:
            return judged
        return replace(judged, judgements=replace(judged.judgements, subtopics=self.subtopics.take(at)))


def _packed(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_ipc(buffer, compression="zstd")
    return buffer.getvalue()
