"""Expected reciprocal rank, plain and normalised."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.measures.facts import FREE, Grades, NoSql
from rankgold.measures.gains import EXP, NamedFunction, Stop
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Above, Cutoff, Examples

Top = Annotated[
    float | None,
    Above(0),
    "the highest grade of the scale; if not given, the highest grade in the judgements",
    Examples(5, 2),
]


@measure(
    "err",
    aliases=("merr", "expected_reciprocal_rank"),
    scale="max",
    question="first",
    closed_form=True,
    grades=Grades("ends"),
)
def expected_reciprocal_rank(hits: Hits, *, k: Cutoff = None, max: Top = None, stop: Stop = EXP) -> Derivation:
    """The expected reciprocal of the rank at which a reader finds a satisfying document and stops.

        ERR = sum over hits of  stop(grade) * product over the hits above of (1 - stop)  /  rank

    A reader stops at a document with a chance that grows with its grade, by default (2^grade - 1) / 2^max, so a
    document counts for less the better those above it are. A document without a judgement stops nobody.

    Use it when readers want one good answer and grades say how good. Name the scale with `max=`: left to the
    judgements, it changes when a better grade enters them. The value stays below 1 even for a perfect ranking.

    Grades 3, 2, 3, 1, 0 on a scale to 3, so stops of 7/8, 3/8, 7/8, 1/8, 0:
    7/8 + 1/8 * 3/8 / 2 + 1/8 * 5/8 * 7/8 / 3 + 1/8 * 5/8 * 1/8 * 1/8 / 4 = 45295/49152.

    >>> expected_reciprocal_rank(one_query([3, 2, 3, 1, 0]), max=3).values.round(6)
    array([0.921529])

    Chapelle, Metzler, Zhang and Grinspan 2009, Expected reciprocal rank for graded relevance,
    doi:10.1145/1645953.1646033.
    """
    return satisfied_readers(hits.system.top(k), stop, hits.max_grade if max is None else max)


def satisfied_readers(seen: Ranking, stop: NamedFunction, top: float) -> Derivation:
    """The share of readers satisfied by each document, divided by its rank."""
    stops = stop(seen.grade, top=top)
    reached = seen.reach(stops)
    kept = stops > 0
    return Derivation.of_hits(
        seen.keep(kept),
        (stops * reached / seen.rank)[kept],
        Working("{}*{}/{}", stops[kept], reached[kept], seen.rank[kept]),
        1.0,
        "1",
    )


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
