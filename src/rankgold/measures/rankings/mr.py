"""Mean rank, and average relevance position."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.core.segments import sums
from rankgold.measures.facts import FREE, Grades, NoSql
from rankgold.measures.gains import LINEAR, Gain
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Rel

Miss = Annotated[
    Literal["skip", "last"],
    "a relevant document that was not retrieved: left out, or counted at the rank after the last",
]


@measure(
    "mr",
    aliases=("mean_rank",),
    span=(1.0, float("inf")),
    higher_is_better=False,
    monotone=False,
    question="order",
    closed_form=True,
    binary=True,
    grades=Grades("shares", separable=True, unless={"miss=last": FREE}),
)
def mean_rank(hits: Hits, *, k: Cutoff = None, rel: Rel = 1, miss: Miss = "skip") -> Derivation:
    """The mean rank of the relevant documents. Lower is better.

        MR = (1 / found) * sum over relevant hits of rank

    A query on which nothing relevant was found has no mean rank, and is left out of the mean and noted.
    `miss="last"` counts each relevant document that was not retrieved at the rank after the last one (k + 1 with a
    cutoff) and divides by R, so that missing a document is never an advantage.

    Use it to tell people without a technical background where relevant documents stand. A few documents very far down
    move it a lot: give a cutoff, or use rr or ap.

    Ranks 1, 3 and 5 relevant: (1 + 3 + 5) / 3 = 3.

    >>> mean_rank(one_query([1, 0, 1, 0, 1])).values
    array([3.])

    Bordes and others 2013, Translating embeddings for modeling multi-relational data.
    """
    found = hits.system.relevant(rel, k)
    rank = found.rank.astype(np.float64)
    if miss == "skip":
        return Derivation.of_hits(found, rank, Working("{}", found.rank), found.count, "relevant documents found")
    # A list without any document has no last rank, unless a cutoff says where it would have ended.
    relevant = hits.relevant(rel) if k is not None else np.where(hits.returned > 0, hits.relevant(rel), 0.0)
    last = (hits.depth(k) if k is None else np.full(len(hits), k)) + 1.0
    return Derivation.of_hits(
        found,
        rank,
        Working("{}", found.rank),
        relevant,
        "R, the relevant documents",
        rest=np.maximum(relevant - found.expected_count, 0.0) * last,
        rest_is="relevant documents not retrieved, each at the rank after the last",
    )


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
