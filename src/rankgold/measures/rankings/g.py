"""Graded and binary G."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.core.segments import running_sums, sums
from rankgold.measures.facts import Grades, NoSql
from rankgold.measures.gains import LINEAR, Gain
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Rel
from rankgold.measures.rankings.ndcg_rel import sums_down_to


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


@measure(
    "bing",
    aliases=("binary_g",),
    question="order",
    title="Binary G",
    grades=Grades("shares", separable=True),
    no_sql=NoSql.EXPERIMENTAL,
)
def binary_g(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """Relevant documents, each discounted by the non-relevant documents above it.

        binG = (1 / R) * sum over relevant hits of  1 / log2(2 + (not relevant documents above))

    A relevant document below other relevant ones loses nothing, unlike in average precision or dcg.

    Use it to compare with results of trec_eval, where it is an experimental measure. For published work use ap.

    Ranks 1 and 3 relevant, R = 2: (1/log2(2) + 1/log2(3)) / 2 = 0.8155.

    >>> binary_g(one_query([1, 0, 1])).values.round(4)
    array([0.8155])

    Buckley 2011, trec_eval 9.0, measure binG.
    """
    found = hits.system.relevant(rel)
    others = found.rank - found.ordinal
    discount = np.log2(2 + others)
    return Derivation.of_hits(
        found, 1 / discount, Working("1/{}", discount), hits.relevant(rel), "R, the relevant documents"
    )
