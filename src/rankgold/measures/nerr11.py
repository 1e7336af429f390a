"""Nearly ERR with a goal."""

from __future__ import annotations

from rankgold.declaration.facts import NoSql
from rankgold.declaration.metric import measure
from rankgold.derivation import Derivation
from rankgold.hits import Hits
from rankgold.measures.err import Top
from rankgold.measures.inst import Goal
from rankgold.measures.nerr8 import gain_until_satisfied


@measure("nerr11", scale="max", question="first", title="Nearly ERR with a goal", no_sql=NoSql.GRADES)
def nearly_err_11(hits: Hits, *, t: Goal = 1, max: Top = None) -> Derivation:
    """Expected gain per document viewed, for a reader who wants a gain of t and stops once satisfied.

        NERR11 = sum over hits of  gain * looks / total looks,   with
        chance to go on from a rank = ((rank + 2 t - 1) / (rank + 2 t))^2 * (1 - gain)

    where `looks` is the chance that the reader gets to a rank, the product of the chances to go on from all ranks
    above. A gain is a grade as a share of the highest, and the chance to be satisfied. A reader looks at 1,000
    documents at most.

    Use it where readers want one good answer, and searches differ in how long it takes. It is insq with readers who
    stop when they are satisfied.

    Grades 1, 2, so gains of 1/2 and 1: the looks are 1, (2/3)^2 * 1/2 and then 0: (1/2 + 2/9) / (11/9) = 13/22.

    >>> nearly_err_11(one_query([1, 2])).values.round(4)
    array([0.5909])

    Azzopardi, Mackenzie and Moffat 2021, ERR is not C/W/L: exploring the relationship between expected reciprocal rank
    and other metrics, doi:10.1145/3471158.3472239.
    """
    return gain_until_satisfied(hits, None, max, lambda rank: ((rank + 2 * t - 1) / (rank + 2 * t)) ** 2)
