"""Partial AUC and precision."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.facts import Grades
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Rel
from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits
from rankgold.measures.pauc import Others, pairs_won


@measure(
    "pap",
    aliases=("partial_auc_and_precision",),
    suffix="others",
    question="order",
    title="Partial AUC and precision",
    grades=Grades("shares"),
)
def partial_auc_and_precision(hits: Hits, *, rel: Rel = 1, others: Others = 10) -> Derivation:
    """The share of correctly ordered pairs among the first n relevant and the first n non-relevant documents.

        pAp@n = sum over the first min(n, R) relevant hits of  max(n - non-relevant above it, 0)  /  (n * min(n, R))

    Here n is `others`, the number after `@`; it does not count ranks. With more than n relevant documents it acts like
    precision at n, with fewer like pauc.

    Use it for recommendations, where some users have many relevant items and others few, and a short list is shown to
    all of them. For users with few items alone, pauc is the same.

    Ranks 1 and 3 relevant, R = 2, n = 10: none above the first, one above the second, (10 + 9) / (10 * 2) = 0.95.
    With n = 1 only the first relevant document counts, and nothing stands above it: 1.

    >>> partial_auc_and_precision(one_query([1, 0, 1, 0])).values
    array([0.95])

    Budhiraja and others 2020, Rich-item recommendations for rich-users, arXiv:2001.10495; Hiranandani and others 2020,
    Optimization and analysis of the pAp@k metric for recommender systems.
    """
    relevant = hits.relevant(rel)
    found, below = pairs_won(hits, rel, relevant, others)
    first = found.ordinal <= others
    norm = others * np.minimum(relevant, others)
    return Derivation.of_hits(
        found.keep(first), below[first], Working("{}", below[first]), norm, "pairs: n * min(n, R)"
    )
