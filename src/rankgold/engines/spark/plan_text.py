"""The plan in words, and Spark's own below it."""

from __future__ import annotations

import contextlib
import io

from rankgold.engines.spark.job import Job


def described(job: Job) -> str:
    """What happens in which step and what travels, then the plan as Spark prints it."""
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        job.payloads().explain(mode="formatted")
    return "\n".join([*_in_words(job), "", out.getvalue().strip(), ""])


def _in_words(job: Job) -> list[str]:
    few = job.judgements.few
    steps = []
    if few is None:
        steps.append("The judgements are many: they are shuffled by query together with the run.")
    else:
        count = f"{len(few.judgements.grade):,} judgements of {len(few.queries):,} queries"
        steps.append(f"{count} are sent to every task. Rows of queries without judgements are dropped first.")
    if job.is_shuffled:
        steps.append("Then the rows of the run travel once, by query: query, document and number. All else stays.")
    else:
        steps.append("Ranks are trusted: judged documents are found where the rows are. Only they and counts travel.")
    what = "the values of every query" if job.work.per_query else "means and variances, a few numbers from each task"
    steps.append(f"Each task ranks, matches and measures its queries. The driver receives {what}.")
    return [f"{number}. {step}" for number, step in enumerate(steps, start=1)]
