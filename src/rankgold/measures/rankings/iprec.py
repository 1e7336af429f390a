"""Interpolated precision at a recall level, and its mean over levels."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Floats, Ints
from rankgold.measures.facts import Grades
from rankgold.measures.metric import measure
from rankgold.measures.parameters import AtLeast, AtMost, Examples, Rel

Recall = Annotated[float, AtLeast(0), AtMost(1), "the recall level, from 0 to 1", Examples(0.1, 0.5, 1)]
Rounding = Annotated[
    Literal["nearest", "up"],
    "how recall * R becomes a number of documents: as trec_eval 10 does, or as trec_eval 9 (0.9 is added)",
]


@measure(
    "iprec",
    aliases=("iprec_at_recall", "interpolated_precision", "interpolated_precision_at_recall", "ircl_prn"),
    suffix="recall",
    question="order",
    grades=Grades("shares"),
)
def interpolated_precision_at_recall(
    hits: Hits, *, rel: Rel = 1, recall: Recall = 0, rounding: Rounding = "nearest"
) -> Derivation:
    """The best precision at any rank where recall has reached the given level.

        iprec(recall=x) = max over relevant hits with ordinal >= x * R of  ordinal / rank

    Precision goes up and down along the list. The best precision from here on does not, so it can be averaged over
    queries with different numbers of relevant documents: it is what the classic precision-recall curve shows. x * R is
    rounded to a whole number of documents.

    Use it to draw that curve, or to compare systems at a recall that a task needs. For one number over all levels use
    ap.

    Ranks 1, 3 and 5 relevant, R = 3, recall 0.5: from the second relevant document on, the best is 2/3.

    >>> interpolated_precision_at_recall(one_query([1, 0, 1, 0, 1]), recall=0.5).values.round(4)
    array([0.6667])

    Manning, Raghavan and Schütze 2008, Introduction to Information Retrieval, section 8.4,
    doi:10.1017/CBO9780511809071.
    """
    found = hits.system.relevant(rel)
    best = best_from(found, level(hits.relevant(rel), recall, rounding))
    chosen = found.keep(best)
    ordinal = found.ordinal[best]
    return Derivation.of_hits(chosen, ordinal / chosen.rank, Working("{}/{}", ordinal, chosen.rank), 1.0, "1")


def level(relevant: Floats, recall: float, rounding: str) -> Ints:
    """The number of relevant documents that reach a recall level."""
    rounded: Ints = np.floor(recall * relevant + (0.5 if rounding == "nearest" else 0.9)).astype(np.int64)
    return rounded


def best_from(found: Ranking, least: Ints) -> Ints:
    """For each query with enough relevant documents, the position of the best precision from that number on."""
    candidates = np.flatnonzero(found.ordinal >= least[found.query])
    query = found.query[candidates]
    precision = (found.ordinal / found.rank)[candidates]
    best = np.zeros(found.n_queries)
    np.maximum.at(best, query, precision)
    is_best = precision == best[query]
    _, first = np.unique(query[is_best], return_index=True)
    chosen: Ints = candidates[is_best][first]
    return chosen


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
