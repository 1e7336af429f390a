"""Normalised novelty- and rank-biased precision."""

from __future__ import annotations

from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff, Rel
from rankgold.derivation import Derivation
from rankgold.hits import Hits
from rankgold.measures.alpha_dcg import Alpha, Scale
from rankgold.measures.alpha_ndcg import ABOVE_GREEDY, share_of_ideal
from rankgold.measures.nrbp import Patience, patient_gains
from rankgold.subtopic_ranking import DiverseHits


@measure(
    "nnrbp",
    span=ABOVE_GREEDY,
    over_subtopics=True,
    question="meanings",
    title="Normalised novelty- and rank-biased precision",
)
def normalised_novelty_and_rank_biased_precision(
    hits: Hits, *, k: Cutoff = None, alpha: Alpha = 0.5, beta: Patience = 0.5, rel: Rel = 1, max: Scale = None
) -> Derivation:
    """NRBP divided by the NRBP of an ideal ranking.

        nNRBP = sum over hits and their subtopics of  weight * (1 - alpha)^above * beta^(rank - 1)  /  ideal

    where `above` counts the documents above that are relevant to the same subtopic, and `ideal` is the same sum of the
    ideal ranking. The parameters are those of nrbp. The ideal ranking takes the document with the highest gain each
    time, as in alpha_ndcg, so a list can have a value slightly above 1.

    Use it when readers may want any of several meanings and give up gradually, and queries differ in what the best
    list can do.

    The first document is relevant to the subtopic a, the second to a again, the third to b; alpha and beta are 1/2. The
    ideal list has b at rank 2: (1 + 0.5 / 2 + 1 / 4) / (1 + 1 / 2 + 0.5 / 4) = 1.5 / 1.625 = 0.9231.

    >>> normalised_novelty_and_rank_biased_precision(subtopic_query([["a"], ["a"], ["b"]])).values.round(4)
    array([0.9231])

    Clarke, Kolla and Vechtomova 2009, An effectiveness measure for ambiguous and underspecified queries,
    doi:10.1007/978-3-642-04417-5_17.
    """
    diverse = DiverseHits.of(hits, rel, k)
    return share_of_ideal(diverse, k, alpha, max, lambda rows: patient_gains(rows, alpha, max, beta))
