"""Novelty- and rank-biased precision, plain and normalised."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.core.subtopics import DiverseHits, SubtopicRows
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Above, Below, Cutoff, Examples, Rel
from rankgold.measures.rankings.alpha_dcg import ABOVE_GREEDY, MOST, Alpha, Scale, novel_gains, share_of_ideal

Patience = Annotated[
    float, Above(0), Below(1), "the probability that a reader continues to the next document", Examples(0.8)
]


@measure(
    "nrbp",
    over_subtopics=True,
    question="meanings",
    title="Novelty- and rank-biased precision",
)
def novelty_and_rank_biased_precision(
    hits: Hits, *, k: Cutoff = None, alpha: Alpha = 0.5, beta: Patience = 0.5, rel: Rel = 1, max: Scale = None
) -> Derivation:
    """Expected gain over subtopics, for a reader who continues with probability beta; repeated subtopics gain less.

        NRBP = sum over hits and their subtopics of  weight * (1 - alpha)^above * beta^(rank - 1)  /  most

    where `above` counts the documents above that are relevant to the same subtopic, and `most` is the sum of a list
    without an end in which every document is relevant to every subtopic of the query:
    total weight / (1 - (1 - alpha) * beta). The parameters alpha, rel and max are those of alpha_dcg.

    Use it when readers may want any of several meanings and give up gradually. With the default beta of 0.5 a reader
    sees two documents on average: give a higher one for patient readers.

    The first document is relevant to the subtopic a, the second to b; alpha and beta are 1/2. The sum is 1 + 1/2, and
    at most 2 / (1 - 1/4) = 8/3: 0.5625.

    >>> novelty_and_rank_biased_precision(subtopic_query([["a"], ["b"]])).values
    array([0.5625])

    Clarke, Kolla and Vechtomova 2009, An effectiveness measure for ambiguous and underspecified queries,
    doi:10.1007/978-3-642-04417-5_17.
    """
    diverse = DiverseHits.of(hits, rel, k)
    found = patient_gains(diverse.found, alpha, max, beta)
    return replace(found, norm=diverse.total_weight / (1 - (1 - alpha) * beta), norm_is=MOST)


def patient_gains(rows: SubtopicRows, alpha: float, top: float | None, beta: float) -> Derivation:
    """The gain of each document for each of its subtopics, times the share of readers who get there."""
    gain, novelty = novel_gains(rows, alpha, top)
    readers = beta ** (rows.of.rank - 1.0)
    working = Working("{}*{}*{}", gain, novelty, readers)
    if (gain == 1).all():
        working = Working("{}*{}", novelty, readers)
    return rows.derivation(gain * novelty * readers, working, 1.0, "1")


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
