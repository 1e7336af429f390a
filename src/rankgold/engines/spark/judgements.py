"""The judgements as the user passed them in; out in this process, to be broadcast, or on Spark, to be shuffled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import polars as pl

from rankgold.data.fingerprints import DataLog, fingerprint_of
from rankgold.data.ids import IdColumn, is_text
from rankgold.data.inputs import is_path, is_read_here, read
from rankgold.data.parents import ParentRule
from rankgold.data.rows import Rows
from rankgold.data.table import Table
from rankgold.data.topics import Topics
from rankgold.engines.spark.inputs import is_small_file, spark_input, table_on_spark
from rankgold.engines.spark.rows import InputRows
from rankgold.engines.spark.session import is_spark_frame
from rankgold.errors import DataError
from rankgold.matching.table_judgements import TableJudgements
from rankgold.policy import Policy

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
    def of(
        cls,
        qrels: Any,
        session: Any,
        columns: Mapping[str, str] | None,
        policy: Policy,
        parent: ParentRule | None = None,
        topics: Topics | None = None,
        log: DataLog | None = None,
    ) -> SparkJudgements:
        is_here = not is_path(qrels) or is_read_here(qrels) or is_small_file(qrels)
        if is_here and not is_spark_frame(qrels) and table_on_spark(qrels, session) is None:
            return cls._of_rows(read(qrels, "qrels", columns, policy.repeats), policy, parent, topics, log)
        source = spark_input(qrels, "qrels", session, columns, policy.repeats)
        rows = InputRows.of(source, "qrels", columns)
        nothing = [query for queries in source.empty_queries.values() for query in queries]
        ids = [f"{rows.id_of(role, False)} as {role}" for role in ("query", "document")]
        more = [f"{expression} as {role}" for role, expression in rows.of_subtopics.items()]
        checked = rows.frame.selectExpr(*ids, f"{rows.value} as grade", f"{rows.is_faulty} as faulty", *more)
        collected = pl.DataFrame(checked.limit(BROADCAST_LIMIT + 1).toArrow())
        if collected["faulty"].any() and (fault := rows.fault()):
            raise fault
        if collected.height > BROADCAST_LIMIT:
            if nothing:
                raise DataError("so many judgements cannot be in lists if some of these are empty.", rows.label)
            return cls(rows.types, rows.remarks, shuffled=rows)
        if not (collected.height or nothing):
            raise DataError("there are no rows.", rows.label)
        # Rows on Spark have no order. Sorted, they give the queries the same order each time.
        frame = collected.drop("faulty").sort("query", "document", *rows.of_subtopics)
        judged_with_nothing = {"": pl.Series(sorted(nothing), dtype=frame["query"].dtype)} if nothing else {}
        table = Table(frame, "", lambda row: rows.label, rows.remarks, nothing=judged_with_nothing)
        return cls._of_rows(table, policy, parent, topics, log)

    @classmethod
    def _of_rows(
        cls, rows: Rows, policy: Policy, parent: ParentRule | None, topics: Topics | None, log: DataLog | None
    ) -> SparkJudgements:
        if log is not None:
            log.judgements = fingerprint_of(rows)
        judged = TableJudgements.of(rows.groups(), policy, parent, topics)
        types = (_type(judged.queries), _type(judged.lookup.documents))
        return cls(types, judged.judgements.remarks, broadcast=judged)

    @property
    def subtopics(self) -> tuple[bool, bool]:
        """Whether there are subtopics, and whether documents share several; if that is not known, they do."""
        if self.broadcast is None:
            has_subtopics = self.shuffled is not None and bool(self.shuffled.of_subtopics)
            return has_subtopics, has_subtopics
        known = self.broadcast.judgements.subtopics
        return known is not None, known is not None and known.are_shared

    def max_grade(self) -> float:
        if self.broadcast is not None:
            return self.broadcast.judgements.max_grade
        assert self.shuffled is not None
        highest = self.shuffled.frame.selectExpr(f"max({self.shuffled.value}) as highest").collect()[0].highest
        return max(float(highest or 0.0), 0.0)


def _type(ids: IdColumn) -> str:
    return "text" if is_text(ids) else "integer"
