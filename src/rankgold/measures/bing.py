"""Binary G."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.facts import Grades, NoSql
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Rel
from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits


@measure(
    "bing",
    aliases=("binary_g",),
    question="order",
    title="Binary G",
    grades=Grades("shares", separable=True),
    no_sql=NoSql.EXPERIMENTAL,
)
def binary_g(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """Relevant documents, each discounted by the non-relevant documents above it.

        binG = (1 / R) * sum over relevant hits of  1 / log2(2 + (not relevant documents above))

    A relevant document below other relevant ones loses nothing, unlike in average precision or dcg.

    Use it to compare with results of trec_eval, where it is an experimental measure. For published work use ap.

    Ranks 1 and 3 relevant, R = 2: (1/log2(2) + 1/log2(3)) / 2 = 0.8155.

    >>> binary_g(one_query([1, 0, 1])).values.round(4)
    array([0.8155])

    Buckley 2011, trec_eval 9.0, measure binG.
    """
    found = hits.system.relevant(rel)
    others = found.rank - found.ordinal
    discount = np.log2(2 + others)
    return Derivation.of_hits(
        found, 1 / discount, Working("1/{}", discount), hits.relevant(rel), "R, the relevant documents"
    )
