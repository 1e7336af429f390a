"""Precision of the whole list as a share of what it could be."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.facts import Grades
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Rel
from rankgold.derivation import Derivation
from rankgold.hits import Hits


@measure(
    "set_relative_p", aliases=("set_relative_precision",), question="count", closed_form=True, grades=Grades("shares")
)
def set_relative_precision(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """The number of relevant documents, divided by the most that a list of this length could have.

        set_relative_p = found / min(returned, R)

    It is the larger one of precision and recall of the whole list.

    Use it for sets whose sizes differ much from the number of relevant documents, where one of precision and recall
    cannot reach 1. At a cutoff, p(norm=min)@k does the same.

    Two of three documents relevant, R = 2: 2 / min(3, 2) = 1.

    >>> set_relative_precision(one_query([1, 0, 1])).values
    array([1.])

    Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval, chapter 3.
    """
    found = hits.system.relevant(rel)
    norm = np.minimum(hits.returned, hits.relevant(rel))
    return Derivation.count(found, norm, "min(documents returned, R)")
