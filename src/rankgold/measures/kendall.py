"""Kendall's rank correlation."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from rankgold.declaration.metric import measure
from rankgold.hits import Contributions, Hits, Working
from rankgold.kernels.segments import Floats, Ints
from rankgold.measures.spearman import predicted

_BLOCK = 1000


@measure(
    "kendall",
    aliases=("kendalltau", "kendall_tau", "kendall_tau_b", "tau"),
    span=(-1.0, 1.0),
    monotone=False,
    wants_relevant=False,
    handles_ties=True,
    question="agreement",
    title="Kendall's rank correlation",
)
def kendall_correlation(hits: Hits) -> Contributions:
    """The pairs of documents that scores and grades order alike, less those they order differently, as a share.

        tau-b = (agreeing - disagreeing pairs)  /  sqrt(pairs not tied in score * pairs not tied in grade)

    Without ties it is the share of agreeing pairs less the share of disagreeing ones. Only judged documents that were
    retrieved take part. A document's term counts its pairs with the documents below it.

    Use it like spearman, where a value that can be read as a share of pairs is wanted; it reacts less to a single
    document that is far off. It weighs the bottom of the list as much as the top.

    Scores 5, 4, 3 for grades 3, 1, 2: two pairs agree, one does not: (2 - 1) / 3 = 1/3.

    >>> kendall_correlation(one_query([3, 1, 2])).values.round(4)
    array([0.3333])

    Kendall 1938, A new measure of rank correlation, doi:10.1093/biomet/30.1-2.81; for ties, Kendall 1945, The
    treatment of ties in ranking problems, doi:10.1093/biomet/33.3.239.
    """
    seen = hits.system.single
    score, starts = predicted(seen), seen.starts
    term = np.zeros(len(seen))
    norm = np.zeros(len(hits))
    for query in np.flatnonzero(np.diff(starts) > 1):
        part = slice(starts[query], starts[query + 1])
        term[part], norm[query] = _agreement(score[part], seen.grade[part])
    return Contributions(term, seen, norm, Working("{}", term), "pairs that are not tied")


def _agreement(x: Floats, y: Floats) -> tuple[Floats, float]:
    """Agreeing less disagreeing pairs of each entry with those after it, and the geometric mean of untied pairs.

    x falls from entry to entry.
    """
    agreement = np.zeros(len(x))
    for start, end in tied_blocks(x):
        rows = slice(start, end)
        if x[start] != x[end - 1]:
            signs = _signs(x[rows]) * _signs(y[rows])
            agreement[rows] = np.triu(signs, 1).sum(axis=1)
        after = np.sort(y[end:])
        below = np.searchsorted(after, y[rows], side="left")
        above = len(after) - np.searchsorted(after, y[rows], side="right")
        agreement[rows] += below - above
    return agreement, float(np.sqrt(_untied(x) * _untied(y)))


def tied_blocks(x: Floats) -> Iterator[tuple[int, int]]:
    """The starts and ends of blocks of whole tied groups, of at most 1,000 entries where one group is not larger.

    Pairs within a block are compared one by one, pairs with all that comes after by their place among it in order.
    """
    bounds = np.append(np.flatnonzero(np.append(True, x[1:] != x[:-1])), len(x))
    start = 0
    while start < len(x):
        end = int(
            bounds[max(np.searchsorted(bounds, start + _BLOCK, side="right") - 1, np.searchsorted(bounds, start) + 1)]
        )
        yield start, end
        start = end


def _signs(values: Floats) -> Ints:
    """1 where the value of a row is higher than that of a column, -1 where it is lower: a difference could overflow."""
    return np.greater.outer(values, values).astype(np.int8) - np.less.outer(values, values).astype(np.int8)


def _untied(values: Floats) -> float:
    """The number of pairs that are not tied."""
    sizes = np.unique(values, return_counts=True)[1].astype(np.float64)
    return float(len(values) * (len(values) - 1) / 2 - (sizes * (sizes - 1) / 2).sum())
