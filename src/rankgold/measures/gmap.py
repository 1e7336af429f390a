"""Geometric mean average precision."""

from __future__ import annotations

from rankgold.declaration.facts import Grades, NoSql
from rankgold.declaration.metric import GEOMETRIC_MEAN, measure
from rankgold.declaration.parameters import Cutoff, Rel
from rankgold.derivation import Derivation
from rankgold.hits import Hits
from rankgold.measures.ap import average_precision


@measure(
    "gmap",
    aliases=("gm_map", "gm_ap", "geometric_map"),
    aggregate=GEOMETRIC_MEAN,
    question="order",
    closed_form=True,
    grades=Grades("shares", separable=True),
    no_sql=NoSql.TRUTH,
)
def geometric_mean_average_precision(hits: Hits, *, k: Cutoff = None, rel: Rel = 1) -> Derivation:
    """The geometric mean of average precision over queries.

        GMAP = exp(mean over queries of  log(max(AP, 0.00001)))

    The value of one query is its average precision. In the geometric mean, doubling the value of a bad query weighs as
    much as doubling that of a good one. Values below 0.00001 count as that, since a single 0 would make the mean 0.

    Use it where the worst queries matter: it rewards a system that helps them. With queries whose AP is 0, it says
    mainly how many of these there are. For the usual mean, use ap.

    Ranks 1 and 3 relevant, one query: AP = (1/1 + 2/3) / 2 = 5/6.

    >>> geometric_mean_average_precision(one_query([1, 0, 1])).values.round(4)
    array([0.8333])

    Robertson 2006, On GMAP and other transformations, doi:10.1145/1183614.1183630.
    """
    return average_precision(hits, k=k, rel=rel)
