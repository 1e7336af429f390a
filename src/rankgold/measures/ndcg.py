"""Normalised discounted cumulative gain."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np

from rankgold.declaration.facts import Grades
from rankgold.declaration.metric import measure
from rankgold.declaration.named_functions import LINEAR, LOG2, Discount, Gain, NamedFunction
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation
from rankgold.errors import MeasureError
from rankgold.hits import Hits, RankedDocuments, Ranking
from rankgold.kernels.segments import positions, starts_of
from rankgold.measures.dcg import discounted

_MOST_ONES = 100_000_000

Ideal = Annotated[
    Literal["judged", "retrieved", "ones", "reachable"],
    "the ideal ranking to normalise by: of all judged documents, of the retrieved ones, k documents of grade 1, or"
    " the best judged ones that a list of this length can hold",
]


@measure(
    "ndcg",
    aliases=("ndcg_cut", "normalised_discounted_cumulative_gain", "normalized_discounted_cumulative_gain"),
    question="grades",
    closed_form=True,
    grades=Grades(
        "shares",
        separable=True,
        additive=True,
        lowest_at_ends=True,
        unless={"ideal=ones": Grades("ends", additive=True, exceeds_span=True)},
    ),
)
def normalised_discounted_cumulative_gain(
    hits: Hits, *, k: Cutoff = None, gain: Gain = LINEAR, discount: Discount = LOG2, ideal: Ideal = "judged"
) -> Derivation:
    """DCG divided by the DCG of the best possible ranking.

        NDCG@k = DCG@k / IDCG@k

    The ideal ranking holds all judged documents of the query, best first. `ideal="retrieved"` orders only the
    documents that were retrieved, which forgives what was missed; it is what one gets from a list of grades alone.
    `ideal="ones"` asks for a relevant document at every rank, as some recommender libraries do; with grades above 1
    it can exceed 1. `ideal="reachable"` is the ideal ranking cut to the length of the list.

    Use it when documents have grades and the early ranks matter most: it is the usual choice for web search and for
    recommendations. The base of a logarithmic discount does not change it; the gain does.

    Grades 3, 2, 3, 0, 1: DCG@5 = 6.1487, and of the order 3, 3, 2, 1, 0: 6.3235. NDCG@5 = 0.9724.

    >>> normalised_discounted_cumulative_gain(one_query([3, 2, 3, 0, 1]), k=5).values.round(4)
    array([0.9724])

    Järvelin and Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, doi:10.1145/582415.582418.
    """
    system = discounted(hits.system, k, gain, discount)
    best = discounted(_best(hits, k, gain, ideal), k, gain, discount)
    return replace(system, norm=best.sums, norm_is="DCG of the ideal ranking", ideal=best)


def _best(hits: Hits, k: int | None, gain: NamedFunction, ideal: str) -> RankedDocuments:
    if ideal == "judged":
        return hits.ideal
    if ideal == "retrieved":
        return _best_retrieved(hits, gain)
    if ideal == "reachable":
        return hits.ideal.top(np.maximum(hits.returned, 1))
    if k is not None and k * len(hits) > _MOST_ONES:
        raise MeasureError(
            f"ideal=ones lists k documents for every query, and {k} for {len(hits)} queries are too many."
        )
    lengths = np.maximum(hits.returned, 1) if k is None else np.full(len(hits), k)
    starts = starts_of(lengths)
    return Ranking(
        query=np.repeat(np.arange(len(hits)), lengths),
        rank=positions(starts) + 1,
        grade=np.ones(starts[-1]),
        n_queries=len(hits),
        row=np.zeros(starts[-1], dtype=np.int64),
    )


def _best_retrieved(hits: Hits, gain: NamedFunction) -> Ranking:
    """The retrieved documents in their best order; all judged ones if nothing with a gain was retrieved.

    Such a query scores 0, not 0/0: its relevant documents were missed. Only one without any is a case of the policy.
    """
    found, judged = hits.system.single.in_best_order(), hits.ideal.whole
    is_served = np.bincount(found.query[gain(found.grade) > 0], minlength=len(hits)) > 0
    if is_served.all():
        return found
    parts = found.keep(is_served[found.query]), judged.keep(~is_served[judged.query])
    query, rank, grade, row = (
        np.concatenate([getattr(part, name) for part in parts]) for name in ("query", "rank", "grade", "row")
    )
    return Ranking(query, rank, grade, len(hits), row, judged.documents).keep(np.argsort(query, kind="stable"))
