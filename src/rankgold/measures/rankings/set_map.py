"""Measures of the whole list as a set: precision times recall, and relative precision."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.measures.facts import Grades
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Rel


@measure(
    "set_map", aliases=("set_ap", "set_average_precision"), question="count", closed_form=True, grades=Grades("shares")
)
def set_average_precision(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """The average precision of a set: its precision times its recall.

        set_map = (found / returned) * (found / R)

    This is what average precision comes to if nothing is known about the order, and every relevant document is met at
    the precision of the whole set.

    Use it for results that are a set without an order, such as those of a filter. With an order, use ap.

    Two of three documents relevant, R = 2: 2/3 * 2/2 = 2/3.

    >>> set_average_precision(one_query([1, 0, 1])).values.round(4)
    array([0.6667])

    Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval, chapter 3.
    """
    found = hits.system.relevant(rel)
    total = found.count[found.query]
    norm = hits.returned * hits.relevant(rel)
    return Derivation.of_hits(found, total, Working("{}", total), norm, "documents returned * relevant documents")


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
