"""R-precision."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.facts import Grades
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Rel
from rankgold.derivation import Derivation
from rankgold.hits import Hits


@measure(
    "rprec",
    aliases=("r_precision", "rprecision"),
    question="count",
    title="R-precision",
    closed_form=True,
    grades=Grades("exchanges"),
)
def r_precision(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """Precision at rank R, where R is the number of relevant documents of the query.

        R-precision = (relevant documents in the top R) / R

    At rank R precision and recall are the same number, and a perfect system reaches 1 on every query however many
    relevant documents it has, which no fixed cutoff allows.

    Use it to compare systems over queries whose numbers of relevant documents differ widely. It needs judgements
    that are nearly complete, and a reader has no way to know where R is.

    Ranks 1, 3 and 5 of five relevant, R = 3: two of the first three, 2/3.

    >>> r_precision(one_query([1, 0, 1, 0, 1])).values.round(4)
    array([0.6667])

    Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval, chapter 3; 2000,
    Evaluating evaluation measure stability, doi:10.1145/345508.345543.
    """
    relevant = hits.relevant(rel)
    found = hits.system.relevant(rel, relevant.astype(np.int64))
    return Derivation.count(found, relevant, "R, the relevant documents")
