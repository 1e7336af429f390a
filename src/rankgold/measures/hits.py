"""The number of relevant documents in the top k, averaged over queries."""

from __future__ import annotations

from rankgold.declaration.facts import Grades, NoSql
from rankgold.declaration.metric import measure
from rankgold.declaration.parameters import Cutoff, Rel
from rankgold.derivation import Derivation
from rankgold.hits import Hits


@measure(
    "hits",
    aliases=("number_of_hits",),
    span=(0.0, float("inf")),
    question="count",
    title="Number of hits",
    closed_form=True,
    grades=Grades("ends", additive=True),
    no_sql=NoSql.COUNT,
)
def number_of_hits(hits: Hits, *, k: Cutoff = None, rel: Rel = 1) -> Derivation:
    """The number of relevant documents in the list, or in its top k; over queries, their mean.

        hits@k = 1 for each relevant hit in the top k

    It is precision at k times k, as a number that people can picture: "of the ten results, 3.2 are relevant".

    Use it to tell people without a technical background what a result page holds. For the sum over queries use
    num_rel_ret; for whether there is any relevant document use hit.

    Relevant at the ranks 1 and 3: 2.

    >>> number_of_hits(one_query([1, 0, 1])).values
    array([2.])

    Bassani 2022, ranx: A blazing-fast Python library for ranking evaluation and comparison,
    doi:10.1007/978-3-030-99739-7_30.
    """
    return Derivation.count(hits.system.relevant(rel, k), 1.0, "1")
