"""Weighted Kendall correlation of two rankings."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working, ratio
from rankgold.core.ranked_pairs import DocumentRanks, RankedPairs
from rankgold.core.segments import Floats, Ints, positions, sums
from rankgold.measures.metric import measure
from rankgold.measures.pairs.kendall import Documents
from rankgold.measures.parameters import Cutoff
from rankgold.measures.registry import SIMILARITIES


@measure(
    "weighted_tau",
    registry=SIMILARITIES,
    aliases=("weightedtau", "tau_w", "tau_h"),
    span=(-1.0, 1.0),
    handles_ties=True,
    question="orders",
    title="Weighted Kendall correlation",
)
def weighted_tau(pairs: RankedPairs, *, k: Cutoff = None, documents: Documents = "shared") -> Derivation:
    """Kendall's correlation with more weight on pairs near the top.

        tau_w = sum over pairs of  agreement * (1/i + 1/j)  /  sqrt(the same sums of pairs not tied in each list)

    where i and j are the ranks of the two documents, and agreement is 1 if both rankings order them alike, -1 if not, 0
    for ties. The ranks are those of the first list, then those of the second, and the two values are averaged. Only
    documents in both lists take part. With `documents=all`, those that a list lacks are tied below its end.

    Use it where orders of the same items are compared and the top matters more, such as leaderboards. For the results
    of a search, which share only some documents, use rbo.

    a b c against b a c: by the ranks of the first list, the pairs ab, ac, bc weigh 3/2, 4/3 and 5/6, and ab is turned
    round: (-3/2 + 4/3 + 5/6) / (3/2 + 4/3 + 5/6) = 2/11. By those of the second list it is the same.

    >>> weighted_tau(two_lists("a b c", "b a c")).values.round(4)
    array([0.1818])

    Vigna 2015, A weighted correlation index for rankings with ties, doi:10.1145/2736277.2741088.
    """
    ranks = pairs.top(k).ranks(documents)
    agreement, untied = ranks.agreement, ranks.untied
    by_first, by_second = (
        _share_of_pair(ranks, untied, order) for order in ((ranks.second, ranks.first), (ranks.first, ranks.second))
    )
    working = Working("{} * ({} + {}) / 2", agreement, by_first, by_second)
    terms = ranks.terms((agreement * by_first + agreement * by_second) / 2, working)
    first, second = (sums(counts, ranks.query, len(pairs)) for counts in untied)
    return Derivation.of_terms(len(pairs), terms, np.minimum(first * second, 1), "1")


def _share_of_pair(ranks: DocumentRanks, untied: tuple[Ints, Ints], order: tuple[Ints, Ints]) -> Floats:
    """What an agreeing pair adds to the correlation, per document; 0 if all documents are tied.

    It is the weight of the document in one order, by the last of these ranks and ties by the other, over the norm of
    its query. Every pair is in the counts of both of its documents, once with the weight of each.
    """
    weight = np.empty(len(ranks.query))
    weight[np.lexsort((*order, ranks.query))] = 1 / (positions(ranks.starts) + 1)
    first, second = (sums(weight * counts, ranks.query, len(ranks.starts) - 1) for counts in untied)
    return np.nan_to_num(ratio(weight, np.sqrt(first * second)[ranks.query]))
