"""Kendall's rank correlation."""

from __future__ import annotations

import numpy as np

from karat.hits import Contributions, Hits, Working
from karat.measure import measure
from karat.measures.spearman import predicted, single_rows
from karat.segments import Floats

_PAIRS_AT_ONCE = 4_000_000


@measure(
    "kendall",
    aliases=("kendalltau", "kendall_tau", "kendall_tau_b", "tau"),
    span=(-1.0, 1.0),
    monotone=False,
    wants_relevant=False,
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

    Kendall 1938, A new measure of rank correlation; Kendall 1945 for ties.
    """
    seen = single_rows(hits.system)
    score, starts = predicted(seen), seen.starts
    term = np.zeros(len(seen))
    norm = np.zeros(len(hits))
    for query in np.flatnonzero(np.diff(starts) > 1):
        part = slice(starts[query], starts[query + 1])
        term[part], norm[query] = _agreement(score[part], seen.grade[part])
    return Contributions(term, seen, norm, Working("{}", term), "pairs that are not tied")


def _agreement(x: Floats, y: Floats) -> tuple[Floats, float]:
    """Agreeing less disagreeing pairs of each entry with those after it, and the geometric mean of untied pairs."""
    n = len(x)
    agreement = np.zeros(n)
    untied_x = untied_y = 0
    step = max(_PAIRS_AT_ONCE // n, 1)
    for start in range(0, n, step):
        rows = np.arange(start, min(start + step, n))
        after = np.arange(n) > rows[:, None]
        sign_x = np.sign(x[rows, None] - x) * after
        sign_y = np.sign(y[rows, None] - y) * after
        agreement[rows] = (sign_x * sign_y).sum(axis=1)
        untied_x += int(np.count_nonzero(sign_x))
        untied_y += int(np.count_nonzero(sign_y))
    return agreement, float(np.sqrt(float(untied_x) * float(untied_y)))
