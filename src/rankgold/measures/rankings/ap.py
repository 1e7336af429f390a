"""Average precision, and its geometric mean over queries."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Floats
from rankgold.measures.facts import Grades, NoSql
from rankgold.measures.metric import GEOMETRIC_MEAN, measure
from rankgold.measures.parameters import Cutoff, Rel

Norm = Annotated[
    Literal["relevant", "retrieved", "min", "k", "returned", "reachable"],
    "what it divides by: R, the relevant documents found (at least 1), min(k, R), k, the documents returned, or the"
    " most relevant documents that a list of this length can hold",
]


@measure(
    "ap",
    aliases=("map", "average_precision", "map_cut", "ap_cut", "mean_average_precision"),
    question="order",
    closed_form=True,
    binary=True,
    mean_name="MAP",
    grades=Grades("shares", separable=True),
)
def average_precision(hits: Hits, *, k: Cutoff = None, rel: Rel = 1, norm: Norm = "relevant") -> Derivation:
    """The precision a reader has seen on meeting each relevant document, averaged over all relevant documents.

        AP = (1 / R) * sum over relevant hits of  ordinal / rank

    A relevant document that was never retrieved adds nothing and still counts in R, so `norm="relevant"` is the
    default; `norm="retrieved"` divides by the relevant documents found instead, and forgives what was missed. With a
    cutoff k < R, `norm="min"` keeps 1 within reach.

    Use it when readers go on down the list and every relevant document is worth finding, the early ones most. It
    knows only relevant or not: for grades use ndcg or gap. Its mean over queries is MAP.

    Ranks 1, 3 and 5 relevant, R = 3: (1/1 + 2/3 + 3/5) / 3 = 34/45.

    >>> average_precision(one_query([1, 0, 1, 0, 1])).values.round(4)
    array([0.7556])

    Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval, chapter 3; 2000,
    Evaluating evaluation measure stability, doi:10.1145/345508.345543.
    """
    found = hits.system.relevant(rel, k)
    ordinal = found.ordinal
    norms, norm_is = _denominator(hits, found, k, rel, norm)
    return Derivation.of_hits(found, ordinal / found.rank, Working("{}/{}", ordinal, found.rank), norms, norm_is)


def _denominator(hits: Hits, found: Ranking, k: int | None, rel: float, norm: str) -> tuple[Floats, str]:
    if norm == "retrieved":
        return np.maximum(found.count, 1.0), "relevant documents found"
    if norm == "returned" or (norm == "k" and k is None):
        return hits.depth(k).astype(np.float64), "documents returned"
    if norm == "k":
        return np.full(len(hits), float(k or 0)), "k, the cutoff"
    relevant = hits.relevant(rel)
    if norm == "reachable":
        return np.minimum(relevant, hits.depth(k)), "min(R, documents returned), the most that could be found"
    if norm == "min" and k is not None:
        return np.minimum(relevant, k), "min(k, R)"
    return relevant, "R, the relevant documents"


@measure(
    "gmap",
    aliases=("gm_map", "gm_ap", "geometric_map"),
    aggregate=GEOMETRIC_MEAN,
    question="order",
    closed_form=True,
    grades=Grades("shares", separable=True),
    no_sql=NoSql.TRUTH,
)
def geometric_mean_average_precision(hits: Hits, *, k: Cutoff = None, rel: Rel = 1) -> Derivation:
    """The geometric mean of average precision over queries.

        GMAP = exp(mean over queries of  log(max(AP, 0.00001)))

    The value of one query is its average precision. In the geometric mean, doubling the value of a bad query weighs as
    much as doubling that of a good one. Values below 0.00001 count as that, since a single 0 would make the mean 0.

    Use it where the worst queries matter: it rewards a system that helps them. With queries whose AP is 0, it says
    mainly how many of these there are. For the usual mean, use ap.

    Ranks 1 and 3 relevant, one query: AP = (1/1 + 2/3) / 2 = 5/6.

    >>> geometric_mean_average_precision(one_query([1, 0, 1])).values.round(4)
    array([0.8333])

    Robertson 2006, On GMAP and other transformations, doi:10.1145/1183614.1183630.
    """
    return average_precision(hits, k=k, rel=rel)
