"""The share of documents without a judgement."""

from __future__ import annotations

import numpy as np

from rankgold.declaration.facts import Grades, NoSql
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits
from rankgold.measures.p import denominator


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
