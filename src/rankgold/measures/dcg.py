"""Discounted cumulative gain, of the system's ranking and of the ideal one."""

from __future__ import annotations

from rankgold.declaration.facts import Grades
from rankgold.declaration.metric import measure
from rankgold.declaration.named_functions import LINEAR, LOG2, Discount, Gain, NamedFunction
from rankgold.declaration.parameters import Cutoff
from rankgold.derivation import Derivation, Working
from rankgold.hits import Hits, RankedDocuments


@measure(
    "dcg",
    aliases=("discounted_cumulative_gain", "dcg_cut"),
    span=(0.0, float("inf")),
    question="grades",
    closed_form=True,
    grades=Grades("ends", additive=True),
)
def discounted_cumulative_gain(
    hits: Hits, *, k: Cutoff = None, gain: Gain = LINEAR, discount: Discount = LOG2
) -> Derivation:
    """The sum of gains, each discounted by its rank.

        DCG@k = sum over hits in the top k of  gain(grade) / discount(rank)

    The discount models how attention fades down the list. With `gain=exp` a top grade outweighs many middling ones.

    Use it when documents have grades and the early ranks matter most. Its size depends on the query: use ndcg to
    average over queries.

    Grades 3, 2, 3, 0, 1: 3/1 + 2/1.585 + 3/2 + 0 + 1/2.585 = 6.1487.

    >>> discounted_cumulative_gain(one_query([3, 2, 3, 0, 1]), k=5).values.round(4)
    array([6.1487])

    Järvelin and Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, doi:10.1145/582415.582418; for the
    exponential gain with log2(rank + 1), Burges and others 2005, doi:10.1145/1102351.1102363.
    """
    return discounted(hits.system, k, gain, discount)


@measure(
    "idcg",
    aliases=("ideal_dcg", "ideal_discounted_cumulative_gain"),
    span=(0.0, float("inf")),
    question="grades",
    closed_form=True,
    grades=Grades("ends", without_relevant="free"),
)
def ideal_discounted_cumulative_gain(
    hits: Hits, *, k: Cutoff = None, gain: Gain = LINEAR, discount: Discount = LOG2
) -> Derivation:
    """The DCG of the best possible ranking: what ndcg divides by.

        IDCG@k = sum over the k best judged documents, best first, of  gain(grade) / discount(rank)

    Use it to see how much there is to gain on a query. It does not depend on the system.

    Grades 3, 2, 3, 0, 1, best first 3, 3, 2, 1, 0: 3/1 + 3/1.585 + 2/2 + 1/2.322 = 6.3235.

    >>> ideal_discounted_cumulative_gain(one_query([3, 2, 3, 0, 1]), k=5).values.round(4)
    array([6.3235])

    Järvelin and Kekäläinen 2002, Cumulated gain-based evaluation of IR techniques, doi:10.1145/582415.582418.
    """
    return discounted(hits.ideal, k, gain, discount)


def discounted(ranking: RankedDocuments, k: int | None, gain: NamedFunction, discount: NamedFunction) -> Derivation:
    """The discounted gains of any ranking."""
    seen, gains = ranking.gaining(gain, k)
    discounts = discount(seen.rank)
    return Derivation.of_hits(seen, gains / discounts, Working("{}/{}", gains, discounts), 1.0, "1")
