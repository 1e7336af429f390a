"""Jaccard similarity."""

from __future__ import annotations

from rankgold.core.derivation import Derivation
from rankgold.core.ranked_pairs import RankedPairs
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff
from rankgold.measures.registry import SIMILARITIES


@measure("jaccard", registry=SIMILARITIES, aliases=("jaccard_index", "jaccard_similarity"), question="tops")
def jaccard_similarity(pairs: RankedPairs, *, k: Cutoff = None) -> Derivation:
    """The documents in the top k of both rankings, divided by those in the top k of either.

        jaccard@k = (documents in both)  /  (documents in one or both)

    A document that was replaced counts twice below the line, the old and the new one. So it is lower than overlap.

    Use it where sets of documents are compared and readers expect this number. It does not see the order: use rbo where
    the top matters more.

    a b c against b d a: a and b are in both, a, b, c and d in one or both: 2/4.

    >>> jaccard_similarity(two_lists("a b c", "b d a")).values
    array([0.5])

    Jaccard 1912, The distribution of the flora in the alpine zone, doi:10.1111/j.1469-8137.1912.tb05611.x.
    """
    seen = pairs.top(k)
    either = seen.first.sizes + seen.second.sizes - seen.n_shared()
    return Derivation.of_terms(len(seen), seen.shared_terms(), either, "the documents in one list or both")
