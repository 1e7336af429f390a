"""NDCG averaged over the levels of the ideal ranking."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Floats, changes, running_sums, starts_of
from rankgold.measures.facts import NoSql
from rankgold.measures.gains import LINEAR, LOG2, Discount, Gain
from rankgold.measures.metric import measure


@measure(
    "rndcg",
    aliases=("ndcg_at_levels",),
    question="grades",
    title="NDCG averaged over grade levels",
    closed_form=True,
    no_sql=NoSql.EXPERIMENTAL,
)
def ndcg_at_levels(hits: Hits, *, gain: Gain = LINEAR, discount: Discount = LOG2) -> Derivation:
    """The mean NDCG at the ranks where the grade of the ideal ranking changes.

        Rndcg = (1 / levels) * sum over levels of  NDCG@(rank of the level)

    With 5 documents of the best grade and 3 of the next, the levels are the ranks 5 and 8. The end of a list that is
    longer than all of them by two or more documents is a level too. So a query is looked at where its own judgements
    change, and not at a cutoff that suits other queries.

    Use it to compare with results of trec_eval, where it is an experimental measure. For published work use ndcg@k.

    Grades 0, 2, 1: levels 1 and 2, where DCG is 0 and 2/log2(3) = 1.2619, IDCG 2 and 2 + 1/log2(3) = 2.6309. The mean
    of 0 and 0.4796 is 0.2398.

    >>> ndcg_at_levels(one_query([0, 2, 1])).values.round(4)
    array([0.2398])

    Järvelin and Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, doi:10.1145/582415.582418; Buckley
    2011, trec_eval 9.0, measure Rndcg.
    """
    seen, gains = hits.system.gaining(gain)
    best, ideal_gains = hits.ideal.gaining(gain)
    # As shares of the query's highest gain, so that no gain is too low to divide by.
    highest = np.ones(len(hits))
    highest[best.query[::-1]] = ideal_gains[::-1]
    gains, ideal_gains = gains / highest[seen.query], ideal_gains / highest[best.query]
    idcg = running_sums(ideal_gains / discount(best.rank), best.starts)
    # A document of the ideal ranking ends a level if it is the last one of its query with its gain.
    ends = np.append(changes(best.query, ideal_gains)[1:], True)[: len(best)]
    sizes = best.sizes
    # The list ends a level of its own if it goes on for more than one document after the last level.
    goes_on = (sizes > 0) & (hits.returned > sizes + 1)
    weight = _weights(seen, best.keep(ends), 1 / idcg[ends])
    whole = np.zeros(len(hits))
    whole[best.query] = idcg  # the last one of each query stays
    weight += np.divide(goes_on, whole, out=np.zeros(len(hits)), where=whole > 0)[seen.query]
    levels = np.bincount(best.query[ends], minlength=len(hits)) + goes_on
    discounts = discount(seen.rank)
    working = Working("{}/{}*{}", gains, discounts, weight)
    return Derivation.of_hits(seen, gains / discounts * weight, working, levels.astype(np.float64), "levels")


def _weights(seen: Ranking, ends: Ranking, shares: Floats) -> Floats:
    """For each document, the sum of the shares of the levels of its query that reach down to it."""
    deepest = 1 + max(int(seen.rank.max(initial=0)), int(ends.rank.max(initial=0)))
    first = np.searchsorted(ends.query * deepest + ends.rank, seen.query * deepest + seen.rank)
    # Added from the last level up, so that a document below all levels has exactly 0.
    from_the_end = running_sums(shares[::-1], starts_of(ends.sizes[::-1]))[::-1]
    is_above = first < ends.starts[seen.query + 1]
    weights: Floats = np.where(is_above, np.append(from_the_end, 0.0)[first], 0.0)
    return weights
