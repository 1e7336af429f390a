"""R-precision, and precision at a multiple of R."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.core.derivation import Derivation
from rankgold.core.hits import Hits
from rankgold.measures.facts import Grades
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Above, Examples, Rel


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


Multiple = Annotated[float, Above(0), "the rank, in multiples of R", Examples(0.5, 2)]


@measure(
    "rprec_mult",
    aliases=("r_precision_at_multiple",),
    suffix="multiple",
    question="count",
    title="R-precision at a multiple of R",
    closed_form=True,
    grades=Grades("exchanges"),
)
def r_precision_at_multiple(hits: Hits, *, rel: Rel = 1, multiple: Multiple = 1) -> Derivation:
    """Precision at a multiple of R, the number of relevant documents of the query.

        rprec_mult(multiple=m) = (relevant documents in the top c) / c,   c = floor(m * R + 0.9)

    With m = 1 it is R-precision. The rank is rounded up, unless m * R is within 0.1 above a whole number.

    Use it to see at comparable points of all queries whether a system is better early (m below 1) or late (m above
    1). It needs judgements that are nearly complete.

    Ranks 1 and 3 of four relevant, R = 2, m = 1.5: the top 3 have both, 2/3.

    >>> r_precision_at_multiple(one_query([1, 0, 1, 0]), multiple=1.5).values.round(4)
    array([0.6667])

    Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval, chapter 3.
    """
    cut = np.floor(multiple * hits.relevant(rel) + 0.9)
    found = hits.system.relevant(rel, np.minimum(cut, 2.0**62).astype(np.int64))
    return Derivation.count(found, cut, "c, the rank")
