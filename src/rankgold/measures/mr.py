"""Mean rank."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.declaration.facts import FREE, Grades
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff, Rel
from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits

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
