"""First relevant position."""

from __future__ import annotations

from typing import Annotated

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.core.segments import sums
from rankgold.measures.facts import Grades
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Above, Cutoff, Examples, Rel
from rankgold.measures.rankings.rr import first_relevant

Miss = Annotated[
    float | None,
    Above(0),
    "the value of a query without a relevant hit; if not given, k + 1, or undefined without a cutoff",
    Examples(20),
]


@measure(
    "frp",
    aliases=("first_relevant_position",),
    span=(1.0, float("inf")),
    higher_is_better=False,
    question="first",
    closed_form=True,
    grades=Grades("shares"),
)
def first_relevant_position(hits: Hits, *, k: Cutoff = None, rel: Rel = 1, miss: Miss = None) -> Derivation:
    """The rank of the first relevant document. Lower is better.

        FRP = rank of the first relevant hit;  k + 1 if the top k has none

    Without a cutoff, a query on which nothing relevant was found has no such rank, and is left out of the mean and
    noted; `miss=` gives it a value.

    Use it where a plain number of steps is wanted: how far down does one have to look? A few queries with a very late
    first document move its mean a lot: give a cutoff, or use rr.

    The first relevant document at rank 3: FRP = 3, and FRP@2 = 2 + 1 = 3.

    >>> first_relevant_position(one_query([0, 0, 1, 0, 1])).values
    array([3.])

    It belongs to the family of Cooper 1968, Expected search length: a single measure of retrieval effectiveness,
    doi:10.1002/asi.5090190108.
    """
    first, chance = first_relevant(hits, k, rel)
    served = sums(chance if first.chance is None else chance * first.chance, first.query, len(hits))
    working = Working("{}*{}", chance, first.rank) if first.ties else Working("{}", first.rank)
    if miss is None and k is not None:
        miss = k + 1
    if miss is None:
        return Derivation.of_hits(first, chance * first.rank, working, served, "1 if any was found")
    missed = (1 - served) * miss
    return Derivation.of_hits(first, chance * first.rank, working, 1.0, "1", rest=missed, rest_is="no relevant hit")
