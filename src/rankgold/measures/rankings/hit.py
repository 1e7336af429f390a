"""Hit."""

from __future__ import annotations

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.measures.facts import Grades
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Rel
from rankgold.measures.rankings.rr import first_relevant


@measure(
    "hit",
    aliases=("hr", "success", "hitrate", "hit_rate", "hit_ratio"),
    question="first",
    title="Hit rate",
    closed_form=True,
    grades=Grades("ends"),
)
def hit(hits: Hits, *, k: Cutoff = None, rel: Rel = 1) -> Derivation:
    """One if any of the first k documents is relevant, else zero.

        Hit@k = 1 if the first relevant document stands at rank k or better, else 0

    Its mean over queries is the share of queries that are served at all, the hit rate.

    Use it when one good document is enough and there is room for k: a voice assistant, a panel of three
    recommendations, the sources behind one answer. It does not see whether that document comes first or last.

    The first relevant document at rank 2: Hit@1 = 0, Hit@2 = 1.

    >>> [hit(one_query([0, 1, 1, 0]), k=k).values.item() for k in (1, 2)]
    [0.0, 1.0]

    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, chapter 8,
    doi:10.1017/CBO9780511809071; trec_eval calls it success.
    """
    first, chance = first_relevant(hits, k, rel)
    return Derivation.of_hits(first, chance, Working("{}", chance), 1.0, "1")
