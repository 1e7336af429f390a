"""Ranking loss."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Rel
from rankgold.measures.rankings.lrap import down_to_ties, retrieved_and_judged


@measure(
    "ranking_loss",
    aliases=("label_ranking_loss",),
    higher_is_better=False,
    handles_ties=True,
    question="agreement",
    no_sql=NoSql.NONRELEVANT,
)
def ranking_loss(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """The share of pairs of a relevant and another judged document in the wrong order. Lower is better.

        ranking loss = sum over relevant documents of (others with its score or a higher one)  /  (R * others)

    Only judged documents take part, as labels of an object do; a negative grade marks a document that was not judged.
    A tied pair is not in the right order. A relevant document that was not retrieved loses all of its pairs. Without a
    pair the value is undefined.

    Use it for objects with several labels, where the whole order of the labels matters. It weighs the bottom of the
    list as much as the top: use lrap where the top matters more.

    Grades 1, 0, 1, 0: of 2 * 2 pairs, only the second document and the third are not in the right order: 1/4.

    >>> ranking_loss(one_query([1, 0, 1, 0])).values
    array([0.25])

    Tsoumakas, Katakis and Vlahavas 2010, Mining multi-label data, doi:10.1007/978-0-387-09823-4_34.
    """
    seen = retrieved_and_judged(hits, rel)
    is_relevant = seen.grade >= rel
    found = seen.keep(is_relevant)
    above = down_to_ties(~is_relevant, seen)[is_relevant].astype(np.float64)
    relevant = hits.relevant(rel)
    others = hits.ideal.at_least(min(rel, 0)) - relevant
    return Derivation.of_hits(
        found,
        above,
        Working("{}", above),
        relevant * others,
        "relevant * other judged documents",
        rest=(relevant - found.sizes) * others,
        rest_is="pairs of relevant documents that were not retrieved",
    )
