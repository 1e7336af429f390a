"""Judgements that are few enough to be sent to every task."""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from rankgold.data.table import Table
from rankgold.kernels.segments import Ints, positions, starts_of
from rankgold.matching.tables import TableJudgements
from rankgold.policy import Policy


@dataclass(frozen=True)
class Shipped:
    """All judgements, query by query. Queries are known by their number."""

    packed: bytes
    """Documents and grades, as Arrow."""
    names: bytes
    """The queries, as they are compared with those of the run."""
    starts: Ints

    @classmethod
    def of(cls, judged: TableJudgements, as_text: bool) -> Shipped:
        documents, names = judged.lookup.documents.to_polars(), judged.queries.to_polars()
        if as_text:
            documents, names = documents.cast(pl.String), names.cast(pl.String)
        rows = pl.DataFrame({"document": documents, "grade": judged.judgements.grade})
        return cls(_packed(rows), _packed(pl.DataFrame({"query": names})), judged.lookup.starts)

    def __getstate__(self) -> dict[str, Any]:
        return {"packed": self.packed, "names": self.names, "starts": self.starts}

    @cached_property
    def rows(self) -> pl.DataFrame:
        return pl.read_ipc(self.packed)

    @cached_property
    def queries(self) -> pl.Series:
        return pl.read_ipc(self.names)["query"]

    @property
    def size(self) -> int:
        return len(self.packed) + len(self.names)

    def rows_of(self, numbers: Ints) -> tuple[Ints, Ints]:
        """Where the judgements of these queries stand among all, and where each one's begin among them."""
        lengths = self.starts[numbers + 1] - self.starts[numbers]
        begin = starts_of(lengths)
        return np.repeat(self.starts[numbers], lengths) + positions(begin), begin

    def judged(self, numbers: Ints, policy: Policy) -> TableJudgements:
        """The judgements of these queries."""
        at, begin = self.rows_of(numbers)
        frame = self.rows[at].with_columns(query=self.queries.gather(np.repeat(numbers, np.diff(begin))))
        return TableJudgements.of(Table(frame, "", lambda row: "the judgements", (), begin), policy)


def _packed(frame: pl.DataFrame) -> bytes:
    buffer = io.BytesIO()
    frame.write_ipc(buffer, compression="zstd")
    return buffer.getvalue()


@dataclass(frozen=True, slots=True)
class Some(Sequence[Any]):
    """So many names, of which the first few are known."""

    total: int = 0
    first: tuple[Any, ...] = ()

    @classmethod
    def of(cls, names: Sequence[Any]) -> Some:
        return cls(len(names), tuple(names[:5]))

    def __add__(self, other: Some) -> Some:
        return Some(self.total + other.total, (*self.first, *other.first)[:5])

    def __len__(self) -> int:
        return self.total

    def __getitem__(self, at: Any) -> Any:
        return self.first[at]
