"""Precision."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation
from rankgold.core.hits import Hits
from rankgold.core.segments import Floats
from rankgold.measures.facts import Grades
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Rel

Norm = Annotated[
    Literal["k", "returned", "min"],
    "what it divides by: the cutoff, the documents returned (at most k), or min(k, R)",
]


@measure(
    "p",
    aliases=("precision",),
    question="count",
    closed_form=True,
    grades=Grades(
        "ends",
        separable=True,
        additive=True,
        unless={"norm=min": Grades("shares", separable=True, additive=True)},
    ),
    sql_names=("precision_at",),
)
def precision(hits: Hits, *, k: Cutoff = None, rel: Rel = 1, norm: Norm = "k") -> Derivation:
    """The share of the first k documents that are relevant.

        P@k = (relevant documents in the top k) / k

    A list shorter than k is measured as if it were filled up with documents that are not relevant, as trec_eval does;
    `norm="returned"` divides by the documents that are there instead. Without a cutoff the whole list counts.

    Use it when a reader looks at a page of fixed size and every document on it matters alike. It does not see the
    order within the page, and no system can reach 1 on a query with fewer than k relevant documents: `norm="min"`
    divides by min(k, R) for that reason.

    Ranks 1, 3 and 5 of five relevant: P@5 = 3/5, P@2 = 1/2.

    >>> precision(one_query([1, 0, 1, 0, 1]), k=5).values, precision(one_query([1, 0, 1, 0, 1]), k=2).values
    (array([0.6]), array([0.5]))

    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4,
    doi:10.1017/CBO9780511809071.
    """
    found = hits.system.relevant(rel, k)
    norms, norm_is = denominator(hits, k, rel, norm)
    return Derivation.count(found, norms, norm_is)


def denominator(hits: Hits, k: int | None, rel: float, norm: str) -> tuple[Floats | float, str]:
    """The denominator of precision, and its name."""
    if norm == "min":
        relevant = hits.relevant(rel)
        return (relevant if k is None else np.minimum(relevant, k)), "min(k, R), the most that could be found"
    if norm == "returned" or k is None:
        return hits.depth(k).astype(np.float64), "documents returned" + ("" if k is None else " in the top k")
    return float(k), "k, the cutoff"
