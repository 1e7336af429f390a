"""Intent-aware expected reciprocal rank, plain and normalised."""

from __future__ import annotations

from dataclasses import replace

from rankgold.core.derivation import Derivation
from rankgold.core.hits import Hits
from rankgold.core.subtopics import DiverseHits
from rankgold.measures.gains import linear_discount
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Rel
from rankgold.measures.rankings.alpha_dcg import (
    ABOVE_GREEDY,
    MOST,
    Alpha,
    Scale,
    discounted_gains,
    repeated_gain,
    share_of_ideal,
)


@measure(
    "err_ia",
    over_subtopics=True,
    question="meanings",
    title="Intent-aware expected reciprocal rank",
)
def intent_aware_expected_reciprocal_rank(
    hits: Hits, *, k: Cutoff = None, alpha: Alpha = 0.5, rel: Rel = 1, max: Scale = None
) -> Derivation:
    """Expected reciprocal rank over readers who each want one subtopic.

        ERR-IA = sum over hits and their subtopics of  weight * (1 - alpha)^above / rank  /  most

    where `above` counts the documents above that are relevant to the same subtopic: a reader stops at each of them with
    the chance alpha. `most` is the sum of a list in which every document is relevant to every subtopic of the query,
    down to rank k, or to the length of the list without a cutoff, as in alpha_dcg. So are the parameters.

    Use it when readers who mean different things look for one good document each. It falls faster with the rank than
    alpha_dcg, so it is about the first few documents.

    The first document is relevant to the subtopic a, the second to b, and alpha is 1/2. The sum is 1 + 1/2, and at most
    2 * (1 + 0.5 / 2): 1.5 / 2.5 = 0.6.

    >>> intent_aware_expected_reciprocal_rank(subtopic_query([["a"], ["b"]])).values
    array([0.6])

    Chapelle, Metzler, Zhang and Grinspan 2009, Expected reciprocal rank for graded relevance,
    doi:10.1145/1645953.1646033; Clarke, Craswell, Soboroff and Ashkan 2011, A comparative analysis of cascade measures
    for novelty and diversity, doi:10.1145/1935826.1935847.
    """
    diverse = DiverseHits.of(hits, rel, k)
    found = discounted_gains(diverse.found, alpha, max, linear_discount)
    most = diverse.total_weight * repeated_gain(hits, k, alpha, linear_discount)
    return replace(found, norm=most, norm_is=MOST)


@measure(
    "nerr_ia",
    span=ABOVE_GREEDY,
    over_subtopics=True,
    question="meanings",
    title="Normalised intent-aware expected reciprocal rank",
)
def normalised_intent_aware_expected_reciprocal_rank(
    hits: Hits, *, k: Cutoff = None, alpha: Alpha = 0.5, rel: Rel = 1, max: Scale = None
) -> Derivation:
    """ERR-IA divided by the ERR-IA of an ideal ranking.

        nERR-IA = sum over hits and their subtopics of  weight * (1 - alpha)^above / rank  /  ideal

    where `above` counts the documents above that are relevant to the same subtopic, and `ideal` is the same sum of the
    ideal ranking. The parameters are those of err_ia. The ideal ranking takes the document with the highest gain each
    time, as in alpha_ndcg, so a list can have a value slightly above 1.

    Use it when readers who mean different things look for one good document each, and queries differ in what the best
    list can do.

    The first document is relevant to the subtopic a, the second to a again, the third to b, and alpha is 1/2. The ideal
    list has b at rank 2: (1 + 0.5 / 2 + 1 / 3) / (1 + 1 / 2 + 0.5 / 3) = (19/12) / (5/3) = 0.95.

    >>> normalised_intent_aware_expected_reciprocal_rank(subtopic_query([["a"], ["a"], ["b"]])).values.round(4)
    array([0.95])

    Clarke, Craswell, Soboroff and Ashkan 2011, A comparative analysis of cascade measures for novelty and diversity,
    doi:10.1145/1935826.1935847.
    """
    diverse = DiverseHits.of(hits, rel, k)
    return share_of_ideal(diverse, k, alpha, max, lambda rows: discounted_gains(rows, alpha, max, linear_discount))
