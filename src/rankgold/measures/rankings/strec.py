"""Subtopic recall."""

from __future__ import annotations

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.core.subtopics import DiverseHits
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Rel
from rankgold.measures.rankings.ap_ia import TOTAL


@measure(
    "strec",
    aliases=("subtopic_recall", "strecall", "s_recall"),
    over_subtopics=True,
    question="meanings",
)
def subtopic_recall(hits: Hits, *, k: Cutoff = None, rel: Rel = 1) -> Derivation:
    """The share of the subtopics that have a relevant document in the top k.

        StRecall@k = (weight of the subtopics with a relevant document in the top k) / (weight of all subtopics)

    Each subtopic counts once, with the first document about it. Subtopics have the weight 1 unless the judgements have
    weights, and those without a relevant document do not count.

    Use it to see whether the first page covers all meanings of a query. It does not see the order within the page, nor
    how much of a page each subtopic has.

    Three documents are relevant to the subtopics a, b and c in this order: StRecall@2 = 2/3.

    >>> subtopic_recall(subtopic_query([["a"], ["b"], ["c"]]), k=2).values.round(4)
    array([0.6667])

    Zhai, Cohen and Lafferty 2003, Beyond independent relevance: methods and evaluation metrics for subtopic retrieval,
    doi:10.1145/860435.860440.
    """
    diverse = DiverseHits.of(hits, rel, k)
    first = diverse.found.keep(diverse.found.ordinal == 1)
    return first.derivation(first.weight, Working("{}", first.weight), diverse.total_weight, TOTAL)
