"""Normalised expected reciprocal rank."""

from __future__ import annotations

from dataclasses import replace

from rankgold.declaration.facts import FREE, Grades, NoSql
from rankgold.declaration.metric import measure
from rankgold.declaration.named_functions import EXP, Stop
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation
from rankgold.hits import Hits
from rankgold.measures.err import Top, satisfied_readers


@measure(
    "nerr",
    aliases=("normalised_expected_reciprocal_rank",),
    scale="max",
    question="first",
    closed_form=True,
    grades=Grades("shares", unless={"stop=sigmoid": FREE}),
    no_sql=NoSql.GRADES,
)
def normalised_expected_reciprocal_rank(
    hits: Hits, *, k: Cutoff = None, max: Top = None, stop: Stop = EXP
) -> Derivation:
    """ERR divided by the ERR of the ideal ranking.

        nERR = ERR / ERR of the ideal ranking

    The parameters are those of err. The value is 1 for a perfect ranking, whatever the grades of the query.

    Use it when readers want one good answer, and queries differ in how good the best answer is. The ideal ranking is
    made of what was judged, so the value falls when a better document is judged later.

    Grades 0, 1 on a scale to 1, so stops of 0 and 1/2: ERR is 1/2 / 2 = 1/4, and 1/2 for the ideal ranking: 1/2.

    >>> normalised_expected_reciprocal_rank(one_query([0, 1])).values
    array([0.5])

    Chapelle, Metzler, Zhang and Grinspan 2009, Expected reciprocal rank for graded relevance,
    doi:10.1145/1645953.1646033.
    """
    top = hits.max_grade if max is None else max
    found = satisfied_readers(hits.system.top(k), stop, top)
    best = satisfied_readers(hits.ideal.top(k), stop, top)
    return replace(found, norm=best.sums, norm_is="the sum of the ideal ranking", ideal=best)
