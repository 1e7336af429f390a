"""The shares of documents with and without a judgement."""

from __future__ import annotations

from typing import Annotated, Literal

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.measures.facts import Grades, NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Cutoff
from rankgold.measures.rankings.p import denominator

Norm = Annotated[Literal["returned", "k"], "what it divides by: the documents returned (at most k), or the cutoff"]


@measure(
    "judged",
    aliases=("judged_share", "judgement_rate"),
    wants_relevant=False,
    question="judged",
    closed_form=True,
    grades=Grades("ends"),
    no_sql=NoSql.NONRELEVANT,
)
def share_of_judged_documents(hits: Hits, *, k: Cutoff = None, norm: Norm = "returned") -> Derivation:
    """The share of the first k documents that have a judgement.

        judged@k = (judged documents in the top k) / (documents in the top k)

    A negative grade marks a document that was not judged. `norm="k"` divides by the cutoff even where the list is
    shorter.

    Use it beside every other measure: where it is low, a score says more about the judgements than about the ranking,
    and systems that contributed to the pool of judged documents have an advantage.

    Four documents, of which the second has the grade -1: 3/4.

    >>> share_of_judged_documents(one_query([1, -1, 1, 0])).values
    array([0.75])

    Lu, Moffat and Culpepper 2016, The effect of pooling and evaluation depth on IR metrics,
    doi:10.1007/s10791-016-9282-6.
    """
    seen = hits.system.relevant(0, k)
    norms, norm_is = denominator(hits, k, 0, norm)
    return Derivation.count(seen, norms, norm_is)


@measure(
    "unjudged",
    aliases=("unj", "unjudged_share"),
    higher_is_better=False,
    wants_relevant=False,
    question="judged",
    closed_form=True,
    grades=Grades("ends"),
    no_sql=NoSql.NONRELEVANT,
)
def share_of_unjudged_documents(hits: Hits, *, k: Cutoff = None) -> Derivation:
    """The share of the first k documents that have no judgement.

        unjudged@k = (documents in the top k - judged documents in the top k) / k

    A negative grade marks a document that was not judged. A list shorter than k has fewer of them, as in trec_eval.

    Use it to see how far a score can be trusted: the higher it is, the more could change if somebody judged the rest.

    Four documents, of which the second has the grade -1: 1/4.

    >>> share_of_unjudged_documents(one_query([1, -1, 1, 0]), k=4).values
    array([0.25])

    Lu, Moffat and Culpepper 2016, The effect of pooling and evaluation depth on IR metrics,
    doi:10.1007/s10791-016-9282-6.
    """
    seen = hits.system.relevant(0, k)
    norms, norm_is = denominator(hits, k, 0, "k")
    less = np.full(len(seen), -1.0)
    depth = hits.depth(k).astype(np.float64)
    return Derivation.of_hits(seen, less, Working("{}", less), norms, norm_is, rest=depth, rest_is="documents returned")
