"""Q-measure."""

from __future__ import annotations

from typing import Annotated

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.core.segments import running_sums
from rankgold.measures.facts import NoSql
from rankgold.measures.gains import LINEAR, Gain
from rankgold.measures.metric import measure
from rankgold.measures.parameters import AtLeast, AtMost, Cutoff, Examples
from rankgold.measures.rankings.ndcg_rel import sums_down_to

Weight = Annotated[
    float, AtLeast(0), AtMost(1e100), "how much gains count beside the number of documents found", Examples(0, 10)
]


@measure("q", aliases=("q_measure",), question="grades", title="Q-measure", no_sql=NoSql.GRADES)
def q_measure(hits: Hits, *, k: Cutoff = None, gain: Gain = LINEAR, beta: Weight = 1) -> Derivation:
    """Average precision for grades: gain so far divided by the best possible, at each document with a gain.

        Q = (1 / R) * sum over gaining hits of  (ordinal + beta * gained) / (rank + beta * ideal)

    where R counts the documents with a gain, `gained` adds up the gains down to this document, and `ideal` those of the
    ideal ranking down to the same rank. The rank in the denominator makes a late document cost more below rank R, too,
    where the ideal gains do not grow any more. With beta = 0 it is average precision.

    Use it when average precision is the yardstick and the judgements have grades. Use ndcg where only the first few
    ranks matter.

    Grades 1, 0, 2, so ideal gains of 2, 3, 3: (1 + 1) / (1 + 2) at rank 1 and (2 + 3) / (3 + 3) at rank 3. Their mean
    is (2/3 + 5/6) / 2 = 3/4.

    >>> q_measure(one_query([1, 0, 2])).values
    array([0.75])

    Sakai and Kando 2008, On information retrieval metrics designed for evaluation with incomplete relevance
    assessments, doi:10.1007/s10791-008-9059-7.
    """
    seen, gains = hits.system.gaining(gain, k)
    best, ideal_gains = hits.ideal.gaining(gain)
    found = seen.ordinal + beta * running_sums(gains, seen.starts)
    most = seen.rank + beta * sums_down_to(seen, best, ideal_gains)
    working = Working("{}/{}", found, most)
    return Derivation.of_hits(seen, found / most, working, best.sizes.astype(float), "R, the documents with a gain")
