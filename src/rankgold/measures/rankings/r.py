"""Recall."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation
from rankgold.core.hits import Hits
from rankgold.measures.facts import Grades
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Rel

Norm = Annotated[Literal["relevant", "min"], "what it divides by: R, or min(k, R)"]


@measure(
    "r",
    aliases=("recall",),
    question="count",
    closed_form=True,
    grades=Grades("shares", separable=True, additive=True),
    sql_names=("recall_at",),
)
def recall(hits: Hits, *, k: Cutoff = None, rel: Rel = 1, norm: Norm = "relevant") -> Derivation:
    """The share of the relevant documents that are among the first k.

        R@k = (relevant documents in the top k) / R

    R counts every relevant document of the query, retrieved or not. With more than k of them, 1 is out of reach;
    `norm="min"` divides by min(k, R), the most that k places can hold.

    Use it when a later stage sees only the first k documents (a re-ranker, the prompt of a language model) and what is
    missing there is lost. It does not see the order within the top k.

    Ranks 1, 3 and 5 of five relevant, R = 3: R@1 = 1/3, R@3 = 2/3, R@5 = 3/3.

    >>> [recall(one_query([1, 0, 1, 0, 1]), k=k).values.round(4).item() for k in (1, 3, 5)]
    [0.3333, 0.6667, 1.0]

    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.3,
    doi:10.1017/CBO9780511809071.
    """
    found = hits.system.relevant(rel, k)
    relevant = hits.relevant(rel)
    if norm == "min" and k is not None:
        return Derivation.count(found, np.minimum(relevant, k), "min(k, R)")
    return Derivation.count(found, relevant, "R, the relevant documents")
