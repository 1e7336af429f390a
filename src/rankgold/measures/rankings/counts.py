"""Counts of queries, and of documents that are relevant, returned or judged."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.measures.facts import Grades, NoSql
from rankgold.measures.metric import SUM, measure
from rankgold.measures.parameters import Cutoff, Rel


@measure(
    "num_q",
    aliases=("number_of_queries", "numq"),
    span=(0.0, float("inf")),
    wants_relevant=False,
    defines_empty=True,
    aggregate=SUM,
    question="judged",
    closed_form=True,
    grades=Grades("ends"),
    no_sql=NoSql.TRUTH,
)
def number_of_queries(hits: Hits) -> Derivation:
    """The number of queries that the other measures are averaged over.

        num_q = 1 for each query

    The policy decides which queries there are: by default all that were judged, with `missing=skip` only those that
    the run has too.

    Use it to see whether two means are over the same queries. It says nothing about the quality of a ranking.

    One query: 1.

    >>> number_of_queries(one_query([1, 0, 1])).values
    array([1.])

    Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval, chapter 3.
    """
    nothing = hits.system.top(0)
    return Derivation.of_hits(
        nothing, np.zeros(0), Working("0"), 1.0, "1", rest=np.ones(len(hits)), rest_is="the query itself"
    )


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


@measure(
    "num_ret",
    aliases=("number_of_documents_returned", "numret"),
    span=(0.0, float("inf")),
    wants_relevant=False,
    defines_empty=True,
    aggregate=SUM,
    question="judged",
    closed_form=True,
    grades=Grades("ends"),
    no_sql=NoSql.COUNT,
)
def number_of_documents_returned(hits: Hits, *, k: Cutoff = None) -> Derivation:
    """The number of documents that the system returned; over queries, their sum.

        num_ret = the documents in the list, judged or not

    Use it to see whether two runs are of the same depth: a deeper run has more chances to find something, and its
    recall and average precision are higher for that reason alone.

    A list of three documents: 3.

    >>> number_of_documents_returned(one_query([1, 0, 1])).values
    array([3.])

    Buckley and Voorhees 2005, in TREC: Experiment and Evaluation in Information Retrieval, chapter 3.
    """
    judged = hits.system.relevant(-np.inf, k)
    missed = hits.depth(k) - judged.expected_count
    return Derivation.count(judged, 1.0, "1", missed, "documents without a judgement")


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
