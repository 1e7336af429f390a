"""The judgements as the user passed them in; out in this process, to be broadcast, or on Spark, to be shuffled."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import polars as pl

from rankgold.data.ids import IdColumn, is_text
from rankgold.data.inputs import is_path, is_read_here, read
from rankgold.data.rows import Rows
from rankgold.data.table import Table
from rankgold.engines.engine_input import prepared_judgements
from rankgold.engines.request import Request
from rankgold.engines.spark.dataframes import aliased
from rankgold.engines.spark.inputs import is_small_file, spark_input, table_on_spark
from rankgold.engines.spark.rows import InputRows
from rankgold.engines.spark.session import is_spark_frame
from rankgold.errors import DataError
from rankgold.matching.table_judgements import TableJudgements

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

BROADCAST_LIMIT = 1_000_000
"""Up to this many judgements, about ten megabytes, are broadcast to every task. More are shuffled."""


@dataclass(frozen=True)
class SparkJudgements:
    """Either `broadcast`, read into this process, or `shuffled`, a frame on Spark."""

    types: tuple[str, str]
    remarks: tuple[str, ...]
    broadcast: TableJudgements | None = None
    shuffled: InputRows | None = None

    @classmethod
    def of(cls, request: Request, session: SparkSession) -> SparkJudgements:
        qrels, columns, repeats = request.qrels, request.columns, request.policy.repeats
        is_here = not is_path(qrels) or is_read_here(qrels) or is_small_file(qrels)
        if is_here and not is_spark_frame(qrels) and table_on_spark(qrels, session) is None:
            return cls._of_rows(read(qrels, "qrels", columns, repeats), request)
        source = spark_input(qrels, "qrels", session, columns, repeats)
        rows = InputRows.of(source, "qrels", columns)
        empty_queries = [query for queries in source.empty_queries.values() for query in queries]
        checked = rows.frame.selectExpr(*aliased(rows.expressions(as_text=False) | {"faulty": rows.is_faulty}))
        collected = pl.DataFrame(checked.limit(BROADCAST_LIMIT + 1).toArrow())
        if collected["faulty"].any() and (fault := rows.fault()):
            raise fault
        if collected.height > BROADCAST_LIMIT:
            if empty_queries:
                raise DataError("this many judgements cannot be in lists if some of the lists are empty.", rows.label)
            return cls(rows.types, rows.remarks, shuffled=rows)
        if not (collected.height or empty_queries):
            raise DataError("there are no rows.", rows.label)
        # Rows on Spark have no order. Sorted, they give the queries the same order each time.
        frame = collected.drop("faulty").rename({"value": "grade"}).sort("query", "document", *rows.of_subtopics)
        nothing = {"": pl.Series(sorted(empty_queries), dtype=frame["query"].dtype)} if empty_queries else {}
        table = Table(frame, "", lambda row: rows.label, rows.remarks, nothing=nothing)
        return cls._of_rows(table, request)

    @classmethod
    def _of_rows(cls, rows: Rows, request: Request) -> SparkJudgements:
        judged = prepared_judgements(rows, request)
        types = (_type(judged.queries), _type(judged.lookup.documents))
        return cls(types, judged.judgements.remarks, broadcast=judged)

    @property
    def subtopics(self) -> tuple[bool, bool]:
        """Whether there are subtopics, and whether documents share several; if that is not known, they do."""
        if self.broadcast is None:
            has_subtopics = self.shuffled is not None and bool(self.shuffled.of_subtopics)
            return has_subtopics, has_subtopics
        subtopics = self.broadcast.judgements.subtopics
        return subtopics is not None, subtopics is not None and subtopics.are_shared

    def max_grade(self) -> float:
        if self.broadcast is not None:
            return self.broadcast.judgements.max_grade
        assert self.shuffled is not None
        highest = self.shuffled.frame.selectExpr(f"max({self.shuffled.value}) as highest").collect()[0].highest
        return max(float(highest or 0.0), 0.0)


def _type(ids: IdColumn) -> str:
    return "text" if is_text(ids) else "integer"
