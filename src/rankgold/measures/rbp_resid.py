"""Residual of rank-biased precision."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.facts import Grades, NoSql
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits
from rankgold.measures.rbp import Persistence


@measure(
    "rbp_resid",
    aliases=("rbp_residual", "rank_biased_precision_residual"),
    higher_is_better=False,
    wants_relevant=False,
    suffix="p",
    question="judged",
    closed_form=True,
    grades=Grades("ends"),
    no_sql=NoSql.NONRELEVANT,
)
def rank_biased_precision_residual(hits: Hits, *, k: Cutoff = None, p: Persistence = 0.8) -> Derivation:
    """How much higher RBP could be if every unjudged document were relevant.

        residual = 1 - (1 - p) * sum over judged hits of  p^(rank - 1)

    Documents below the end of the list count as not judged. So the true value of rbp lies between rbp and
    rbp + residual.

    Use it beside rbp: a difference of two systems that is smaller than their residuals may turn round when more
    documents are judged.

    Three judged documents, p = 0.8: 1 - 0.2 * (1 + 0.8 + 0.64) = 0.512.

    >>> rank_biased_precision_residual(one_query([1, 0, 1])).values.round(4)
    array([0.512])

    Moffat and Zobel 2008, Rank-biased precision for measurement of retrieval effectiveness,
    doi:10.1145/1416950.1416952.
    """
    judged = hits.system.relevant(0, k)
    known = -(1 - p) * p ** (judged.rank - 1.0)
    return Derivation.of_hits(
        judged, known, Working("{}", known), 1.0, "1", rest=np.ones(len(hits)), rest_is="if nothing were judged"
    )
