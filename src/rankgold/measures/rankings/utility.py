"""Linear utility."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.errors import MeasureError
from rankgold.core.hits import Hits
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Examples, Rel
from rankgold.measures.rankings.accuracy import Documents, number_of_documents

Worth = Annotated[
    tuple[float, ...],
    "the worth of a document that is relevant and returned, not relevant and returned, relevant and missed, or neither",
    Examples((2, -1, 0, 0), (1, -1, -0.5, 0.25)),
]

_MOST = 1e100


@measure(
    "utility",
    aliases=("linear_utility",),
    span=(-float("inf"), float("inf")),
    wants_relevant=False,
    question="count",
    closed_form=True,
    no_sql=NoSql.DOCUMENTS,
)
def linear_utility(
    hits: Hits, *, rel: Rel = 1, worth: Worth = (1, -1, 0, 0), documents: Documents = None
) -> Derivation:
    """The worth of the returned documents: relevant ones add, others subtract.

        utility = a * found + b * (returned - found) + c * (R - found) + d * (documents - returned - R + found)

    with `worth=(a, b, c, d)`. By default a relevant document gains 1 and another one loses 1.

    Use it for filters, which return as many documents as they like and pay for each wrong one. Name `documents` if
    those that are rightly left out count. Its size depends on the query, so a mean is dominated by long lists.

    Two of three documents relevant: 2 - 1 = 1.

    >>> linear_utility(one_query([1, 0, 1])).values
    array([1.])

    Robertson and Soboroff 2002, The TREC 2002 filtering track report.
    """
    if len(worth) != 4:
        raise MeasureError(f"worth must be four numbers such as (1, -1, 0, 0), not {len(worth)}.")
    if max(map(abs, worth)) > _MOST:
        raise MeasureError(
            f"worth must be four numbers from {-_MOST:g} to {_MOST:g}: sums of larger ones are not finite."
        )
    found = hits.system.relevant(rel)
    gained, lost, missed, left_out = worth
    size = number_of_documents(hits, None, documents)
    term = np.full(len(found), gained - lost - missed + left_out, dtype=np.float64)
    rest = lost * hits.returned + missed * hits.relevant(rel) + left_out * (size - hits.returned - hits.relevant(rel))
    return Derivation.of_hits(found, term, Working("{}", term), 1.0, "1", rest=rest, rest_is="if none were relevant")
