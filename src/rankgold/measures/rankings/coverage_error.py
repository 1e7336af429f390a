"""Coverage error."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Rel
from rankgold.measures.rankings.lrap import down_to_ties, retrieved_and_judged


@measure(
    "coverage_error",
    span=(0.0, float("inf")),
    higher_is_better=False,
    handles_ties=True,
    question="agreement",
    no_sql=NoSql.NONRELEVANT,
)
def coverage_error(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """How many judged documents a reader must see to find all relevant ones. Lower is better.

        coverage error = judged documents with the score of the last relevant document, or a higher one

    Only judged documents take part, as labels of an object do; a negative grade marks a document that was not judged.
    If a relevant document was not retrieved, the reader goes through all judged documents. Each document that the
    reader goes through adds 1. The best value is R, the number of relevant documents; it is 0 where there are none.

    Use it for objects with several labels, to see how many labels have to be shown so that none of the right ones is
    missing. A single relevant document far down decides it: use lrap for all of them.

    Grades 1, 0, 1, 0: the last relevant document is the third: 3.

    >>> coverage_error(one_query([1, 0, 1, 0])).values
    array([3.])

    Tsoumakas, Katakis and Vlahavas 2010, Mining multi-label data, doi:10.1007/978-0-387-09823-4_34.
    """
    seen = retrieved_and_judged(hits, rel)
    is_relevant = seen.grade >= rel
    place = down_to_ties(np.ones(len(seen), dtype=bool), seen)
    needed = np.zeros(len(hits), dtype=np.int64)
    np.maximum.at(needed, seen.query[is_relevant], place[is_relevant])
    is_missing = hits.relevant(rel) > np.bincount(seen.query[is_relevant], minlength=len(hits))
    needed = np.where(is_missing, seen.sizes, needed)
    covered = seen.keep(place <= needed[seen.query])
    ones = np.ones(len(covered))
    return Derivation.of_hits(
        covered,
        ones,
        Working("{}", ones),
        1.0,
        "1",
        rest=np.where(is_missing, hits.ideal.at_least(min(rel, 0)) - seen.sizes, 0.0),
        rest_is="judged documents that were not retrieved, if one of them is relevant",
    )
