"""The engine `spark`: matches runs on executors, and runs work there."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from rankgold.data.inputs import given_runs
from rankgold.engines.protocol import Engine, EngineReader, Result, Task, Work
from rankgold.engines.spark.fingerprints import note_sources
from rankgold.engines.spark.job import Job
from rankgold.engines.spark.plan_text import plan_text
from rankgold.engines.spark.session import session_for, spark_errors
from rankgold.engines.spark.task_results import collected_hits, reduced_hits
from rankgold.engines.spark.transfer import SparkReader
from rankgold.engines.spark.unordered_rows import check_order
from rankgold.errors import DataError, PolicyError
from rankgold.hits import Hits


class SparkEngine:
    """Rows are matched and measured on the executors of a cluster, or on the cores of this machine."""

    name = "spark"
    options = frozenset({"per_query", "trust_ranks"})

    def match(self, task: Task) -> Iterator[Hits]:
        with spark_errors():
            job = _job(task)
            hits = collected_hits(job)
            note_sources(job)
            return iter(hits)

    def reduce(self, task: Task, work: Work[Result]) -> Result:
        with spark_errors():
            job = _job(task)
            result = reduced_hits(job, work)
            note_sources(job)
            return result

    def plan(self, task: Task) -> str:
        with spark_errors():
            return plan_text(_job(task))

    def reader(self, session: Any, memory_limit: str | None) -> AbstractContextManager[EngineReader]:
        return nullcontext(SparkReader(session))


def _job(task: Task) -> Job:
    check_order(task.policy)
    if task.trust_ranks and task.policy.chunks == "best":
        raise PolicyError("Spark does not trust ranks with chunks=best: removing chunks changes the ranks.")
    if task.exclude is not None and task.trust_ranks:
        raise DataError("Spark does not trust ranks with exclude: removing documents changes the ranks.")
    if task.exclude is not None and task.parent is not None:
        raise DataError("Spark cannot combine exclude and parent. Use the local engine or DuckDB.")
    task.report("evaluating on Spark")
    runs = [run for _, run in given_runs(task.run, task.columns)]
    table = None if task.slices is None else task.slices.table
    return Job.of(task, session_for(task.session, [task.qrels, *runs, task.exclude, table]))


ENGINE: Engine = SparkEngine()
