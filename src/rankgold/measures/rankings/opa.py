"""Ordered pair accuracy."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Floats, Ints, count_above, sorted_descending, sums
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.rankings.kendall import count_below
from rankgold.measures.rankings.lrap import retrieved_and_judged
from rankgold.measures.rankings.spearman import predicted


@measure(
    "opa",
    aliases=("ordered_pair_accuracy",),
    wants_relevant=False,
    handles_ties=True,
    question="agreement",
    no_sql=NoSql.NONRELEVANT,
)
def ordered_pair_accuracy(hits: Hits) -> Derivation:
    """The share of document pairs with different grades that are scored in the right order.

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
    missed = worse - worse_retrieved
    term = (missed + count_below(seen, predicted(seen)).lower_after).astype(np.float64)
    pairs = sums(_worse(ideal, ideal, ideal.grade), ideal.query, len(hits))
    return Derivation.of_hits(seen, term, Working("{}", term), pairs, "pairs with different grades")


def _worse(seen: Ranking, among: Ranking, grades: Floats) -> Ints:
    """For each document, how many of these grades of its query are lower. The grades of a query fall."""
    better = count_above(grades, among.starts, seen.query, seen.grade, or_equal=True)
    worse: Ints = among.sizes[seen.query] - better
    return worse
