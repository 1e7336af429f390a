"""Precision times recall of the whole list."""

from __future__ import annotations

from rankgold.declaration.facts import Grades
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Rel
from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits


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
