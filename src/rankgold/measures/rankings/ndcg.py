"""Discounted cumulative gain, plain, ideal and normalised."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.errors import MeasureError
from rankgold.core.hits import Hits, RankedDocuments, Ranking
from rankgold.core.segments import positions, starts_of
from rankgold.measures.facts import Grades
from rankgold.measures.gains import LINEAR, LOG2, Discount, Gain, NamedFunction
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff


@measure(
    "dcg",
    aliases=("discounted_cumulative_gain", "dcg_cut"),
    span=(0.0, float("inf")),
    question="grades",
    closed_form=True,
    grades=Grades("ends", additive=True),
)
def discounted_cumulative_gain(
    hits: Hits, *, k: Cutoff = None, gain: Gain = LINEAR, discount: Discount = LOG2
) -> Derivation:
    """The sum of gains, each discounted by its rank.

        DCG@k = sum over hits in the top k of  gain(grade) / discount(rank)

    The discount models how attention fades down the list. With `gain=exp` a top grade outweighs many middling ones.

    Use it when documents have grades and the early ranks matter most. Its size depends on the query: use ndcg to
    average over queries.

    Grades 3, 2, 3, 0, 1: 3/1 + 2/1.585 + 3/2 + 0 + 1/2.585 = 6.1487.

    >>> discounted_cumulative_gain(one_query([3, 2, 3, 0, 1]), k=5).values.round(4)
    array([6.1487])

    Järvelin and Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, doi:10.1145/582415.582418; for the
    exponential gain with log2(rank + 1), Burges and others 2005, doi:10.1145/1102351.1102363.
    """
    return discounted(hits.system, k, gain, discount)


@measure(
    "idcg",
    aliases=("ideal_dcg", "ideal_discounted_cumulative_gain"),
    span=(0.0, float("inf")),
    question="grades",
    closed_form=True,
    grades=Grades("ends", without_relevant="free"),
)
def ideal_discounted_cumulative_gain(
    hits: Hits, *, k: Cutoff = None, gain: Gain = LINEAR, discount: Discount = LOG2
) -> Derivation:
    """The DCG of the best possible ranking: what ndcg divides by.

        IDCG@k = sum over the k best judged documents, best first, of  gain(grade) / discount(rank)

    Use it to see how much there is to gain on a query. It does not depend on the system.

    Grades 3, 2, 3, 0, 1, best first 3, 3, 2, 1, 0: 3/1 + 3/1.585 + 2/2 + 1/2.322 = 6.3235.

    >>> ideal_discounted_cumulative_gain(one_query([3, 2, 3, 0, 1]), k=5).values.round(4)
    array([6.3235])

    Järvelin and Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, doi:10.1145/582415.582418.
    """
    return discounted(hits.ideal, k, gain, discount)


def discounted(ranking: RankedDocuments, k: int | None, gain: NamedFunction, discount: NamedFunction) -> Derivation:
    """The discounted gains of any ranking."""
    seen, gains = ranking.gaining(gain, k)
    discounts = discount(seen.rank)
    return Derivation.of_hits(seen, gains / discounts, Working("{}/{}", gains, discounts), 1.0, "1")


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
