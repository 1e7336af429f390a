"""Compatibility of a ranking with an ideal one."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Terms, Working
from rankgold.core.ranked_pairs import RankedPairs, documents_at
from rankgold.core.segments import earlier_of_kind, sums
from rankgold.measures.metric import measure
from rankgold.measures.rankings.compat import Patience, weight_of_depths
from rankgold.measures.registry import SIMILARITIES


@measure("compat", registry=SIMILARITIES, aliases=("compatibility",), suffix="p", question="tops")
def compatibility(pairs: RankedPairs, *, p: Patience = 0.95) -> Derivation:
    """The rank-biased overlap with the first ranking as the ideal, divided by the highest possible overlap.

        compat = RBO(second, ideal) / RBO(ideal, ideal)    with  RBO = sum over depths d of  p^(d - 1) * shared(d) / d

    The depths go down to the end of the longer list. Tied documents of the first ranking are equally good, so the ideal
    has them in the order that the second ranking prefers. Tied documents of the second are in the order of the policy.

    Use it where the first ranking is a set of preferences, with many ties: the choices of people, or levels of quality.
    With judgements in place of the first ranking, `rankgold.evaluate` has a measure of the same name. For two rankings
    of the same kind use rbo.

    a b c against b a c, p = 0.5: they share 0, 2 and 3 documents at depths 1 to 3: (0 + 0.5 * 2/2 + 0.25 * 3/3) / (1 +
    0.5 + 0.25) = 3/7.

    >>> compatibility(two_lists("a b c", "b a c"), p=0.5).values.round(4)
    array([0.4286])

    Clarke, Vtyurina and Smucker 2021, Assessing top-k preferences, doi:10.1145/3451161.
    """
    at, partner = pairs.swapped().shared()  # in the order of the second ranking
    query, rank, tie = pairs.second.query[at], pairs.second.rank[at], pairs.first.tie_start[partner]
    depth = np.maximum(pairs.first.sizes, pairs.second.sizes)
    ideal = tie + earlier_of_kind(query, tie)
    found = weight_of_depths(p, np.maximum(rank, ideal), depth[query])
    terms = Terms(found, query, Working("{}", found), lambda: documents_at(partner, at))
    in_ideal = pairs.first.query
    best = sums(weight_of_depths(p, pairs.first.rank, depth[in_ideal]), in_ideal, len(pairs))
    return Derivation.of_terms(len(pairs), terms, best, "the sum of the ideal ranking with itself")
