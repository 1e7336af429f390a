"""Nearly ERR with falling patience."""

from __future__ import annotations

from rankgold.declaration.facts import NoSql
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation
from rankgold.hits import Hits
from rankgold.measures.err import Top
from rankgold.measures.nerr8 import gain_until_satisfied


@measure("nerr9", scale="max", question="first", title="Nearly ERR with falling patience", no_sql=NoSql.GRADES)
def nearly_err_9(hits: Hits, *, k: Cutoff = None, max: Top = None) -> Derivation:
    """Expected gain per document viewed, for a reader who stops if satisfied, else with probability 1/(rank + 1).

        NERR9 = sum over hits of  gain * looks / total looks,   with
        chance to go on from a rank = rank / (rank + 1) * (1 - gain)

    where `looks` is the chance that the reader gets to a rank, the product of the chances to go on from all ranks
    above. A gain is a grade as a share of the highest, and the chance to be satisfied. A reader looks at k documents at
    most, and at 1,000 without a cutoff.

    Use it like err, to compare with other gains per document such as rbp and inst. The looks of a reader who is never
    satisfied are 1/rank, as in err.

    Grades 1, 2, so gains of 1/2 and 1: the looks are 1, 1/2 * 1/2 and then 0: (1/2 + 1/4) / (5/4) = 3/5.

    >>> nearly_err_9(one_query([1, 2])).values.round(4)
    array([0.6])

    Azzopardi, Mackenzie and Moffat 2021, ERR is not C/W/L: exploring the relationship between expected reciprocal rank
    and other metrics, doi:10.1145/3471158.3472239.
    """
    return gain_until_satisfied(hits, k, max, lambda rank: rank / (rank + 1))
