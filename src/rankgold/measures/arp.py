"""Average relevance position."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.facts import FREE, Grades, NoSql
from rankgold.declaration.metric import measure
from rankgold.declaration.named_functions import LINEAR, Gain
from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits
from rankgold.kernels.segments import sums
from rankgold.measures.mr import Miss


@measure(
    "arp",
    aliases=("average_relevance_position",),
    span=(1.0, float("inf")),
    higher_is_better=False,
    wants_relevant=False,
    question="grades",
    closed_form=True,
    grades=Grades("shares", unless={"miss=last": FREE}),
    no_sql=NoSql.GRADES,
)
def average_relevance_position(hits: Hits, *, gain: Gain = LINEAR, miss: Miss = "skip") -> Derivation:
    """The gain-weighted mean rank of documents with a gain. Lower is better.

        ARP = sum over gaining hits of  gain * rank  /  sum over gaining hits of  gain

    A query on which nothing with a gain was found has no mean rank, and is left out of the mean and noted, whatever
    the policy says about queries without a relevant document.
    `miss="last"` counts each document that was not retrieved at the rank after the last one, so that missing a document
    is never an advantage.

    Use it to tell people without a technical background where good documents stand. A few documents very far down move
    it a lot: use ndcg where the top matters.

    Grades 2, 0, 1: (2 * 1 + 1 * 3) / (2 + 1) = 5/3.

    >>> average_relevance_position(one_query([2, 0, 1])).values.round(4)
    array([1.6667])

    Pasumarthi and others 2019, TF-Ranking: scalable TensorFlow library for learning-to-rank,
    doi:10.1145/3292500.3330677.
    """
    found, gains = hits.system.gaining(gain)
    gained = Derivation.of_hits(found, gains, Working("{}", gains), 1.0, "1").sums
    term = gains * found.rank
    working = Working("{}*{}", gains, found.rank)
    if miss == "skip":
        return Derivation.of_hits(found, term, working, gained, "the gains found")
    best, ideal_gains = hits.ideal.gaining(gain)
    # A list without any document has no last rank.
    all_gains = np.where(hits.returned > 0, sums(ideal_gains, best.query, len(hits)), 0.0)
    return Derivation.of_hits(
        found,
        term,
        working,
        all_gains,
        "all gains",
        rest=np.maximum(all_gains - gained, 0.0) * (hits.returned + 1.0),
        rest_is="documents with a gain that were not retrieved, each at the rank after the last",
    )
