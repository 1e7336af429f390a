"""Residual of rank-biased precision, as trec_eval computes it."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.facts import Grades, NoSql
from rankgold.declaration.metric import measure
from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits
from rankgold.measures.rbp import Persistence


@measure(
    "trec_rbp_resid",
    higher_is_better=False,
    wants_relevant=False,
    suffix="p",
    question="judged",
    title="Residual of rank-biased precision within lists",
    grades=Grades("ends"),
    no_sql=NoSql.NONRELEVANT,
)
def residual_within_lists(hits: Hits, *, p: Persistence = 0.9) -> Derivation:
    """The residual of rank-biased precision, or 0 if every document of the list is judged.

        residual = 1 - (1 - p) * sum over judged hits of  p^(rank - 1),  or 0 without an unjudged document

    This is what trec_eval prints as rbp_resid. It differs from rbp_resid for lists in which all documents are judged:
    trec_eval leaves out what could come below their end.

    Use it to reproduce a number of trec_eval, and rbp_resid otherwise: a short list whose documents are all judged is
    not certain, although this measure says so.

    Two documents, the second not judged, p = 0.9: 1 - 0.1 = 0.9. With both judged it is 0.

    >>> residual_within_lists(one_query([1, -1])).values.round(4), residual_within_lists(one_query([1, 0])).values
    (array([0.9]), array([0.]))

    Moffat and Zobel 2008, Rank-biased precision for measurement of retrieval effectiveness,
    doi:10.1145/1416950.1416952.
    """
    judged = hits.system.relevant(0)
    is_open = judged.count < hits.returned
    known = np.where(is_open[judged.query], -(1 - p) * p ** (judged.rank - 1.0), 0.0)
    missed = is_open.astype(np.float64)
    return Derivation.of_hits(
        judged, known, Working("{}", known), 1.0, "1", rest=missed, rest_is="if nothing were judged"
    )
