"""Accuracy."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.errors import MeasureError
from rankgold.core.hits import Hits
from rankgold.core.segments import Floats
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Above, Cutoff, Examples, Rel

Documents = Annotated[
    int | None,
    Above(0),
    "the size of the collection; without it, the documents judged or in the top k",
    Examples(1000),
]


@measure("accuracy", aliases=("acc",), question="count", closed_form=True, no_sql=NoSql.DOCUMENTS)
def accuracy(hits: Hits, *, k: Cutoff = None, rel: Rel = 1, documents: Documents = None) -> Derivation:
    """The share of documents classified correctly: relevant and returned, or neither.

        accuracy@k = (relevant in the top k + not relevant and not in the top k) / documents

    Use it where retrieval is seen as a classification of a collection of known size: name the size as `documents`. In
    a large collection nearly every document is rightly left out, so all systems are near 1: prefer precision and
    recall.

    Grades 1, 0, 1, 0, top 2 of 4 documents: one relevant returned, one other not returned, 2/4.

    >>> accuracy(one_query([1, 0, 1, 0]), k=2).values
    array([0.5])

    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.3,
    doi:10.1017/CBO9780511809071.
    """
    found = hits.system.relevant(rel, k)
    size = number_of_documents(hits, k, documents)
    twice = np.full(len(found), 2.0)
    return Derivation.of_hits(
        found,
        twice,
        Working("{}", twice),
        size,
        "documents to choose from",
        rest=size - hits.relevant(rel) - hits.depth(k),
        rest_is="not relevant documents, less the documents returned",
    )


def number_of_documents(hits: Hits, k: int | None, documents: int | None) -> Floats:
    """The number of documents of each query: as given, or those that are known."""
    judged, seen = hits.ideal.at_least(-np.inf), hits.system.relevant(-np.inf, k)
    if documents is None:
        return hits.depth(k) - seen.count + judged
    known = hits.depth(k) - seen.expected_count + judged
    if len(known) and known.max() > documents:
        raise MeasureError(f"documents={documents} is too low: a query has {known.max():g} judged or returned ones.")
    return np.full(len(hits), float(documents))
