"""The number of documents returned that were judged not relevant."""

from __future__ import annotations

from rankgold.declaration.facts import Grades, NoSql
from rankgold.declaration.metric import SUM, measure
from rankgold.declaration.parameters import Rel
from rankgold.derivation import Derivation
from rankgold.hits import Hits


@measure(
    "num_nonrel_judged_ret",
    aliases=("number_of_nonrelevant_documents_returned",),
    span=(0.0, float("inf")),
    higher_is_better=False,
    wants_relevant=False,
    aggregate=SUM,
    question="judged",
    closed_form=True,
    grades=Grades("ends"),
    no_sql=NoSql.NONRELEVANT,
)
def number_of_nonrelevant_documents_returned(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """The number of returned documents that were judged not relevant; over queries, their sum.

        num_nonrel_judged_ret = 1 for each hit with a grade from 0 to below rel

    Documents without a judgement, and those with a negative grade, which marks them as not judged, do not count.

    Use it to tell a list of bad documents from a list of unknown ones: most measures score both alike.

    Grades 1, 0, 1: 1.

    >>> number_of_nonrelevant_documents_returned(one_query([1, 0, 1])).values
    array([1.])

    Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval, chapter 3.
    """
    seen = hits.system.single
    found = seen.keep((seen.grade >= 0) & (seen.grade < rel))
    return Derivation.count(found, 1.0, "1")
