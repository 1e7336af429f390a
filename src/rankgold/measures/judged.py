"""The share of judged documents."""

from __future__ import annotations

from typing import Annotated, Literal

from rankgold.declaration.facts import Grades, NoSql
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation
from rankgold.hits import Hits
from rankgold.measures.p import denominator

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
