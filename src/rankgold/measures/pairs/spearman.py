"""Spearman's rank correlation of two rankings."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.ranked_pairs import RankedPairs
from rankgold.core.segments import sums
from rankgold.measures.metric import measure
from rankgold.measures.pairs.kendall import Documents
from rankgold.measures.parameters import Cutoff
from rankgold.measures.rankings.spearman import ranks_from_mean
from rankgold.measures.registry import SIMILARITIES


@measure(
    "spearman",
    registry=SIMILARITIES,
    aliases=("spearmanr", "spearman_rho", "rho"),
    span=(-1.0, 1.0),
    handles_ties=True,
    question="orders",
    title="Spearman's rank correlation",
)
def spearman_correlation(pairs: RankedPairs, *, k: Cutoff = None, documents: Documents = "shared") -> Derivation:
    """The correlation of the documents' ranks in the two rankings.

        rho = sum over documents of (x - mean x)(y - mean y)  /  sqrt(sum (x - mean x)^2 * sum (y - mean y)^2)

    where x and y are the ranks of a document among the documents that take part, tied ones sharing the mean of their
    ranks. Only documents in both lists take part. With `documents=all`, those that a list lacks are tied below its end.

    Use it like kendall, where large moves should weigh more than small ones: it squares the distance that a document
    moved. It weighs the bottom as much as the top: use rbo for the results of a search.

    a b c against b a c: a and b moved by one rank, so 1 - 6 * (1 + 1) / (3 * 8) = 1/2.

    >>> spearman_correlation(two_lists("a b c", "b a c")).values
    array([0.5])

    Spearman 1904, The proof and measurement of association between two things, doi:10.2307/1412159.
    """
    ranks = pairs.top(k).ranks(documents)
    x, y = (ranks_from_mean(-rank.astype(np.float64), ranks.query, len(pairs)) for rank in (ranks.first, ranks.second))
    terms = ranks.terms(x * y, Working("({}) * ({})", x, y))
    norm = np.sqrt(sums(x * x, ranks.query, len(pairs)) * sums(y * y, ranks.query, len(pairs)))
    return Derivation.of_terms(len(pairs), terms, norm, "sqrt(sum (x - mean x)^2 * sum (y - mean y)^2)")
