"""Evaluation on Spark: ranking, matching and measuring run on the executors, by the code that runs here otherwise.

The rows of a query are brought together, and Arrow batches of many queries are measured at once. The driver receives
scores, never rows of the run. Small judgements are sent to the tasks; then only rows of judged queries travel, and none
but those of judged documents where the run's ranks are trusted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgold.engines import Work
from rankgold.errors import PolicyError
from rankgold.scoring.scores import Scores

if TYPE_CHECKING:
    from rankgold.engines.spark.job import Job

OPTIONS = frozenset({"per_query", "trust_ranks"})

_UNORDERED = {
    ("ties", "input"): "the rows of a frame on Spark have no order by which tied documents could be told apart",
    ("duplicates", "first"): "the rows of a frame on Spark have no order, so none of two is the first",
    ("duplicates", "last"): "the rows of a frame on Spark have no order, so none of two is the last",
}
"""The choices of a policy that cannot be made on Spark, and why."""


def scores(work: Work) -> Scores:
    """Evaluates on Spark."""
    from rankgold.engines.spark.results import gathered
    from rankgold.engines.spark.session import faults_told

    with faults_told():
        return gathered(_job(work))


def plan(work: Work) -> str:
    """What Spark is going to run."""
    from rankgold.engines.spark.plan_text import described
    from rankgold.engines.spark.session import faults_told

    with faults_told():
        return described(_job(work))


def _job(work: Work) -> Job:
    from rankgold.engines.spark.session import require_spark, session_for

    _check(work)
    require_spark()
    from rankgold.engines.spark.frames import runs_given
    from rankgold.engines.spark.job import Job

    if work.progress is not None:
        work.progress("evaluating on Spark", 0.0, 0)
    session = session_for(work.session, [work.qrels, *(run for _, run in runs_given(work.run))])
    return Job.of(work, session)


def _check(work: Work) -> None:
    for (field, choice), reason in _UNORDERED.items():
        if getattr(work.policy, field) == choice:
            raise PolicyError(f"{field}={choice} cannot be had on Spark: {reason}.")
