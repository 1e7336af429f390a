"""The number of queries."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.facts import Grades, NoSql
from rankgold.declaration.metric import SUM, measure
from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits


@measure(
    "num_q",
    aliases=("number_of_queries", "numq"),
    span=(0.0, float("inf")),
    wants_relevant=False,
    defines_empty=True,
    aggregate=SUM,
    question="judged",
    closed_form=True,
    grades=Grades("ends"),
    no_sql=NoSql.TRUTH,
)
def number_of_queries(hits: Hits) -> Derivation:
    """The number of queries that the other measures are averaged over.

        num_q = 1 for each query

    The policy decides which queries there are: by default all that were judged, with `missing=skip` only those that
    the run has too.

    Use it to see whether two means are over the same queries. It says nothing about the quality of a ranking.

    One query: 1.

    >>> number_of_queries(one_query([1, 0, 1])).values
    array([1.])

    Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval, chapter 3.
    """
    nothing = hits.system.top(0)
    return Derivation.of_hits(
        nothing, np.zeros(0), Working("0"), 1.0, "1", rest=np.ones(len(hits)), rest_is="the query itself"
    )
