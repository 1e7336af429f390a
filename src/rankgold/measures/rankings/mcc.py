"""Matthews correlation coefficient."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Rel
from rankgold.measures.rankings.accuracy import Documents, number_of_documents


@measure("mcc", aliases=("matthews", "phi"), span=(-1.0, 1.0), question="count", no_sql=NoSql.DOCUMENTS)
def matthews_correlation_coefficient(
    hits: Hits, *, k: Cutoff = None, rel: Rel = 1, documents: Documents = None
) -> Derivation:
    """The correlation between being returned and being relevant, over all documents.

        MCC@k = (documents * found - k * R) / sqrt(k * R * (documents - R) * (documents - k))

    where `found` counts the relevant documents in the top k, and k is the number of documents returned where the list
    is shorter. 0 is what a random choice gives, 1 a perfect one. It is undefined if all documents are relevant, or if
    all are returned.

    Use it where retrieval is seen as a classification of a collection of known size, with few relevant documents:
    unlike accuracy it is not near 1 for every system.

    Grades 1, 0, 1, 0, top 1: (4 * 1 - 1 * 2) / sqrt(1 * 2 * 2 * 3) = 0.5774.

    >>> matthews_correlation_coefficient(one_query([1, 0, 1, 0]), k=1).values.round(4)
    array([0.5774])

    Matthews 1975, Comparison of the predicted and observed secondary structure of T4 phage lysozyme,
    doi:10.1016/0005-2795(75)90109-9.
    """
    found = hits.system.relevant(rel, k)
    size, relevant, depth = number_of_documents(hits, k, documents), hits.relevant(rel), hits.depth(k)
    norm = np.sqrt(depth * relevant * (size - relevant) * (size - depth))
    is_defined = norm > 0
    term = np.where(is_defined, size, 0.0)[found.query]
    return Derivation.of_hits(
        found,
        term,
        Working("{}", term),
        norm,
        "sqrt(k * R * (documents - R) * (documents - k))",
        rest=np.where(is_defined, -depth * relevant, 0.0),
        rest_is="-k * R",
    )
