"""Recall at a fixed precision."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.core.derivation import Derivation
from rankgold.core.hits import Hits
from rankgold.measures.facts import Grades
from rankgold.measures.metric import measure
from rankgold.measures.parameters import AtLeast, AtMost, Cutoff, Examples, Rel

Precision = Annotated[float, AtLeast(0), AtMost(1), "the lowest acceptable precision", Examples(0.25, 0.8)]


@measure(
    "r_at_p",
    aliases=("recall_at_precision", "recall_at_fixed_precision"),
    suffix="precision",
    question="count",
    grades=Grades("shares"),
)
def recall_at_fixed_precision(hits: Hits, *, k: Cutoff = None, rel: Rel = 1, precision: Precision = 0.5) -> Derivation:
    """The highest recall at any cutoff where precision is at least the given value.

        r_at_p(precision=x) = max over relevant hits with ordinal / rank >= x of  ordinal / R

    The reader stops at the deepest relevant document where the list down to it is still good enough.

    Use it where the precision that users accept is known and as much as possible is to be found: patents, alerts,
    screening of documents. A single query jumps when one document moves; look at the mean of many.

    Ranks 1, 3 and 6 relevant, R = 3, precision 0.5: it is 1/1, 2/3 and 3/6, so all three count: 1.

    >>> recall_at_fixed_precision(one_query([1, 0, 1, 0, 0, 1])).values
    array([1.])

    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4,
    doi:10.1017/CBO9780511809071.
    """
    found = hits.system.relevant(rel, k)
    ordinal = found.ordinal
    deepest = np.zeros(len(hits), dtype=np.int64)
    enough = ordinal / found.rank >= precision
    np.maximum.at(deepest, found.query[enough], ordinal[enough].astype(np.int64))
    counted = found.keep(ordinal <= deepest[found.query])
    return Derivation.count(counted, hits.relevant(rel), "R, the relevant documents")
