"""Geometric mean of binary preference."""

from __future__ import annotations

from rankgold.declaration.facts import NoSql
from rankgold.declaration.metric import GEOMETRIC_MEAN, measure
from rankgold.declaration.parameters import Rel
from rankgold.derivation import Derivation
from rankgold.hits import Hits
from rankgold.measures.bpref import binary_preference


@measure(
    "gm_bpref",
    aliases=("geometric_bpref",),
    aggregate=GEOMETRIC_MEAN,
    question="judged",
    title="Geometric mean binary preference",
    no_sql=NoSql.NONRELEVANT,
)
def geometric_mean_binary_preference(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """The geometric mean of binary preference over queries.

        gm_bpref = exp(mean over queries of  log(max(bpref, 0.00001)))

    The value of one query is its bpref. Values below 0.00001 count as that, since a single 0 would make the mean 0.

    Use it where judgements are incomplete and the worst queries matter: it is to bpref what gmap is to average
    precision.

    Grades 1, 0, 1, 0, one query: bpref = (1 + 1/2) / 2 = 3/4.

    >>> geometric_mean_binary_preference(one_query([1, 0, 1, 0])).values
    array([0.75])

    Buckley and Voorhees 2004, Retrieval evaluation with incomplete information, doi:10.1145/1008992.1009000; Robertson
    2006, On GMAP and other transformations, doi:10.1145/1183614.1183630.
    """
    return binary_preference(hits, rel=rel)
