"""What Spark is asked to do, as one frame: nothing runs before its rows are collected."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import polars as pl

from rankgold.engines import Work
from rankgold.engines.spark import tasks, trusted_ranks
from rankgold.engines.spark.broadcast import Shipped
from rankgold.engines.spark.judgements import Judgements
from rankgold.engines.spark.rows import Rows
from rankgold.engines.spark.runs import Runs


@dataclass(frozen=True)
class Job:
    """An evaluation on Spark."""

    work: Work
    session: Any
    judgements: Judgements
    runs: Runs

    @classmethod
    def of(cls, work: Work, session: Any) -> Job:
        judgements = Judgements.of(work.qrels, session, work.columns, work.policy)
        return cls(work, session, judgements, Runs.of(work, session))

    @property
    def as_text(self) -> bool:
        """Whether ids are compared as text, since they are not integers on both sides."""
        return self.judgements.types != self.runs.types

    @property
    def is_shuffled(self) -> bool:
        """Whether all rows of the run travel."""
        return not (self.work.trust_ranks and self.judgements.few is not None)

    def payloads(self) -> Any:
        """The frame whose rows are what the tasks tell."""
        few = self.judgements.few
        shipped = None if few is None else Shipped.of(few, self.as_text)
        rows = self._with_all_judgements() if shipped is None else self._with_judged_queries(shipped)
        if shipped is not None and self.work.trust_ranks:
            rows = rows.mapInArrow(trusted_ranks.Finding(shipped), trusted_ranks.SCHEMA)
        return rows.repartition("key").mapInArrow(self._measuring(shipped), tasks.SCHEMA)

    def _measuring(self, shipped: Shipped | None) -> tasks.Measuring:
        work = self.work
        wanted = any(measure.takes_scale_from_judgements for measure in work.measures.values())
        highest = self.judgements.max_grade() if wanted else 0.0
        return tasks.Measuring(
            self.runs.names, work.measures, work.policy, highest, work.per_query, work.trust_ranks, shipped
        )

    def _with_all_judgements(self) -> Any:
        """The rows of all runs and all judgements, each with a hash of its query."""
        many = self.judgements.many
        assert many is not None
        sides = [self._rows(many, many.frame, str(tasks.JUDGED))]
        sides += [self._rows(run.rows, *run.number(self.session)) for run in self.runs.every]
        return _union(sides).selectExpr("xxhash64(query) as key", "query", "document", "value", "run")

    def _with_judged_queries(self, shipped: Shipped) -> Any:
        """The rows of judged queries, each with its query's number, and one more for each of these."""
        queries = self.judged_queries(shipped.queries)
        ranked = _union([self._rows(run.rows, *run.number(self.session)) for run in self.runs.every])
        judged = queries.selectExpr("key", f"cast(null as {self._document_type}) as document",
                                    "cast(null as double) as value", f"{tasks.JUDGED} as run")  # fmt: skip
        found = ranked.join(queries.hint("broadcast"), "query", "left").where(
            f"key is not null or run = {tasks.FAULTY}"
        )
        found = found.selectExpr("coalesce(key, 0) as key", "document", "value", "run")
        return found.unionByName(judged)

    def judged_queries(self, queries: pl.Series) -> Any:
        """The judged queries with their numbers, on Spark."""
        names = queries.cast(pl.String) if self.as_text else queries
        numbered = pl.DataFrame({"query": names, "key": np.arange(len(names), dtype=np.int64)})
        return self.session.createDataFrame(numbered.to_arrow(compat_level=pl.CompatLevel.oldest()))

    @property
    def _document_type(self) -> str:
        return "string" if self.as_text or self.judgements.types[1] == "text" else "bigint"

    def _rows(self, rows: Rows, frame: Any, number: str) -> Any:
        """Query, document, value and run; of a faulty row only that it is one."""
        faulty = rows.is_faulty
        fine = f"case when not ({faulty}) then {{}} end as {{}}"
        return frame.selectExpr(
            fine.format(rows.id_of("query", self.as_text), "query"),
            fine.format(rows.id_of("document", self.as_text), "document"),
            fine.format(rows.value, "value"),
            f"case when {faulty} then {tasks.FAULTY} else {number} end as run",
        )

    def count(self) -> int:
        """How many rows the runs have; many sources know without being read."""
        return sum(run.rows.frame.count() for run in self.runs.every)

    def unjudged(self) -> Any:
        """The queries that a run ranks and nobody judged, where judgements are few: run, query."""
        few = self.judgements.few
        assert few is not None
        queries = self.judged_queries(few.queries.to_polars()).hint("broadcast")
        ranked = _union([self._rows(run.rows, *run.number(self.session)) for run in self.runs.every])
        return ranked.where("run >= 0").select("run", "query").join(queries, "query", "left_anti").distinct()

    def every_rows(self) -> list[Rows]:
        """All that came from outside and can be faulty."""
        many = self.judgements.many
        return [*([] if many is None else [many]), *(run.rows for run in self.runs.every)]


def _union(frames: list[Any]) -> Any:
    together, *others = frames
    for one in others:
        together = together.unionByName(one)
    return together
