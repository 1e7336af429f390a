"""The judgements: sent to every task where they are few, else shuffled along with the run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from rankgold.data.columns import WHAT
from rankgold.data.ids import IdColumn
from rankgold.data.inputs import read
from rankgold.data.table import Table
from rankgold.engines.spark.frames import is_path, is_small_file, source_of
from rankgold.engines.spark.rows import Rows
from rankgold.engines.spark.session import is_frame
from rankgold.errors import DataError
from rankgold.matching.tables import TableJudgements
from rankgold.policy import Policy

FEW = 1_000_000
"""So many judgements are sent to every task, some ten megabytes; more are shuffled."""


@dataclass(frozen=True)
class Judgements:
    """Either `few`, here, or `many`, on Spark."""

    types: tuple[str, str]
    remarks: tuple[str, ...]
    few: TableJudgements | None = None
    many: Rows | None = None

    @classmethod
    def of(cls, qrels: Any, session: Any, columns: Mapping[str, str] | None, policy: Policy) -> Judgements:
        if not is_frame(qrels) and (not is_path(qrels) or is_small_file(qrels)):
            return cls._here(read(qrels, "qrels", columns).table(), policy)
        rows = Rows.of(source_of(qrels, "qrels", session, columns)[0], "qrels", columns)
        ids = [f"{rows.id_of(role, False)} as {role}" for role in ("query", "document")]
        asked = rows.frame.selectExpr(*ids, f"{rows.value} as grade", f"{rows.is_faulty} as faulty")
        collected = pl.DataFrame(asked.limit(FEW + 1).toArrow())
        if collected["faulty"].any() and (fault := rows.fault()):
            raise fault
        if collected.height > FEW:
            return cls(rows.types, rows.remarks, many=rows)
        if not collected.height:
            raise DataError("there are no rows.", rows.what)
        # Frames of Spark's have no order, so one is given to the queries.
        frame = collected.drop("faulty").sort("query", "document")
        return cls._here(Table(frame, "", lambda row: rows.what, rows.remarks), policy)

    @classmethod
    def _here(cls, table: Table, policy: Policy) -> Judgements:
        judged = TableJudgements.of(table, policy)
        types = (_type(judged.queries), _type(judged.lookup.documents))
        return cls(types, judged.judgements.remarks, few=judged)

    def max_grade(self) -> float:
        """The highest grade of all."""
        if self.few is not None:
            return self.few.judgements.max_grade
        assert self.many is not None
        highest = self.many.frame.selectExpr(f"max({self.many.value}) as highest").collect()[0].highest
        return max(float(highest or 0.0), 0.0)

    @property
    def what(self) -> str:
        return WHAT["qrels"]


def _type(ids: IdColumn) -> str:
    return "text" if ids.is_text else "integer"
