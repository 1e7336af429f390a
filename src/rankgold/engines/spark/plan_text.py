"""A Job in, its plan as text out: the steps in words, then Spark's own plan."""

import contextlib
import io

from rankgold.engines.spark.job import Job
from rankgold.engines.spark.tasks import HandedOutHits
from rankgold.errors import counted


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
