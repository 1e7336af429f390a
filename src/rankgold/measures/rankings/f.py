"""The F measure."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.errors import MeasureError
from rankgold.core.hits import Hits
from rankgold.measures.facts import Grades
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Above, Cutoff, Examples, Rel
from rankgold.measures.rankings.p import denominator

Beta = Annotated[float, Above(0), "the weight of recall relative to precision", Examples(0.5, 2)]
Norm = Annotated[Literal["k", "returned"], "what its precision divides by: the cutoff, or the documents returned"]


@measure(
    "f",
    aliases=("f1", "f_measure", "f_score"),
    question="count",
    closed_form=True,
    grades=Grades("shares", separable=True, additive=True),
    sql_names=("f_at",),
)
def f_measure(hits: Hits, *, k: Cutoff = None, beta: Beta = 1, rel: Rel = 1, norm: Norm = "k") -> Derivation:
    """The weighted harmonic mean of precision and recall at k.

        F@k = (1 + beta^2) P R / (beta^2 P + R) = (1 + beta^2) (relevant documents in the top k) / (beta^2 R + k)

    The harmonic mean stays near the smaller of the two, so neither can be bought with the other. With beta = 2 recall
    weighs twice as much as precision, with beta = 0.5 half as much.

    Use it when the set that is returned matters and its order does not: keywords, labels, a fixed number of passages.
    It says nothing about which document comes first.

    Ranks 1, 3 and 5 of five relevant, R = 3: F1@5 = 2 * 3 / (3 + 5) = 3/4.

    >>> f_measure(one_query([1, 0, 1, 0, 1]), k=5).values
    array([0.75])

    Van Rijsbergen 1979, Information Retrieval, chapter 7; Chinchor 1992, MUC-4 evaluation metrics,
    doi:10.3115/1072064.1072067.
    """
    if beta > 1e100:
        raise MeasureError(f"beta must be at most 1e100, not {beta:g}.")
    found = hits.system.relevant(rel, k)
    depth, depth_is = denominator(hits, k, rel, norm)
    weight = 1 + beta**2
    return Derivation.of_hits(
        found,
        np.full(len(found), weight, dtype=np.float64),
        Working("1 + {}*{}", beta, beta),
        beta**2 * hits.relevant(rel) + depth,
        f"{beta:g}^2 * R, the relevant documents, + {depth_is}",
    )
