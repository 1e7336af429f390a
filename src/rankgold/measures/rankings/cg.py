"""Cumulative gain."""

from __future__ import annotations

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.measures.facts import Grades
from rankgold.measures.gains import LINEAR, Gain
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff


@measure(
    "cg",
    aliases=("cumulative_gain",),
    span=(0.0, float("inf")),
    question="grades",
    closed_form=True,
    grades=Grades("ends", additive=True),
)
def cumulative_gain(hits: Hits, *, k: Cutoff = None, gain: Gain = LINEAR) -> Derivation:
    """The sum of the gains of the first k documents.

        CG@k = sum over hits in the top k of gain(grade)

    Use it as the first step towards dcg, or where a fixed set is shown and its order does not matter. It does not see
    the order, and its values cannot be compared between queries.

    Grades 3, 2, 3, 0, 1: CG@2 = 3 + 2 = 5, CG@5 = 9.

    >>> [cumulative_gain(one_query([3, 2, 3, 0, 1]), k=k).values.item() for k in (2, 5)]
    [5.0, 9.0]

    Järvelin and Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, doi:10.1145/582415.582418.
    """
    seen, gains = hits.system.gaining(gain, k)
    return Derivation.of_hits(seen, gains, Working("{}", gains), 1.0, "1")
