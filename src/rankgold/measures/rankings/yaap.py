"""Yet another average precision."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.core.segments import running_sums
from rankgold.measures.facts import Grades, NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Rel


@measure(
    "yaap",
    aliases=("yet_another_average_precision",),
    span=(-float("inf"), float("inf")),
    defines_empty=True,
    question="order",
    grades=Grades("shares", without_relevant="free"),
    no_sql=NoSql.EXPERIMENTAL,
)
def yet_another_average_precision(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """Average precision on a smoothed, unbounded logarithmic scale.

        yaap = log((1 + s) / (1 + R - s)),   s = sum over relevant hits of  ordinal / rank

    Each document contributes what it adds to the logarithm. The scale is stretched at both ends, so a change of a very
    bad or a very good query counts as much as one in the middle, and a mean over queries is not dominated by easy ones.

    Use it to average over queries of very different difficulty. It has no upper bound, and grows with R.

    Ranks 1 and 3 relevant, R = 2: s = 1 + 2/3 = 5/3, so log((8/3) / (4/3)) = log(2) = 0.6931.

    >>> yet_another_average_precision(one_query([1, 0, 1])).values.round(4)
    array([0.6931])

    Robertson 2012, On smoothing average precision, doi:10.1007/978-3-642-28997-2_14.
    """
    found = hits.system.relevant(rel)
    relevant = hits.relevant(rel)
    precision = found.ordinal / found.rank
    after = running_sums(precision, found.starts)
    before = after - precision
    most = 1 + relevant[found.query]
    ratio = (1 + after) * (most - before) / ((1 + before) * (most - after))
    start = -np.log(1 + relevant)
    term = np.log(ratio)
    return Derivation.of_hits(
        found, term, Working("{}", term), 1.0, "1", rest=start, rest_is="with nothing found, -log(1 + R)"
    )
