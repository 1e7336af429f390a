"""Label ranking average precision."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Bools, Ints, changes, starts_at
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Rel
from rankgold.measures.rankings.spearman import predicted


@measure(
    "lrap",
    aliases=("label_ranking_average_precision",),
    handles_ties=True,
    question="agreement",
    no_sql=NoSql.NONRELEVANT,
)
def label_ranking_average_precision(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """The precision among judged documents at each relevant one, averaged over all relevant ones.

        LRAP = (1 / R) * sum over relevant hits of  relevant / judged documents of the same score or a higher one

    Only judged documents take part, as labels of an object do; a negative grade marks a document that was not judged.
    Tied documents all count as standing above one another, so ties never help.

    Use it for objects with several labels, all of which have a score and are known to be right or wrong. It is average
    precision otherwise: use ap where documents without a judgement are to count as not relevant.

    Grades 1, 0, 1: 1 of 1 at the first, 2 of 3 at the last, so (1 + 2/3) / 2 = 5/6.

    >>> label_ranking_average_precision(one_query([1, 0, 1])).values.round(4)
    array([0.8333])

    Tsoumakas, Katakis and Vlahavas 2010, Mining multi-label data, doi:10.1007/978-0-387-09823-4_34.
    """
    seen = retrieved_and_judged(hits, rel)
    is_relevant = seen.grade >= rel
    relevant = down_to_ties(is_relevant, seen)[is_relevant]
    judged = down_to_ties(np.ones(len(seen), dtype=bool), seen)[is_relevant]
    working = Working("{}/{}", relevant, judged)
    return Derivation.of_hits(
        seen.keep(is_relevant), relevant / judged, working, hits.relevant(rel), "R, the relevant documents"
    )


def retrieved_and_judged(hits: Hits, rel: float = 0) -> Ranking:
    """Each retrieved judged document, once; those with a negative grade only if they are relevant."""
    seen = hits.system.single
    return seen.keep(seen.grade >= min(rel, 0))


def down_to_ties(which: Bools, seen: Ranking) -> Ints:
    """For each document, how many of these documents of its query have its score or a higher one."""
    is_first = changes(seen.query, predicted(seen))
    ends = starts_at(is_first)[np.cumsum(is_first)]
    before = np.concatenate(([0], np.cumsum(which)))
    count: Ints = before[ends] - before[seen.starts[seen.query]]
    return count
