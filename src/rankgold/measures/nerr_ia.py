"""Normalised intent-aware expected reciprocal rank."""

from __future__ import annotations

from rankgold.declaration.metric import measure
from rankgold.declaration.named_functions import linear_discount
from rankgold.declaration.parameters import Cutoff, Rel
from rankgold.derivation import Derivation
from rankgold.hits import Hits
from rankgold.measures.alpha_dcg import Alpha, Scale, discounted_gains
from rankgold.measures.alpha_ndcg import ABOVE_GREEDY, share_of_ideal
from rankgold.subtopic_ranking import DiverseHits


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
