"""Inferred average precision."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import measure
from rankgold.measures.parameters import Rel
from rankgold.measures.rankings.bpref import count_documents_above

# Keeps the share of relevant documents above the first ones from being 0/0, as in trec_eval.
_SMALL = 0.00001


@measure(
    "infap",
    aliases=("inf_ap", "inferred_ap", "inferred_average_precision"),
    question="judged",
    no_sql=NoSql.NONRELEVANT,
)
def inferred_average_precision(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """Average precision, estimated from judgements of a sample of the pool.

        infAP = (1 / R) * sum over relevant hits of  (1 + pooled * (found + e) / (judged + 2e)) / rank

    where `pooled`, `judged` and `found` count the documents above this one that are in the pool, that were judged, and
    that are relevant; e is 0.00001. A document of the pool that was not judged has a negative grade, and is taken to
    be relevant with the share of relevant ones among the judged. A document outside of the pool is not relevant.

    Use it where only a random sample of the pool was judged, as in the TREC Million Query track, and the qrels mark
    the rest with -1. With a fully judged pool it is average precision, apart from e.

    Grades 1, -1, 1: the document at rank 2 is unknown, and all of those judged above rank 3 are relevant, so
    (1 + (1 + 2 * 1) / 3) / 2 = 1.

    >>> inferred_average_precision(one_query([1, -1, 1])).values.round(4)
    array([1.])

    Yilmaz and Aslam 2006, Estimating average precision with incomplete and imperfect judgments,
    doi:10.1145/1183614.1183633.
    """
    pool = hits.system.top(None)
    is_relevant, is_judged = pool.grade >= rel, pool.grade >= 0
    found = pool.keep(is_relevant)
    relevant_above = count_documents_above(is_relevant, pool)[is_relevant]
    judged_above = count_documents_above(is_judged, pool)[is_relevant]
    pooled_above = count_documents_above(np.ones(len(pool), dtype=bool), pool)[is_relevant]
    share = (relevant_above + _SMALL) / (judged_above + 2 * _SMALL)
    term = (1 + pooled_above * share) / found.rank
    working = Working("(1+{}*{})/{}", pooled_above, share, found.rank)
    return Derivation.of_hits(found, term, working, hits.relevant(rel), "R, the relevant documents")
