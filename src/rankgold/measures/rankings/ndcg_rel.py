"""NDCG averaged over the relevant documents."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Floats, running_sums, sums
from rankgold.measures.facts import NoSql
from rankgold.measures.gains import LINEAR, LOG2, Discount, Gain
from rankgold.measures.metric import measure


@measure(
    "ndcg_rel",
    aliases=("ndcg_at_relevant",),
    question="grades",
    title="NDCG averaged over relevant documents",
    no_sql=NoSql.EXPERIMENTAL,
)
def ndcg_at_relevant(hits: Hits, *, gain: Gain = LINEAR, discount: Discount = LOG2) -> Derivation:
    """The mean NDCG at the ranks of the documents with a gain.

        ndcg_rel = (1 / R) * (sum over gaining hits of NDCG@rank  +  missed * NDCG)

    where R counts the documents with a gain, and a document that was not found counts with the NDCG of the whole list.

    Use it to compare with results of trec_eval, where it is an experimental measure. It is to ndcg what average
    precision is to precision.

    Grades 1, 0, 1: NDCG@1 = 1; NDCG@3 = (1 + 1/2) / (1 + 1/log2(3)) = 0.9197. The mean is 0.9599.

    >>> ndcg_at_relevant(one_query([1, 0, 1])).values.round(4)
    array([0.9599])

    Järvelin and Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, doi:10.1145/582415.582418; Buckley
    2011, trec_eval 9.0, measure ndcg_rel.
    """
    seen, gains = hits.system.gaining(gain)
    best, ideal_gains = hits.ideal.gaining(gain)
    gained, ideal_gained = gains / discount(seen.rank), ideal_gains / discount(best.rank)
    dcg, idcg = running_sums(gained, seen.starts), sums_down_to(seen, best, ideal_gained)
    relevant = best.sizes.astype(np.float64)
    whole, ideal = sums(gained, seen.query, len(hits)), sums(ideal_gained, best.query, len(hits))
    at_end = np.divide(whole, ideal, out=np.zeros(len(hits)), where=ideal > 0)
    return Derivation.of_hits(
        seen,
        dcg / idcg,
        Working("{}/{}", dcg, idcg),
        relevant,
        "documents with a gain",
        rest=(relevant - seen.sizes) * at_end,
        rest_is="documents that were not found, at the NDCG of the whole list",
    )


def sums_down_to(seen: Ranking, best: Ranking, values: Floats) -> Floats:
    """For each document of a ranking, the sum of the values of the best documents down to the same rank.

    The best documents stand at the ranks 1, 2, 3 and so on, without gaps.
    """
    count = np.minimum(seen.rank, best.sizes[seen.query])
    running = np.append(running_sums(values, best.starts), 0.0)
    down_to: Floats = np.where(count > 0, running[best.starts[seen.query] + count - 1], 0.0)
    return down_to
