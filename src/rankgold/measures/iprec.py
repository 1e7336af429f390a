"""Interpolated precision at a recall level."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.declaration.facts import Grades
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import AtLeast, AtMost, Examples, Rel
from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits, Ranking
from rankgold.kernels.segments import Floats, Ints

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
