"""Partial area under the ROC curve, alone and with precision."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Floats
from rankgold.measures.facts import Grades
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Above, Examples, Rel

Others = Annotated[
    int, Above(0), "the number of non-relevant documents to pair: the first ones of the list", Examples(1, 3)
]


@measure(
    "pauc",
    aliases=("partial_auc", "partialauc"),
    suffix="others",
    question="order",
    title="Partial area under the ROC curve",
    grades=Grades("shares"),
)
def partial_area_under_the_curve(hits: Hits, *, rel: Rel = 1, others: Others = 10) -> Derivation:
    """The share of correctly ordered pairs of all relevant and the first `others` non-relevant documents.

        pAUC@n = sum over relevant hits of  max(n - non-relevant documents above it, 0)  /  (n * R)

    The number after `@` counts documents that are not relevant, and not ranks. A list with fewer of them is measured as
    if it were filled up with documents that are not relevant; a relevant document that was not retrieved loses all of
    its pairs.

    Use it in place of auc where only the top of a long list is seen: pairs far down do not count. For a fixed number of
    places use ap or ndcg with a cutoff.

    Ranks 1 and 3 relevant, R = 2, n = 10: none above the first, one above the second, (10 + 9) / (10 * 2) = 0.95.

    >>> partial_area_under_the_curve(one_query([1, 0, 1, 0])).values
    array([0.95])

    McClish 1989, Analyzing a portion of the ROC curve, doi:10.1177/0272989X8900900307; at the top of recommendations,
    Budhiraja and others 2020, Rich-item recommendations for rich-users, arXiv:2001.10495.
    """
    relevant = hits.relevant(rel)
    found, below = pairs_won(hits, rel, relevant, others)
    return Derivation.of_hits(found, below, Working("{}", below), others * relevant, "pairs: others * R")


def pairs_won(hits: Hits, rel: float, relevant: Floats, others: int) -> tuple[Ranking, Floats]:
    """The relevant documents above any of the first `others` non-relevant ones, and how many of those each beats."""
    # As many other documents stand at the ranks down to others + R, if all relevant ones do.
    found = hits.system.relevant(rel, np.minimum(relevant + others, 2.0**62).astype(np.int64))
    below = others - (found.rank - found.ordinal).astype(np.float64)
    counts = below > 0
    return found.keep(counts), below[counts]


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
