"""Graded G."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.facts import NoSql
from rankgold.declaration.metric import measure
from rankgold.declaration.named_functions import LINEAR, Gain
from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits
from rankgold.kernels.segments import running_sums, sums
from rankgold.measures.ndcg_rel import sums_down_to


@measure(
    "g",
    aliases=("graded_g",),
    monotone=False,
    question="grades",
    title="Graded G",
    no_sql=NoSql.EXPERIMENTAL,
)
def graded_g(hits: Hits, *, gain: Gain = LINEAR) -> Derivation:
    """Each gain divided by the log of the cumulative shortfall from the ideal list.

        G = sum over hits of  gain / log2(2 + cost - gained)  /  sum of all gains

    where `cost` adds up the gains of the best ranking down to this rank, each at least 1, and `gained` the gains of
    this ranking, with this document. A ranking without a fault loses nothing.

    Use it to compare with results of trec_eval, where it is an experimental measure. For published work use ndcg.

    Grades 1, 2: best 2, 1. Rank 1: 1 / log2(2 + 2 - 1) = 0.6309; rank 2: 2 / log2(2 + 3 - 3) = 2. 2.6309 / 3 = 0.877.

    >>> graded_g(one_query([1, 2])).values.round(4)
    array([0.877])

    Buckley 2011, trec_eval 9.0, measure G.
    """
    seen, gains = hits.system.gaining(gain)
    best, ideal_gains = hits.ideal.gaining(gain)
    # Ranks where the best ranking gains less than 1, or nothing, cost 1 each.
    cost = seen.rank + sums_down_to(seen, best, np.maximum(ideal_gains - 1, 0))
    gained = running_sums(gains, seen.starts)
    # The best ranking never gains less, but sums of large gains are rounded.
    discount = np.log2(2 + np.maximum(cost - gained, 0))
    total = sums(ideal_gains, best.query, len(hits))
    return Derivation.of_hits(seen, gains / discount, Working("{}/{}", gains, discount), total, "sum of all gains")
