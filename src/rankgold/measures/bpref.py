"""Binary preference."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Rel
from rankgold.hits import Contributions, Hits, Working
from rankgold.kernels.segments import starts_of


@measure("bpref", aliases=("binary_preference",), averages="orders", question="judged")
def binary_preference(hits: Hits, *, rel: Rel = 1) -> Contributions:
    """How few documents that were judged not relevant stand above the relevant ones.

        bpref = (1 / R) * sum over relevant hits of  1 - min(above, R) / min(N, R)

    where `above` counts the documents that were judged not relevant and stand above this one, and N all that were
    judged not relevant. Documents without a judgement are skipped, and so are those with a negative grade, which
    marks documents that were not judged.

    Use it where judgements are incomplete: it does not change when unjudged documents come and go, while average
    precision counts them as not relevant. With complete judgements, average precision says more.

    Grades 1, 0, 1, 0, with R = N = 2: no document stands above the first, one of the two above the second, so
    (1 + 1 - 1/2) / 2 = 3/4.

    >>> binary_preference(one_query([1, 0, 1, 0])).values
    array([0.75])

    Buckley and Voorhees 2004, Retrieval evaluation with incomplete information, doi:10.1145/1008992.1009000.
    """
    seen = hits.system.top(None)
    relevant = hits.relevant(rel)
    nonrelevant = hits.ideal.at_least(0) - relevant
    judged = seen.keep(seen.grade >= 0)
    is_relevant = judged.grade >= rel
    before = starts_of(np.bincount(judged.query[~is_relevant], minlength=len(hits)))
    above = np.cumsum(~is_relevant) - before[judged.query]
    found = judged.keep(is_relevant)
    counted = np.minimum(above[is_relevant], relevant[found.query])
    pairs = np.maximum(np.minimum(nonrelevant, relevant), 1)[found.query]
    return Contributions(
        1 - counted / pairs, found, relevant, Working("1-{}/{}", counted, pairs), "R, the relevant documents"
    )
