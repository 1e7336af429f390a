"""INSQ, a reader with a goal."""

from __future__ import annotations

from typing import Annotated

from rankgold.core.derivation import Derivation
from rankgold.core.hits import Hits
from rankgold.measures.facts import Grades, NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import AtLeast, AtMost, Examples
from rankgold.measures.rankings.err import Top
from rankgold.measures.rankings.sdcg import weighted_gains

Goal = Annotated[float, AtLeast(0.5), AtMost(1e6), "the gain that the reader wants, in documents", Examples(3)]


@measure(
    "insq",
    scale="max",
    question="order",
    title="INSQ",
    closed_form=True,
    grades=Grades("ends", additive=True),
    no_sql=NoSql.GRADES,
)
def insq(hits: Hits, *, t: Goal = 1, max: Top = None) -> Derivation:
    """Expected gain per document viewed, for a reader who wants a gain of t and grows more patient down the list.

        INSQ = sum over hits of  gain * looks / total looks,   looks = (2 t / (rank + 2 t - 1))^2

    where `looks` is the chance that the reader gets to a rank. A gain is a grade as a share of the highest. A reader
    looks at 1,000 documents at most, and those after the end of a list count as looks without gain.

    Use it where searches differ in how many documents they need: t is 1 for a fact, and 10 for a survey. The reader
    does not stop sooner when a lot was found: use inst for that.

    Grades 1, 0, 1: the looks are 1, 4/9, 1/4 and fewer below, 2.5757 in total: (1 + 1/4) / 2.5757 = 0.4853.

    >>> insq(one_query([1, 0, 1])).values.round(4)
    array([0.4853])

    Moffat, Scholer and Thomas 2012, Models and metrics: IR evaluation as a user process, doi:10.1145/2407085.2407092.
    """
    return weighted_gains(hits, None, max, lambda rank: (2 * t / (rank - 1 + 2 * t)) ** 2)
