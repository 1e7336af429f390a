"""The number of relevant documents."""

from __future__ import annotations

from rankgold.declaration.facts import Grades, NoSql
from rankgold.declaration.metric import SUM, measure
from rankgold.declaration.parameters import Rel
from rankgold.derivation import Derivation
from rankgold.hits import Hits


@measure(
    "num_rel",
    aliases=("number_of_relevant_documents", "numrel"),
    span=(0.0, float("inf")),
    wants_relevant=False,
    defines_empty=True,
    aggregate=SUM,
    question="judged",
    closed_form=True,
    grades=Grades("ends"),
    no_sql=NoSql.TRUTH,
)
def number_of_relevant_documents(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """The number of documents that were judged relevant, found or not; over queries, their sum.

        num_rel = R, the judged documents of grade rel or better

    Use it to see how much there is to find. A query with very few relevant documents moves measures such as recall in
    large steps, and one with very many cannot reach a recall of 1 in a short list.

    Relevant at the ranks 1 and 3, none missed: 2.

    >>> number_of_relevant_documents(one_query([1, 0, 1])).values
    array([2.])

    Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval, chapter 3.
    """
    found = hits.system.relevant(rel)
    missed = hits.relevant(rel) - found.count
    return Derivation.count(found, 1.0, "1", missed, "relevant documents that were not found")
