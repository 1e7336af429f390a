"""The number of relevant documents returned."""

from __future__ import annotations

from rankgold.declaration.facts import Grades, NoSql
from rankgold.declaration.metric import SUM, measure
from rankgold.declaration.parameters import Cutoff, Rel
from rankgold.derivation import Derivation
from rankgold.hits import Hits


@measure(
    "num_rel_ret",
    aliases=("number_of_relevant_documents_returned", "numrelret"),
    span=(0.0, float("inf")),
    wants_relevant=False,
    aggregate=SUM,
    question="count",
    closed_form=True,
    grades=Grades("ends", additive=True),
    no_sql=NoSql.COUNT,
)
def number_of_relevant_documents_returned(hits: Hits, *, k: Cutoff = None, rel: Rel = 1) -> Derivation:
    """The number of relevant documents in the list, or in its top k; over queries, their sum.

        num_rel_ret = 1 for each relevant hit

    Use it for plain counts: over all queries, how many relevant documents did the system find? Queries with many
    relevant documents dominate the sum; recall gives every query the same weight.

    Relevant at the ranks 1 and 3: 2.

    >>> number_of_relevant_documents_returned(one_query([1, 0, 1])).values
    array([2.])

    Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval, chapter 3.
    """
    found = hits.system.relevant(rel, k)
    return Derivation.count(found, 1.0, "1")
