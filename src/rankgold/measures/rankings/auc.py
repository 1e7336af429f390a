"""Area under the ROC curve."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Rel

Pairs = Annotated[
    Literal["retrieved", "all"],
    "which relevant documents are paired: those retrieved, or all, where a missed one loses every pair",
]


@measure(
    "auc",
    aliases=("roc_auc", "area_under_the_curve"),
    monotone=False,
    question="agreement",
    title="Area under the ROC curve",
    closed_form=True,
    binary=True,
)
def area_under_the_curve(hits: Hits, *, k: Cutoff = None, rel: Rel = 1, pairs: Pairs = "retrieved") -> Derivation:
    """The share of pairs of a relevant and a non-relevant document that are in the right order.

        AUC = sum over relevant hits of (non-relevant documents below it)  /  (relevant * non-relevant)

    Only documents of the list are paired, those in the top k with a cutoff. `pairs="all"` pairs the relevant documents
    that were not retrieved as well, and counts their pairs as lost. A list without one of the two kinds has no pairs,
    so its value is undefined.

    Use it to judge a whole ranking, top and bottom alike, as with a classifier's scores. Readers of search results
    see only the top, which AUC weighs no more than the rest.

    Relevant at ranks 1 and 3 of four: 2 non-relevant below the first, 1 below the second, of 2 * 2 pairs: 3/4.

    >>> area_under_the_curve(one_query([1, 0, 1, 0])).values
    array([0.75])

    Hanley and McNeil 1982, The meaning and use of the area under a receiver operating characteristic curve,
    doi:10.1148/radiology.143.1.7063747.
    """
    found = hits.system.relevant(rel, k)
    depth = hits.depth(k)[found.query]
    count = found.count
    below = (depth - found.rank) - (count[found.query] - found.ordinal)
    paired = count if pairs == "retrieved" else hits.relevant(rel)
    return Derivation.of_hits(
        found,
        below.astype(np.float64),
        Working("{}", below),
        paired * (hits.depth(k) - count),
        "relevant * non-relevant documents",
    )
