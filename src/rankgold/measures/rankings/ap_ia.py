"""Intent-aware average precision and precision."""

from __future__ import annotations

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.core.subtopics import DiverseHits
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Rel

TOTAL = "the weight of the subtopics with a relevant document"


@measure(
    "ap_ia",
    aliases=("map_ia",),
    over_subtopics=True,
    question="meanings",
    title="Intent-aware average precision",
)
def intent_aware_average_precision(hits: Hits, *, k: Cutoff = None, rel: Rel = 1) -> Derivation:
    """Average precision for each subtopic, averaged over the subtopics of the query.

        AP-IA = (1 / W) * sum over hits and their subtopics of  weight * ordinal / rank / R

    where `ordinal` counts the documents relevant to the subtopic down to this one, R is the number of all documents
    relevant to it, and W is the weight of the subtopics that have one: their number, unless the judgements have
    weights.

    Use it when a query has several meanings, and readers want all documents about theirs. Repetition is not punished:
    use alpha_ndcg for that.

    The first document is relevant to the subtopic a, the second to b. AP is 1 for a and 1/2 for b: 0.75.

    >>> intent_aware_average_precision(subtopic_query([["a"], ["b"]])).values
    array([0.75])

    Agrawal, Gollapudi, Halverson and Ieong 2009, Diversifying search results, doi:10.1145/1498759.1498766.
    """
    diverse = DiverseHits.of(hits, rel, k)
    found, relevant = diverse.found, diverse.relevant
    ordinal, rank = found.ordinal, found.of.rank
    working = Working("{}*{}/{}/{}", found.weight, ordinal, rank, relevant)
    if (found.weight == 1).all():
        working = Working("{}/{}/{}", ordinal, rank, relevant)
    term = found.weight * ordinal / rank / relevant
    return found.derivation(term, working, diverse.total_weight, TOTAL)


@measure(
    "p_ia",
    aliases=("precision_ia",),
    over_subtopics=True,
    question="meanings",
    title="Intent-aware precision",
)
def intent_aware_precision(hits: Hits, *, k: Cutoff = None, rel: Rel = 1) -> Derivation:
    """Precision for each subtopic, averaged over the subtopics of the query.

        P-IA@k = sum over hits in the top k and their subtopics of  weight  /  (k * W)

    where W is the weight of the subtopics that have a relevant document: their number, unless the judgements have
    weights. Without a cutoff, the length of the list takes the place of k.

    Use it to see how many of the first documents suit an average reader, who means one of the subtopics. A list about
    one subtopic only can score as high as one about all: use strec or alpha_ndcg to see coverage.

    The first document is relevant to the subtopics a and b, the second to a: precision is 1 for a and 1/2 for b.

    >>> intent_aware_precision(subtopic_query([["a", "b"], ["a"]])).values
    array([0.75])

    Agrawal, Gollapudi, Halverson and Ieong 2009, Diversifying search results, doi:10.1145/1498759.1498766.
    """
    diverse = DiverseHits.of(hits, rel, k)
    depth = hits.returned if k is None else float(k)
    found, norm = diverse.found, diverse.total_weight * depth
    working = Working("{}", found.weight)
    return found.derivation(found.weight, working, norm, "documents * the weight of all subtopics")
