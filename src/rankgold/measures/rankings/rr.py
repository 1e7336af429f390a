"""Reciprocal rank."""

from __future__ import annotations

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Floats
from rankgold.measures.facts import Grades
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Rel


@measure(
    "rr",
    aliases=("mrr", "recip_rank", "reciprocal_rank", "mean_reciprocal_rank"),
    question="first",
    closed_form=True,
    mean_name="MRR",
    grades=Grades("ends"),
)
def reciprocal_rank(hits: Hits, *, k: Cutoff = None, rel: Rel = 1) -> Derivation:
    """One over the rank of the first relevant document.

        RR = 1 / rank of the first relevant hit, 0 if there is none

    Its mean over queries is MRR. Falling from rank 1 to 2 costs as much as vanishing from rank 2 altogether.

    Use it when a reader wants one answer and stops there: known-item search, questions with one answer, completion
    of a query. It does not see any relevant document after the first.

    The first relevant document at rank 3: 1/3.

    >>> reciprocal_rank(one_query([0, 0, 1, 0, 1])).values.round(4)
    array([0.3333])

    Kantor and Voorhees 2000, The TREC-5 confusion track.
    """
    first, chance = first_relevant(hits, k, rel)
    return Derivation.of_hits(first, chance / first.rank, Working("{}/{}", chance, first.rank), 1.0, "1")


def first_relevant(hits: Hits, k: int | None, rel: float) -> tuple[Ranking, Floats]:
    """The first relevant document of each query, with chance 1; with averaged ties, all candidates with theirs."""
    found = hits.system.relevant(rel, k)
    chance = found.first
    return found.keep(chance > 0), chance[chance > 0] * 1.0
