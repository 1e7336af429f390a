"""Graded average precision."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.errors import MeasureError
from rankgold.core.hits import Hits
from rankgold.core.segments import Floats
from rankgold.measures.facts import Grades
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff, Examples

Thresholds = Annotated[
    tuple[float, ...] | None,
    "the share of readers for whom relevance starts at grade 1, 2, ...; the same for all grades if not given",
    Examples((0.2, 0.8), (1, 0, 3)),
]


@measure(
    "gap",
    aliases=("graded_average_precision", "gmap_graded"),
    scale="thresholds",
    question="order",
    closed_form=True,
    grades=Grades("shares"),
)
def graded_average_precision(hits: Hits, *, k: Cutoff = None, thresholds: Thresholds = None) -> Derivation:
    """Average precision for grades: the mean over readers who differ in the lowest grade they accept.

        GAP = sum over grades j of  g_j * (sum over hits of grade >= j of ordinal_j / rank)  /  sum over j of  g_j R_j

    where g_j is the share of readers for whom grade j and better is relevant, ordinal_j counts the hits of grade >= j
    down to this one, and R_j is the number of documents of grade >= j. Without `thresholds` all grades from 1 to the
    highest in the judgements have the same share. With two grades, 0 and 1, GAP is AP.

    Use it when average precision is the yardstick and the judgements have grades. Use ndcg where a gain per grade is
    easier to argue for than a share of readers.

    Grades 2, 0, 1 in this order and half of the readers at each grade: the top document counts 1/1 for both halves,
    the third 2/3 for the half that grade 1 satisfies: (1 + 2/3 * 0.5) / (0.5 * 2 + 0.5 * 1) = 8/9.

    >>> graded_average_precision(one_query([2, 0, 1])).values.round(4)
    array([0.8889])

    Robertson, Kanoulas and Yilmaz 2010, Extending average precision to graded relevance judgments,
    doi:10.1145/1835449.1835550.
    """
    found = hits.system.top(k).relevant(1)  # not system.relevant, since grades count
    term = np.zeros(len(found))
    norm = np.zeros(len(hits))
    for grade, share in _steps(hits, thresholds):
        reached = found.grade >= grade
        counted = found.keep(reached)
        term[reached] += share[counted.query] * (counted.ordinal / counted.rank)
        norm += share * hits.relevant(grade)
    return Derivation.of_hits(
        found, term, Working("{}", term), norm, "share of readers * documents relevant to them, added up"
    )


def _steps(hits: Hits, thresholds: tuple[float, ...] | None) -> Iterator[tuple[float, Floats]]:
    """Grades, each with the share of readers of each query for whom relevance starts there.

    Grades that no document of a query has are left out for this query, and their readers join those of its next grade.
    So the value of a query does not depend on other queries, not even in the last bit. In miniature, on a scale up to
    4: a query with the grades 1 and 4 has the shares 1/4 and 3/4, one with the grade 2 has the share 2/4 at grade 2.
    """
    if thresholds is None:
        ideal = hits.ideal.whole
        top = max(np.floor(hits.max_grade), 1.0)
        judged = np.floor(ideal.grade)
        before = np.zeros(len(hits))
        for grade in np.unique(judged[judged >= 1]).tolist():
            has_grade = np.bincount(ideal.query[judged == grade], minlength=len(hits)) > 0
            yield grade, np.where(has_grade, (grade - before) / top, 0.0)
            before[has_grade] = grade
        return
    if min(thresholds, default=0.0) < 0 or not 0 < sum(thresholds) < 1e100:
        raise MeasureError(f"thresholds must be shares of readers, none negative and not all 0, not {thresholds}.")
    for grade, share in enumerate(thresholds, start=1):
        yield float(grade), np.full(len(hits), share)
