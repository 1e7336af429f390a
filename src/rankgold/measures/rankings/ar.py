"""Average recall."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.measures.facts import Grades
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Rel


@measure(
    "ar",
    aliases=("mar", "average_recall", "mean_average_recall"),
    question="order",
    closed_form=True,
    binary=True,
    grades=Grades("shares"),
)
def average_recall(hits: Hits, *, k: Cutoff = None, rel: Rel = 1) -> Derivation:
    """The recall a reader has reached on meeting each relevant document, averaged over those that were found.

        AR = (1 / found) * sum over relevant hits of  ordinal / R

    With m relevant documents found the sum is 1/R + 2/R + ... + m/R, so AR = (m + 1) / (2 R), whatever their order.

    Use it where a comparison with published values of mean average recall asks for it. Since it does not see the
    order, recall at k says the same in a clearer way; with all R found it is (R + 1) / (2 R) and not 1.

    Ranks 1, 3 and 5 relevant, R = 3: (1/3 + 2/3 + 3/3) / 3 = 2/3.

    >>> average_recall(one_query([1, 0, 1, 0, 1])).values.round(4)
    array([0.6667])

    The recall counterpart of Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval.
    """
    found = hits.system.relevant(rel, k)
    ordinal = found.ordinal
    relevant = hits.relevant(rel)[found.query]
    return Derivation.of_hits(
        found,
        ordinal / relevant,
        Working("{}/{}", ordinal, relevant),
        np.maximum(found.count, 1.0),
        "relevant documents found",
    )
