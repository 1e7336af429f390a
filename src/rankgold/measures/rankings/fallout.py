"""Fall-out."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Rel
from rankgold.measures.rankings.accuracy import Documents, number_of_documents


@measure(
    "fallout",
    aliases=("fall_out", "false_positive_rate"),
    higher_is_better=False,
    question="count",
    title="Fall-out",
    closed_form=True,
    no_sql=NoSql.DOCUMENTS,
)
def fall_out(hits: Hits, *, k: Cutoff = None, rel: Rel = 1, documents: Documents = None) -> Derivation:
    """The share of non-relevant documents that were retrieved.

        fallout@k = (not relevant documents in the top k) / (documents - R)

    Use it beside recall, as the two axes of a ROC curve, for a collection of known size: name the size as
    `documents`. It is tiny for any search in a large collection. Lower is better.

    Grades 1, 0, 1, 0, top 3 of 4 documents: one of the two that are not relevant, 1/2.

    >>> fall_out(one_query([1, 0, 1, 0]), k=3).values
    array([0.5])

    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4,
    doi:10.1017/CBO9780511809071.
    """
    found = hits.system.relevant(rel, k)
    less = np.full(len(found), -1.0)
    return Derivation.of_hits(
        found,
        less,
        Working("{}", less),
        number_of_documents(hits, k, documents) - hits.relevant(rel),
        "documents that are not relevant",
        rest=hits.depth(k).astype(np.float64),
        rest_is="documents returned",
    )
