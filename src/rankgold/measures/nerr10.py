"""Nearly ERR with persistence."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.facts import NoSql
from rankgold.declaration.metric import measure
from rankgold.derivation import Derivation
from rankgold.hits import Hits
from rankgold.measures.err import Top
from rankgold.measures.nerr8 import gain_until_satisfied
from rankgold.measures.rbp import Persistence


@measure("nerr10", scale="max", question="first", title="Nearly ERR with persistence", no_sql=NoSql.GRADES)
def nearly_err_10(hits: Hits, *, p: Persistence = 0.9, max: Top = None) -> Derivation:
    """Expected gain per document viewed, for a reader who stops once satisfied, else continues with probability p.

        NERR10 = sum over hits of  gain * looks / total looks,   with
        chance to go on from a rank = p * (1 - gain)

    where `looks` is the chance that the reader gets to a rank, the product of the chances to go on from all ranks
    above. A gain is a grade as a share of the highest, and the chance to be satisfied. A reader looks at 1,000
    documents at most.

    Use it where readers want one good answer and their patience is known. It is rbp with readers who stop when they are
    satisfied.

    Grades 1, 2, so gains of 1/2 and 1: the looks are 1, 0.9 * 1/2 and then 0: (0.5 + 0.45) / 1.45 = 0.6552.

    >>> nearly_err_10(one_query([1, 2])).values.round(4)
    array([0.6552])

    Azzopardi, Mackenzie and Moffat 2021, ERR is not C/W/L: exploring the relationship between expected reciprocal rank
    and other metrics, doi:10.1145/3471158.3472239.
    """
    return gain_until_satisfied(hits, None, max, lambda rank: np.full_like(rank, p))
