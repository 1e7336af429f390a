"""RecTools, user by user: numbers agree to 1e-9. It is given the ranks; items of grade 1 and better are interactions."""

from math import sqrt

import pandas
import pytest
from rectools import metrics

import rankgold
from tests.peers.collections import DOCUMENTS, all_collections, in_order, values

# Of pandas, when RecTools fills gaps.
pytestmark = pytest.mark.filterwarnings("ignore:Downcasting object dtype arrays")

CATALOGUE = [*DOCUMENTS, *(f"e{i}" for i in range(20))]
CUTOFFS = (1, 5, 10)


def same(k):
    """(a metric of RecTools, the measure here)."""
    return [
        (metrics.Precision(k), f"p@{k}"),
        (metrics.Precision(k, r_precision=True), f"p(norm=min)@{k}"),
        (metrics.Recall(k), f"r@{k}"),
        (metrics.F1Beta(k), f"f@{k}"),
        (metrics.F1Beta(k, beta=2.0), f"f(beta=2)@{k}"),
        (metrics.HitRate(k), f"hit@{k}"),
        (metrics.MAP(k), f"ap@{k}"),
        (metrics.MAP(k, divide_by_k=True), f"ap(norm=k)@{k}"),
        (metrics.NDCG(k), f"ndcg(gain=binary, ideal=ones)@{k}"),
        (metrics.NDCG(k, log_base=3), f"ndcg(gain=binary, ideal=ones, discount=log(3))@{k}"),
        (metrics.NDCG(k, divide_by_achievable=True), f"ndcg(gain=binary)@{k}"),
        (metrics.MRR(k), f"rr@{k}"),
        (metrics.PartialAUC(k), f"pauc@{k}"),
        (metrics.PAP(k), f"pap@{k}"),
    ]


def of_catalogue(k):
    """As `same`, for metrics that need the number of items."""
    size = len(CATALOGUE)
    return [
        (metrics.Accuracy(k), f"accuracy(documents={size})@{k}"),
        (metrics.MCC(k), f"mcc(documents={size})@{k}"),
    ]


def frames(qrels, run):
    """What RecTools takes: recommendations with their ranks, and interactions."""
    ranked = [(query, item, rank) for query, row in run.items() for rank, item in enumerate(in_order(row), 1)]
    relevant = [(query, item) for query, row in qrels.items() for item, grade in row.items() if grade >= 1]
    columns = ["user_id", "item_id", "rank"]
    return pandas.DataFrame(ranked, columns=columns), pandas.DataFrame(relevant, columns=columns[:2])


@pytest.mark.parametrize("k", CUTOFFS)
def test_every_user_scores_as_in_rectools(k):
    qrels, run = all_collections()
    given = frames(qrels, run)
    # A user without an interaction is not in its data.
    ours = rankgold.evaluate(qrels, run, [measure for _, measure in same(k)], policy="no_relevant=skip")
    for metric, measure in same(k):
        theirs = metric.calc_per_user(*given).to_dict()
        assert values(ours, measure) == pytest.approx(theirs, abs=1e-9), measure


@pytest.mark.parametrize("k", CUTOFFS)
def test_lists_of_k_items_score_as_in_rectools_where_the_catalogue_counts(k):
    qrels, run = all_collections()
    long = {query: row for query, row in run.items() if len(row) >= k}
    judged = {query: row for query, row in qrels.items() if query in long}
    ours = rankgold.evaluate(judged, long, [measure for _, measure in of_catalogue(k)], policy="no_relevant=skip")
    for metric, measure in of_catalogue(k):
        theirs = metric.calc_per_user(*frames(judged, long), CATALOGUE).to_dict()
        assert len(theirs) > 400
        assert values(ours, measure) == pytest.approx(theirs, abs=1e-9), measure


# What RecTools does and we do not: docs/other-tools.md has this example.
def test_its_accuracy_and_mcc_take_a_short_list_as_filled_up():
    # One item is recommended, and it is relevant: all 60 are on the right side. RecTools counts 4 more as recommended, so
    # that 1 item is rightly recommended, 55 are rightly left out and 4 are not.
    qrels, run = {"u": {"d1": 1}}, {"u": {"d1": 1.0}}
    expected = (56 / 60, (1 * 55 - 4 * 0) / sqrt(5 * 1 * 59 * 55))
    for (metric, measure), theirs in zip(of_catalogue(5), expected, strict=True):
        assert metric.calc_per_user(*frames(qrels, run), CATALOGUE)["u"] == pytest.approx(theirs)
        assert rankgold.evaluate(qrels, run, measure)[measure] == 1


def test_its_names_are_understood():
    assert str(rankgold.parse_measure("PartialAUC@5")) == "pauc(others=5)"
    assert str(rankgold.parse_measure("PAP@5")) == "pap(others=5)"
    assert str(rankgold.parse_measure("HitRate@5")) == "hit@5"
    assert str(rankgold.parse_measure("F1Beta(beta=2)@5")) == "f(beta=2)@5"
