"""Binary preference, and its geometric mean over queries."""

from __future__ import annotations

import numpy as np

from rankgold.core.derivation import Derivation, Working
from rankgold.core.hits import Hits, Ranking
from rankgold.core.segments import Bools, Ints
from rankgold.measures.facts import NoSql
from rankgold.measures.metric import GEOMETRIC_MEAN, measure
from rankgold.measures.parameters import Rel


@measure("bpref", aliases=("binary_preference",), question="judged", no_sql=NoSql.NONRELEVANT)
def binary_preference(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """How few documents judged non-relevant are ranked above the relevant ones.

        bpref = (1 / R) * sum over relevant hits of  1 - min(above, R) / min(N, R)

    where `above` counts the documents that were judged not relevant and stand above this one, and N all that were
    judged not relevant. Documents without a judgement are skipped, and so are those with a negative grade, which
    marks documents that were not judged.

    Use it where judgements are incomplete: it does not change when unjudged documents come and go, while average
    precision counts them as not relevant. With complete judgements, average precision says more.

    Grades 1, 0, 1, 0, with R = N = 2: no document stands above the first, one of the two above the second, so
    (1 + 1 - 1/2) / 2 = 3/4.

    >>> binary_preference(one_query([1, 0, 1, 0])).values
    array([0.75])

    Buckley and Voorhees 2004, Retrieval evaluation with incomplete information, doi:10.1145/1008992.1009000.
    """
    seen = hits.system.top(None)
    is_relevant = seen.grade >= rel
    found = seen.keep(is_relevant)
    relevant = hits.relevant(rel)
    nonrelevant = hits.ideal.at_least(0) - relevant
    above = count_documents_above((seen.grade >= 0) & ~is_relevant, seen)[is_relevant]
    counted = np.minimum(above, relevant[found.query])
    pairs = np.maximum(np.minimum(nonrelevant, relevant), 1)[found.query]
    working = Working("1-{}/{}", counted, pairs)
    return Derivation.of_hits(found, 1 - counted / pairs, working, relevant, "R, the relevant documents")


def count_documents_above(which: Bools, ranking: Ranking) -> Ints:
    """How many of these documents are above each document of a ranking, in the same query."""
    before = np.concatenate(([0], np.cumsum(which)))
    above: Ints = before[:-1] - before[ranking.starts[ranking.query]]
    return above


@measure(
    "gm_bpref",
    aliases=("geometric_bpref",),
    aggregate=GEOMETRIC_MEAN,
    question="judged",
    title="Geometric mean binary preference",
    no_sql=NoSql.NONRELEVANT,
)
def geometric_mean_binary_preference(hits: Hits, *, rel: Rel = 1) -> Derivation:
    """The geometric mean of binary preference over queries.

        gm_bpref = exp(mean over queries of  log(max(bpref, 0.00001)))

    The value of one query is its bpref. Values below 0.00001 count as that, since a single 0 would make the mean 0.

    Use it where judgements are incomplete and the worst queries matter: it is to bpref what gmap is to average
    precision.

    Grades 1, 0, 1, 0, one query: bpref = (1 + 1/2) / 2 = 3/4.

    >>> geometric_mean_binary_preference(one_query([1, 0, 1, 0])).values
    array([0.75])

    Buckley and Voorhees 2004, Retrieval evaluation with incomplete information, doi:10.1145/1008992.1009000; Robertson
    2006, On GMAP and other transformations, doi:10.1145/1183614.1183630.
    """
    return binary_preference(hits, rel=rel)
