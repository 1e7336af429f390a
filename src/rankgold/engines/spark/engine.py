"""Matches runs on Spark executors."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from rankgold.core.errors import DataError, PolicyError
from rankgold.core.hits import Hits
from rankgold.data.inputs import given_runs
from rankgold.engines.protocol import Engine, EngineReader, Result, Work
from rankgold.engines.request import Request
from rankgold.engines.spark.inputs import SparkReader, check_order
from rankgold.engines.spark.job import Job, plan_text
from rankgold.engines.spark.session import session_for, spark_errors
from rankgold.engines.spark.task_results import collected_hits, reduced_hits


class SparkEngine:
    """Rows are matched and measured on the executors of a cluster, or on the cores of this machine."""

    name = "spark"

    def match(self, request: Request) -> Iterator[Hits]:
        with spark_errors():
            return iter(collected_hits(_job(request, None)))

    def reduce(self, request: Request, work: Work[Result]) -> Result:
        with spark_errors():
            return reduced_hits(_job(request, work), work)

    def plan(self, request: Request, work: Work[Any]) -> str:
        with spark_errors():
            return plan_text(_job(request, work))

    def reader(self, request: Request) -> AbstractContextManager[EngineReader]:
        return nullcontext(SparkReader(request.engine.session))


def _job(request: Request, work: Work[Any] | None) -> Job:
    check_order(request.policy)
    if request.engine.trust_ranks and request.policy.chunks == "best":
        raise PolicyError("Spark does not trust ranks with chunks=best: removing chunks changes the ranks.")
    if request.exclude is not None and request.engine.trust_ranks:
        raise DataError("Spark does not trust ranks with exclude: removing documents changes the ranks.")
    if request.exclude is not None and request.parent is not None:
        raise DataError("Spark cannot combine exclude and parent. Use the local engine or DuckDB.")
    request.report("evaluating on Spark")
    runs = [run for _, run in given_runs(request.run, request.columns)]
    table = None if request.slices is None else request.slices.table
    session = session_for(request.engine.session, [request.qrels, *runs, request.exclude, table])
    return Job.of(request, session, work)


ENGINE: Engine = SparkEngine()
