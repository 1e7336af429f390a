"""Ordered pair accuracy."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.metric import measure
from rankgold.hits import Contributions, Hits, Ranking, Working
from rankgold.kernels.segments import Floats, Ints, count_above, sorted_descending, sums
from rankgold.measures.kendall import tied_blocks
from rankgold.measures.lrap import retrieved_and_judged
from rankgold.measures.spearman import predicted


@measure("opa", aliases=("ordered_pair_accuracy",), wants_relevant=False, handles_ties=True, question="agreement")
def ordered_pair_accuracy(hits: Hits) -> Contributions:
    """The share of pairs of documents with different grades whose scores are in the right order.

        OPA = pairs with the better document strictly higher / pairs with different grades

    Only judged documents take part; a negative grade marks a document that was not judged. Those that were not
    retrieved stand below all others, tied. A tied pair is not in the right order. A document's term counts the worse
    documents below it. Without a pair the value is undefined.

    Use it to judge a whole list with grades, as the loss of a pairwise ranker does. It weighs the bottom of the list as
    much as the top: use ndcg for what readers see.

    Grades 3, 1, 2: of three pairs, only the last two documents are not in the right order: 2/3.

    >>> ordered_pair_accuracy(one_query([3, 1, 2])).values.round(4)
    array([0.6667])

    Pasumarthi and others 2019, TF-Ranking: scalable TensorFlow library for learning-to-rank,
    doi:10.1145/3292500.3330677.
    """
    seen = retrieved_and_judged(hits)
    ideal = hits.ideal.whole
    ideal = ideal.keep(ideal.grade >= 0)
    worse = _worse(seen, ideal, ideal.grade)
    worse_retrieved = _worse(seen, seen, sorted_descending(seen.grade, seen.starts))
    # Judged documents that were not retrieved stand below all others.
    term = (worse - worse_retrieved).astype(np.float64)
    score, starts = predicted(seen), seen.starts
    for query in np.flatnonzero(np.diff(starts) > 1):
        part = slice(starts[query], starts[query + 1])
        term[part] += _worse_below(score[part], seen.grade[part])
    pairs = sums(_worse(ideal, ideal, ideal.grade), ideal.query, len(hits))
    return Contributions(term, seen, pairs, Working("{}", term), "pairs with different grades")


def _worse(seen: Ranking, among: Ranking, grades: Floats) -> Ints:
    """For each document, how many of these grades of its query are lower. The grades of a query fall."""
    better = count_above(grades, among.starts, seen.query, seen.grade, or_equal=True)
    worse: Ints = among.sizes[seen.query] - better
    return worse


def _worse_below(score: Floats, grade: Floats) -> Ints:
    """How many entries of a lower score and a lower grade each entry has. The scores fall from entry to entry."""
    count = np.zeros(len(score), dtype=np.int64)
    for start, end in tied_blocks(score):
        rows = slice(start, end)
        if score[start] != score[end - 1]:
            is_below = np.greater.outer(score[rows], score[rows]) & np.greater.outer(grade[rows], grade[rows])
            count[rows] = is_below.sum(axis=1)
        count[rows] += np.searchsorted(np.sort(grade[end:]), grade[rows], side="left")
    return count
