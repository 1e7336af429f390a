"""The number of documents returned."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.facts import Grades, NoSql
from rankgold.declaration.metric import SUM, measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation
from rankgold.hits import Hits


@measure(
    "num_ret",
    aliases=("number_of_documents_returned", "numret"),
    span=(0.0, float("inf")),
    wants_relevant=False,
    defines_empty=True,
    aggregate=SUM,
    question="judged",
    closed_form=True,
    grades=Grades("ends"),
    no_sql=NoSql.COUNT,
)
def number_of_documents_returned(hits: Hits, *, k: Cutoff = None) -> Derivation:
    """The number of documents that the system returned; over queries, their sum.

        num_ret = the documents in the list, judged or not

    Use it to see whether two runs are of the same depth: a deeper run has more chances to find something, and its
    recall and average precision are higher for that reason alone.

    A list of three documents: 3.

    >>> number_of_documents_returned(one_query([1, 0, 1])).values
    array([3.])

    Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval, chapter 3.
    """
    judged = hits.system.relevant(-np.inf, k)
    missed = hits.depth(k) - judged.expected_count
    return Derivation.count(judged, 1.0, "1", missed, "documents without a judgement")
