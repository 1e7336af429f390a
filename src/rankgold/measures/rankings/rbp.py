"""Rank-biased precision and its residual, here and in trec_eval."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Floats
from rankgold.measures.facts import FREE, Grades, NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Above, Below, Cutoff, Examples, Rel

Persistence = Annotated[
    float, Above(0), Below(1), "the probability that a reader continues to the next document", Examples(0.5, 0.95)
]
Worth = Annotated[
    Literal["binary", "graded", "relative"],
    "what a document is worth: 1 if relevant, its grade over the highest grade, or over the highest of the query",
]
Highest = Annotated[
    float | None,
    Above(0),
    "the highest grade of the scale, if grades count; the highest of the judgements or of the query if not given",
    Examples(4),
]


@measure(
    "rbp",
    aliases=("rank_biased_precision",),
    suffix="p",
    scale="max",
    question="order",
    title="Rank-biased precision",
    closed_form=True,
    grades=Grades("ends", additive=True, unless={"worth=relative": FREE}),
)
def rank_biased_precision(
    hits: Hits,
    *,
    k: Cutoff = None,
    rel: Rel = 1,
    p: Persistence = 0.8,
    worth: Worth = "binary",
    max: Highest = None,
) -> Derivation:
    """Expected gain per document viewed, for a reader who continues to the next document with probability p.

        RBP = (1 - p) * sum over hits of  worth * p^(rank - 1)

    A patient reader has p = 0.95, an impatient one 0.5; a reader sees 1 / (1 - p) documents on average. It needs no
    number of relevant documents, so it is not pulled by what was never found. With `worth=graded`, a document is worth
    its grade as a share of the highest. With `worth=relative`, as in trec_eval, it is a share of the highest grade of
    the query, unless `max` is given: a query without an excellent document can then score as high as one with it.

    Use it where the behaviour of readers is known, and where judgements are incomplete: rbp_resid shows how much is
    unknown. A query with few relevant documents cannot reach 1.

    Ranks 1 and 3 relevant, p = 0.8: 0.2 * (1 + 0.64) = 0.328.

    >>> rank_biased_precision(one_query([1, 0, 1])).values.round(4)
    array([0.328])

    Moffat and Zobel 2008, Rank-biased precision for measurement of retrieval effectiveness,
    doi:10.1145/1416950.1416952.
    """
    if worth == "binary":
        found = hits.system.relevant(rel, k)
        worths: Floats = np.ones(len(found))
    else:
        found, worths = gains_on_scale(hits, k, max) if worth == "graded" or max else _gains_of_query(hits, k)
    chance = (1 - p) * p ** (found.rank - 1.0)
    return Derivation.of_hits(found, worths * chance, Working("{}*{}", worths, chance), 1.0, "1")


def gains_on_scale(hits: Hits, k: int | None, max: float | None) -> tuple[Ranking, Floats]:
    """The documents at rank k or better with a grade above 0, and their grades as shares of the highest grade."""
    top = hits.max_grade if max is None else max

    def share(grade: Floats) -> Floats:
        return np.clip(grade, 0, top) / top if top > 0 else np.zeros(len(grade))

    return hits.system.gaining(share, k)


def _gains_of_query(hits: Hits, k: int | None) -> tuple[Ranking, Floats]:
    """The documents at rank k or better with a grade above 0, and their grades as shares of the query's highest."""
    found, grades = hits.system.gaining(lambda grade: grade, k)
    best = hits.ideal.top(1)
    highest: Floats = np.ones(len(hits))
    highest[best.query] = best.grade
    return found, grades / highest[found.query]


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
