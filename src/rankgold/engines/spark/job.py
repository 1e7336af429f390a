"""Plans one lazy job for a request."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from rankgold.core.errors import counted
from rankgold.data.ids import to_polars
from rankgold.engines.request import Request
from rankgold.engines.spark import dataframes, tasks
from rankgold.engines.spark.dataframes import aliased, to_spark, union
from rankgold.engines.spark.prepared_data import (
    BroadcastJudgements,
    SparkJudgements,
    SparkRuns,
    excluded_pairs,
    mark_out,
)
from rankgold.engines.spark.query_attributes import SparkAttributes, SparkSlices
from rankgold.engines.spark.rows import InputRows
from rankgold.engines.spark.tasks import HandedOutHits

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from rankgold.engines.protocol import Divide, Work


@dataclass(frozen=True)
class Job:
    """A request with its data on Spark."""

    request: Request
    session: SparkSession
    judgements: SparkJudgements
    runs: SparkRuns
    excluded: DataFrame | None = None
    """A frame of the documents to take out of the lists of their queries."""
    attributes: SparkAttributes | None = None
    """The attributes of queries, if the scores are divided by them."""
    work: Work[Any] | None = None
    """What is to be made of the hits; None if they are wanted themselves."""

    @classmethod
    def of(cls, request: Request, session: SparkSession, work: Work[Any] | None) -> Job:
        judgements = SparkJudgements.of(request, session)
        attributes = None if request.slices is None else SparkAttributes.of(request, request.slices, session)
        runs, excluded = SparkRuns.of(request, session), excluded_pairs(request, session)
        return cls(request, session, judgements, runs, excluded, attributes, work)

    @property
    def as_text(self) -> bool:
        """Whether ids are compared as text, because they are not integers on both sides."""
        return self.judgements.types != self.runs.types

    def compared(self, query: object) -> Any:
        """A query as it is compared."""
        return str(query) if self.as_text else query

    @property
    def shuffles_all_rows(self) -> bool:
        """Whether all rows of judged queries are shuffled, not only those of judged documents."""
        return not (self.request.engine.trust_ranks and self.judgements.broadcast is not None)

    @property
    def keeps_queries(self) -> bool:
        """Whether what is made of each query comes to the driver, not sums alone."""
        return self.work is None or self.work.gatherer() is None

    @cached_property
    def slices(self) -> SparkSlices | None:
        """The slices of the judged queries, where the values of queries stay on Spark."""
        if self.attributes is None or self.request.slices is None or self.keeps_queries:
            return None
        of_all = self.request.topics is None
        return SparkSlices.of(self.attributes, self.request.slices, self._judged_texts(), self.session, of_all)

    @property
    def divide(self) -> Divide | None:
        """Finds the slices of queries in this process; None if there are no slices."""
        attributes, slices, of_all = self.attributes, self.request.slices, self.request.topics is None
        if attributes is None or slices is None:
            return None
        return lambda queries: attributes.division(queries, slices, self.session, of_all)

    def _judged_texts(self) -> DataFrame:
        """The judged queries as they are compared, each with its text."""
        if self.judgements.broadcast is not None:
            frame = self._judged_queries()
        else:
            frame = self._of_topics(self._judged_rows().where(f"run = {tasks.JUDGED}"))
        return frame.select("query").distinct().selectExpr("query", "cast(query as string) as text")

    @property
    def scales_after_matching(self) -> bool:
        """Whether the scale of a measure is known only after matching: the policy drops what a run did not retrieve."""
        return self.needs_scale and self.request.policy.unretrieved == "dropped"

    @property
    def needs_scale(self) -> bool:
        """Whether a measure depends on the highest grade of all judgements."""
        measures = {} if self.work is None else self.work.measures
        return any(measure.takes_scale_from_judgements for measure in measures.values())

    def results(
        self, work: tasks.TaskWork, scales: tuple[float, ...] | None = None, slices: SparkSlices | None = None
    ) -> DataFrame:
        """The frame whose rows are the results of the tasks.

        `scales` has the highest grade of each run, if it is known. Gatherers of the work get the `slices` of queries.
        """
        judged = self.judgements.broadcast
        judgements = None if judged is None else BroadcastJudgements.of(judged, self.as_text)
        rows = self._with_all_judgements() if judgements is None else self._with_judged_queries()
        if judgements is not None and self.request.engine.trust_ranks:
            rows = rows.mapInArrow(tasks.HitFinder(judgements), tasks.SCHEMA)
        if slices is not None:
            rows = rows.unionByName(self._slice_rows(slices.rows), allowMissingColumns=True)
        evaluator = tasks.QueryEvaluator(
            self.runs.names,
            work,
            self.request.policy,
            scales=scales,
            trust_ranks=self.request.engine.trust_ranks,
            judgements=judgements,
            parent=self.request.parent,
            scheme=None if slices is None else slices.scheme,
        )
        return rows.repartition("key").mapInArrow(evaluator, dataframes.SCHEMA)

    def _slice_rows(self, rows: DataFrame) -> DataFrame:
        """The codes of slices, each with the key of its query."""
        if self.judgements.broadcast is None:
            return rows.selectExpr("xxhash64(query) as key", "query", "value", "run")
        return rows.join(self._judged_queries().hint("broadcast"), "query").select("key", "value", "run")

    def _with_all_judgements(self) -> DataFrame:
        """The rows of all runs and all judgements, each with a hash of its query."""
        judged = self.judgements.shuffled
        assert judged is not None
        frames = [self._judged_rows(), self._listed_rows(judged.of_subtopics)]
        rows = self._of_topics(union(frames), or_if=f"run = {tasks.FAULTY}")
        columns = ("query", "document", "value", "run", *judged.of_subtopics)
        return rows.selectExpr("xxhash64(query) as key", *columns)

    def _with_judged_queries(self) -> DataFrame:
        """The rows of judged queries, each with the number of its query; and one row more for each judged query."""
        queries = self._judged_queries()
        document_type = "string" if self.as_text or self.judgements.types[1] == "text" else "bigint"
        nothing = (f"cast(null as {document_type}) as document", "cast(null as double) as value")
        judged = queries.selectExpr("key", *nothing, f"{tasks.JUDGED} as run")
        ranked = self._listed_rows().join(queries.hint("broadcast"), "query", "left")
        kept = ranked.where(f"key is not null or run = {tasks.FAULTY}")
        return kept.selectExpr("coalesce(key, 0) as key", "document", "value", "run").unionByName(judged)

    def _judged_queries(self) -> DataFrame:
        """The queries of broadcast judgements with their numbers, on Spark: query, key."""
        assert self.judgements.broadcast is not None
        queries = to_polars(self.judgements.broadcast.queries)
        names = queries.cast(pl.String) if self.as_text else queries
        numbered = pl.DataFrame({"query": names, "key": np.arange(len(names), dtype=np.int64)})
        return to_spark(numbered, self.session)

    def _listed_rows(self, of_judgements: Iterable[str] = ()) -> DataFrame:
        """The rows of all runs, with the excluded documents marked out, and empty columns for what judgements have."""
        rows = self._ranked_rows()
        if self.excluded is not None:
            rows = mark_out(rows, self.excluded)
        types = {"subtopic": "string", "weight": "double"}
        empty = [f"cast(null as {types[role]}) as {role}" for role in of_judgements]
        return rows.selectExpr("*", *empty) if empty else rows

    def _of_topics(self, rows: DataFrame, or_if: str = "false") -> DataFrame:
        """The rows of the queries that were selected, or that meet a condition."""
        topics = self.request.topics
        if topics is None:
            return rows
        selected = self.session.createDataFrame([(topic,) for topic in topics.ids], "topic string").hint("broadcast")
        marked = rows.join(selected, rows["query"].cast("string") == selected["topic"], "left")
        return marked.where(f"topic is not null or {or_if}").drop("topic")

    def judged_topics(self) -> list[Any]:
        """The queries that were selected and are judged."""
        judged = self.judgements.shuffled
        if judged is None:
            assert self.judgements.broadcast is not None
            return list(self.judgements.broadcast.judgements.queries)
        return [row.query for row in self._of_topics(self._judged_rows()).select("query").distinct().collect()]

    def _judged_rows(self) -> DataFrame:
        """The rows of judgements that are shuffled."""
        judged = self.judgements.shuffled
        assert judged is not None
        return self._rows(judged, judged.frame, str(tasks.JUDGED))

    def _ranked_rows(self) -> DataFrame:
        return union(self._rows(run.rows, *run.numbered(self.session)) for run in self.runs.frames)

    def _rows(self, rows: InputRows, frame: DataFrame, number: str) -> DataFrame:
        """Query, document, value and run; faulty rows have only a mark."""
        faulty = rows.is_faulty
        fine = {
            role: f"case when not ({faulty}) then {expression} end"
            for role, expression in rows.expressions(as_text=self.as_text).items()
        }
        return frame.selectExpr(*aliased(fine | {"run": f"case when {faulty} then {tasks.FAULTY} else {number} end"}))

    def count(self) -> int:
        """How many rows the runs have. Many formats know it without being read."""
        return sum(run.rows.frame.count() for run in self.runs.frames)

    def unjudged_queries(self) -> DataFrame:
        """Run and query, for each query that a run ranks and nobody judged, where judgements are broadcast."""
        ranked = self._of_topics(self._ranked_rows().where("run >= 0")).select("run", "query")
        return ranked.join(self._judged_queries().hint("broadcast"), "query", "left_anti").distinct()

    def input_rows(self) -> list[InputRows]:
        """All rows on Spark that can be faulty."""
        judged = self.judgements.shuffled
        return [*([] if judged is None else [judged]), *(run.rows for run in self.runs.frames)]


def plan_text(job: Job) -> str:
    """What each step does and sends over the network, then the plan as Spark prints it."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        job.results(HandedOutHits(), slices=job.slices).explain(mode="formatted")
    return "\n".join([*_in_words(job), "", out.getvalue().strip(), ""])


def _in_words(job: Job) -> list[str]:
    judged = job.judgements.broadcast
    steps = []
    if judged is None:
        steps.append("The judgements are many: they are shuffled by query together with the run.")
    else:
        count = f"{counted(len(judged.judgements.grade), 'judgement')} of {counted(len(judged.queries), 'query')}"
        steps.append(f"Every task gets {count}. Rows of queries without judgements are dropped first.")
    if job.excluded is not None:
        steps.append("Rows of excluded documents are found by a join, and taken out before ranks are counted.")
    if job.shuffles_all_rows:
        steps.append("The rows of the run are shuffled once, by query: query, document and number, no other column.")
    else:
        steps.append("Ranks are trusted: judged documents are found before the shuffle. Only they and counts travel.")
    if job.scales_after_matching:
        steps.append("The runs are matched once more, before this: for the highest grade of what each one retrieved.")
    if job.attributes is not None and not job.keeps_queries:
        steps.append("Attributes of queries are joined, and their values counted: the code of each slice travels too.")
    received = "the values of every query" if job.keeps_queries else "means and variances, a few numbers per task"
    steps.append(f"Each task ranks, matches and measures its queries. The driver receives {received}.")
    return [f"{number}. {step}" for number, step in enumerate(steps, start=1)]
