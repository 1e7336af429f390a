"""Discounted cumulative gain that rewards novelty, over subtopics, plain and normalised."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Annotated

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.errors import MeasureError
from rankgold.core.hits import Hits
from rankgold.core.segments import Floats, Ints
from rankgold.core.subtopics import DiverseHits, SubtopicRows
from rankgold.measures.gains import log2_discount
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Above, AtLeast, AtMost, Cutoff, Examples, Rel

Alpha = Annotated[
    float, AtLeast(0), AtMost(1), "the share of its worth that a subtopic loses each time it is repeated", Examples(0.3)
]
Scale = Annotated[
    float | None,
    Above(0),
    "the highest grade of the scale; if not given, every relevant document counts 1",
    Examples(3),
]

Discount = Callable[[Ints], Floats]

# So many ranks are added up for a norm.
_MOST_RANKS = 10_000_000
# What comes after this share of the first rank is lost in rounding.
_NEGLIGIBLE = 2.0**-80


@measure(
    "alpha_dcg",
    aliases=("α_dcg",),
    over_subtopics=True,
    question="meanings",
    title="Alpha discounted cumulative gain",
)
def alpha_discounted_cumulative_gain(
    hits: Hits, *, k: Cutoff = None, alpha: Alpha = 0.5, rel: Rel = 1, max: Scale = None
) -> Derivation:
    """DCG over subtopics, where each repetition of a subtopic gains less.

        alpha-DCG = sum over hits and their subtopics of  weight * (1 - alpha)^above / log2(rank + 1)  /  most

    where `above` counts the documents above that are relevant to the same subtopic, and `most` is the sum of a list in
    which every document is relevant to every subtopic of the query: down to rank k, or to the length of the list
    without a cutoff. Subtopics have the weight 1 unless the judgements have weights, and those without a relevant
    document do not count. With `max`, grades count: a document is worth (2^grade - 1) / (2^max - 1) to a subtopic, and
    takes alpha times this share of it from the documents below.

    Use it when a query has several meanings and a list should serve all of them. Even the best list has another value
    for each query: use alpha_ndcg to average over queries.

    The first document is relevant to the subtopics a and b, the second to a again, and alpha is 1/2. The sum is
    1 + 1 + 0.5 / log2(3), and at most 2 * (1 + 0.5 / log2(3)): 2.3155 / 2.6309 = 0.8801.

    >>> alpha_discounted_cumulative_gain(subtopic_query([["a", "b"], ["a"]])).values.round(4)
    array([0.8801])

    Clarke, Kolla, Cormack, Vechtomova, Ashkan, Büttcher and MacKinnon 2008, Novelty and diversity in information
    retrieval evaluation, doi:10.1145/1390334.1390446.
    """
    diverse = DiverseHits.of(hits, rel, k)
    found = discounted_gains(diverse.found, alpha, max, log2_discount)
    return replace(found, norm=diverse.total_weight * repeated_gain(hits, k, alpha, log2_discount), norm_is=MOST)


MOST = "the most: every document relevant to every subtopic"


def discounted_gains(rows: SubtopicRows, alpha: float, top: float | None, discount: Discount) -> Derivation:
    """The discounted gain of each document for each of its subtopics."""
    gain, novelty = novel_gains(rows, alpha, top)
    discounts = discount(rows.of.rank)
    working = Working("{}*{}/{}", gain, novelty, discounts)
    if (gain == 1).all():
        working = Working("{}/{}", novelty, discounts)
    return rows.derivation(gain * novelty / discounts, working, 1.0, "1")


def novel_gains(rows: SubtopicRows, alpha: float, top: float | None) -> tuple[Floats, Floats]:
    """Each document's worth to each of its subtopics, and the share left by the documents above."""
    share = share_of_best(rows.of.grade, top)
    return rows.weight * share, rows.novelty(1 - alpha * share)


def share_of_best(grade: Floats, top: float | None) -> Floats:
    """A document's worth: (2^grade - 1) / (2^top - 1), in a form that does not overflow for long scales."""
    if top is None:
        return np.ones(len(grade))
    least = np.exp2(-float(top))
    share: Floats = (np.exp2(np.clip(grade, 0.0, top) - top) - least) / (1 - least)
    return share


def repeated_gain(hits: Hits, k: int | None, alpha: float, discount: Discount) -> Floats:
    """The gain of one subtopic if every document of the list, or of its top k, is about it."""
    depth = hits.returned if k is None else np.full(len(hits), k)
    ranks = int(depth.max(initial=0))
    if alpha > 0:
        ranks = min(ranks, 2 if alpha == 1 else int(np.log(_NEGLIGIBLE) / np.log1p(-alpha)) + 2)
    if ranks > _MOST_RANKS:
        raise MeasureError(
            f"With alpha={alpha:g} and lists of {ranks:,} documents, there are too many gains to add up. Use a cutoff"
            f" of {_MOST_RANKS:,} or less, or a higher alpha."
        )
    rank = np.arange(1, ranks + 1)
    running = np.concatenate(([0.0], np.cumsum((1.0 - alpha) ** (rank - 1.0) / discount(rank))))
    sums: Floats = running[np.minimum(depth, ranks)]
    return sums


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
