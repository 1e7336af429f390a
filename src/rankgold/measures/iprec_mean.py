"""Mean interpolated precision."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.declaration.facts import Grades
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import AtLeast, AtMost, Examples, Rel
from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits
from rankgold.measures.iprec import Rounding, best_from, level

Recalls = Annotated[
    tuple[float, ...],
    AtLeast(0),
    AtMost(1),
    "the recall levels, each from 0 to 1",
    Examples((0.2, 0.5, 0.8), (0.25, 0.5, 0.75)),
]
ELEVEN = (0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1)


@measure(
    "iprec_mean",
    aliases=("11pt_avg", "eleven_point_average", "mean_interpolated_precision"),
    question="order",
    grades=Grades("shares"),
)
def mean_interpolated_precision(
    hits: Hits, *, rel: Rel = 1, recalls: Recalls = ELEVEN, rounding: Rounding = "nearest"
) -> Derivation:
    """The mean of interpolated precision at eleven recall levels.

        iprec_mean = (1 / levels) * sum over recall levels x of  iprec(recall=x)

    The levels are 0, 0.1 and so on to 1. It is close to the area under the precision-recall curve.

    Use it to compare with results from before average precision became usual. For anything else use ap, which needs
    no levels.

    Ranks 1 and 4 relevant, R = 2: levels 0 to 0.2 come to no document and the best precision is 1, so do 0.3 to 0.7,
    which come to one document; 0.8 to 1 come to two, 2/4. (8 * 1 + 3 * 1/2) / 11 = 0.8636.

    >>> mean_interpolated_precision(one_query([1, 0, 0, 1])).values.round(4)
    array([0.8636])

    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4,
    doi:10.1017/CBO9780511809071.
    """
    found = hits.system.relevant(rel)
    relevant = hits.relevant(rel)
    times = np.zeros(len(found))
    for recall in recalls:
        times[best_from(found, level(relevant, recall, rounding))] += 1
    is_best = times > 0
    chosen, times = found.keep(is_best), times[is_best]
    ordinal = found.ordinal[is_best]
    working = Working("{}*{}/{}", times, ordinal, chosen.rank)
    return Derivation.of_hits(chosen, times * ordinal / chosen.rank, working, float(len(recalls)), "recall levels")
