"""Normalised discounted cumulative gain that rewards novelty, over subtopics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rankgold.declaration.metric import measure
from rankgold.declaration.named_functions import log2_discount
from rankgold.declaration.parameters import Cutoff, Rel
from rankgold.derivation import Derivation
from rankgold.hits import Hits
from rankgold.measures.alpha_dcg import Alpha, Scale, discounted_gains, share_of_best
from rankgold.subtopic_ranking import DiverseHits, SubtopicRows

ABOVE_GREEDY = (0.0, 1.582)
"""The ideal list is put together greedily. The best list can have up to e / (e - 1) times its gain."""
Gains = Callable[[SubtopicRows], Derivation]


@measure(
    "alpha_ndcg",
    aliases=("α_ndcg",),
    span=ABOVE_GREEDY,
    over_subtopics=True,
    question="meanings",
    title="Alpha normalised discounted cumulative gain",
)
def alpha_normalised_discounted_cumulative_gain(
    hits: Hits, *, k: Cutoff = None, alpha: Alpha = 0.5, rel: Rel = 1, max: Scale = None
) -> Derivation:
    """Alpha-DCG divided by the alpha-DCG of an ideal ranking.

        alpha-nDCG = sum over hits and their subtopics of  weight * (1 - alpha)^above / log2(rank + 1)  /  ideal

    where `above` counts the documents above that are relevant to the same subtopic, and `ideal` is the same sum of the
    ideal ranking. The parameters are those of alpha_dcg. To find the best ranking would take too long, so the ideal one
    takes the document with the highest gain each time, and of several the last one by its id, as ndeval does. A list
    can be better than that, and then has a value slightly above 1.

    Use it when a query has several meanings or sides, and a list should show all of them soon without repeating
    itself. With alpha=0 repetition is not punished; with alpha=1 only the first document of a subtopic counts.

    The first document is relevant to the subtopic a, the second to a again, the third to b, and alpha is 1/2. The ideal
    list has b at rank 2: (1 + 0.5 / log2(3) + 1 / 2) / (1 + 1 / log2(3) + 0.5 / 2) = 1.8155 / 1.8809 = 0.9652.

    >>> alpha_normalised_discounted_cumulative_gain(subtopic_query([["a"], ["a"], ["b"]])).values.round(4)
    array([0.9652])

    Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon 2008, Novelty and diversity in information
    retrieval evaluation, doi:10.1145/1390334.1390446.
    """
    diverse = DiverseHits.of(hits, rel, k)
    return share_of_ideal(diverse, k, alpha, max, lambda rows: discounted_gains(rows, alpha, max, log2_discount))


def share_of_ideal(diverse: DiverseHits, k: int | None, alpha: float, top: float | None, gains: Gains) -> Derivation:
    """The gains of the documents found, divided by those of the ideal ranking.

    The ideal ranking takes each time the document with the highest gain, which does not always give the best list.
    """
    share = share_of_best(diverse.judged.of.grade, top)
    best = gains(diverse.best(diverse.judged.weight * share, 1 - alpha * share, k))
    return replace(gains(diverse.found), norm=best.sums, norm_is="the sum of the greedy ideal ranking", ideal=best)
