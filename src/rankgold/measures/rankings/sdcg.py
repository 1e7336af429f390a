"""Scaled discounted cumulative gain."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.core.segments import Floats
from rankgold.core.user_models import deepest_rank
from rankgold.measures.facts import Grades, NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff
from rankgold.measures.rankings.err import Top
from rankgold.measures.rankings.rbp import gains_on_scale


@measure(
    "sdcg",
    aliases=("scaled_discounted_cumulative_gain",),
    scale="max",
    question="grades",
    closed_form=True,
    grades=Grades("ends", additive=True),
    no_sql=NoSql.GRADES,
)
def scaled_discounted_cumulative_gain(hits: Hits, *, k: Cutoff = None, max: Top = None) -> Derivation:
    """Expected gain per document viewed, for a reader who views ranks with the weights of DCG.

        SDCG@k = sum over hits of  gain / log2(rank + 1)  /  sum over the ranks from 1 to k of  1 / log2(rank + 1)

    A gain is a grade as a share of the highest. A reader looks at 1,000 documents at most, and those after the end of a
    list count as looks without gain. It is 1 only if all k documents have the highest grade.

    Use it to compare dcg with other models of a reader, such as rbp and inst: all are gains per document. Use ndcg
    where a perfect ranking is to get 1.

    Grades 1, 0, 1: the weights of 1,000 ranks add up to 123.09, so (1 + 1/2) / 123.09 = 0.0122.

    >>> scaled_discounted_cumulative_gain(one_query([1, 0, 1])).values.round(4)
    array([0.0122])

    Järvelin and Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, doi:10.1145/582415.582418; Moffat,
    Bailey, Scholer and Thomas 2017, Incorporating user expectations and behavior into the measurement of search
    effectiveness, doi:10.1145/3052768.
    """
    return weighted_gains(hits, k, max, lambda rank: 1 / np.log2(rank + 1))


def weighted_gains(hits: Hits, k: int | None, max: float | None, looks: Callable[[Floats], Floats]) -> Derivation:
    """Expected gain per document viewed, when the chance to view a rank does not depend on the documents."""
    depth = deepest_rank(k)
    found, gains = gains_on_scale(hits, depth, max)
    chance = looks(np.arange(1.0, depth + 1))
    weight = (chance / chance.sum())[found.rank - 1]
    return Derivation.of_hits(found, gains * weight, Working("{}*{}", gains, weight), 1.0, "1")
