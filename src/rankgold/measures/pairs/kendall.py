"""Kendall's rank correlation of two rankings."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.ranked_pairs import RankedPairs
from rankgold.core.segments import sums
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff
from rankgold.measures.registry import SIMILARITIES

Documents = Annotated[
    Literal["shared", "all"],
    "which documents to compare: those in both lists, or all, with missing ones tied at the end",
]


@measure(
    "kendall",
    registry=SIMILARITIES,
    aliases=("kendalltau", "kendall_tau", "kendall_tau_b", "tau"),
    span=(-1.0, 1.0),
    handles_ties=True,
    question="orders",
    title="Kendall's rank correlation",
)
def kendall_correlation(pairs: RankedPairs, *, k: Cutoff = None, documents: Documents = "shared") -> Derivation:
    """Kendall's tau-b: document pairs ordered alike minus pairs ordered differently, normalised.

        tau-b = (agreeing - disagreeing pairs)  /  sqrt(pairs not tied in the first * pairs not tied in the second)

    Only documents in both lists take part, with the order that they have among each other. With `documents=all`, those
    that a list lacks are tied below its end. Tied documents are neither in one order nor in the other.

    Use it to compare two orders of the same items, such as two leaderboards of the same systems. It weighs the bottom
    as much as the top, and does not see what the lists do not share: use rbo for the results of a search.

    a b c against b a c: two of three pairs are in the same order, one is not: (2 - 1) / 3 = 1/3.

    >>> kendall_correlation(two_lists("a b c", "b a c")).values.round(4)
    array([0.3333])

    Kendall 1938, A new measure of rank correlation, doi:10.1093/biomet/30.1-2.81; for ties, Kendall 1945, The
    treatment of ties in ranking problems, doi:10.1093/biomet/33.3.239.
    """
    ranks = pairs.top(k).ranks(documents)
    # Every pair is counted by both of its documents, above and below the line.
    first, second = (sums(counts, ranks.query, len(pairs)) for counts in ranks.untied)
    alike = ranks.agreement
    terms = ranks.terms(alike, Working("{}", alike))
    norm_is = "sqrt of the pairs not tied in each list, from both documents of a pair"
    return Derivation.of_terms(len(pairs), terms, np.sqrt(first * second), norm_is)
