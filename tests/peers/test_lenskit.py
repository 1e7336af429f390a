"""LensKit, list by list: numbers agree to 1e-9. Items of grade 1 and better are test items."""

from math import log

import numpy as np
import pytest
from lenskit import metrics
from lenskit.data import ItemList
from lenskit.metrics import GeometricRankWeight, LogRankWeight
from lenskit.metrics.ranking import AveragePrecision

import rankgold
from tests.peers.collections import all_collections, in_order, values

CUTOFFS = (None, 1, 5, 10)


def same(n):
    """(a metric of LensKit, the measure here)."""
    at = "" if n is None else f"@{n}"
    return [
        (metrics.Hit(n), f"hit{at}"),
        (metrics.Precision(n), f"p(norm=returned){at}"),
        (metrics.Recall(n), f"r(norm=min){at}"),
        (metrics.RecipRank(n), f"rr{at}"),
        (AveragePrecision(n), f"ap(norm=reachable){at}"),
        (metrics.NDCG(n), f"ndcg(gain=binary, discount=jk){at}"),
        (metrics.NDCG(n, discount=np.log2), f"ndcg(gain=binary, discount=jk){at}"),
        (metrics.NDCG(n, gain="rating"), f"ndcg(discount=jk){at}"),
        (metrics.NDCG(n, gain="rating", weight=LogRankWeight(offset=1)), f"ndcg{at}"),
        (metrics.DCG(n), f"dcg(gain=binary, discount=jk){at}"),
        (metrics.DCG(n, gain="rating"), f"dcg(discount=jk){at}"),
        (metrics.DCG(n, weight=LogRankWeight(base=3, offset=1)), f"dcg(gain=binary, discount=log(3)){at}"),
        (metrics.DCG(n, weight=GeometricRankWeight(0.8)), f"dcg(gain=binary, discount=exponential({-log(0.8)})){at}"),
        (metrics.RBP(n), f"rbp(p=0.85){at}"),
        (metrics.RBP(n, patience=0.5), f"rbp(p=0.5){at}"),
    ]


def with_n_items(n):
    """As `same`, for metrics that divide by what a list of its length could reach: a list of n items, or a longer one."""
    return [
        (metrics.RBP(n, normalize=True), f"ndcg(gain=binary, discount=exponential({-log(0.85)}))@{n}"),
        (metrics.RBP(n, weight=LogRankWeight()), f"ndcg(gain=binary, ideal=ones, discount=jk)@{n}"),
    ]


def lists(qrels, run):
    """What LensKit takes: the list of each user, and the test items of each with their ratings."""
    ranked = {query: ItemList(item_ids=in_order(row), ordered=True) for query, row in run.items()}
    relevant = {
        query: {item: float(grade) for item, grade in row.items() if grade >= 1} for query, row in qrels.items()
    }
    test = {query: ItemList(item_ids=list(row), rating=list(row.values())) for query, row in relevant.items() if row}
    return ranked, test


def of_lenskit(metric, ranked, test):
    # Where a user has no list, LensKit takes the metric's default when it summarises.
    return {
        query: metric.measure_list(ranked[query], items) if query in ranked else metric.default
        for query, items in test.items()
    }


@pytest.mark.parametrize("n", CUTOFFS)
def test_every_list_scores_as_in_lenskit(n):
    qrels, run = all_collections()
    given = lists(qrels, run)
    ours = rankgold.evaluate(qrels, run, [measure for _, measure in same(n)], policy="no_relevant=skip")
    for metric, measure in same(n):
        assert values(ours, measure) == pytest.approx(of_lenskit(metric, *given), abs=1e-9), measure


@pytest.mark.parametrize("n", CUTOFFS[1:])
def test_lists_of_n_items_score_as_in_lenskit_where_the_length_counts(n):
    qrels, run = all_collections()
    long = {query: row for query, row in run.items() if len(row) >= n}
    judged = {query: row for query, row in qrels.items() if query in long}
    ours = rankgold.evaluate(judged, long, [measure for _, measure in with_n_items(n)], policy="no_relevant=skip")
    for metric, measure in with_n_items(n):
        theirs = of_lenskit(metric, *lists(judged, long))
        assert len(theirs) > 400
        assert values(ours, measure) == pytest.approx(theirs, abs=1e-9), measure


def test_its_average_precision_forgives_a_short_list_and_so_does_its_name_here():
    # Six items are relevant, one was recommended. LensKit divides by min(length of the list, 6) = 1.
    qrels, run = {"u": {f"d{i}": 1 for i in range(6)}}, {"u": {"d0": 1.0}}
    ranked, test = lists(qrels, run)
    assert of_lenskit(AveragePrecision(10), ranked, test) == {"u": 1}
    assert rankgold.evaluate(qrels, run, "AveragePrecision@10").means == {"AveragePrecision@10": 1}


# What LensKit does and we do not: docs/other-tools.md has this example.


def test_its_normalised_rank_biased_precision_forgives_a_short_list():
    # LensKit divides by what one item could reach, and not by what n places could: 1 / 1, not 1 / (1 + 0.5 + 0.25 + ...).
    qrels, run = {"u": {f"d{i}": 1 for i in range(6)}}, {"u": {"d0": 1.0}}
    ranked, test = lists(qrels, run)
    assert of_lenskit(metrics.RBP(10, patience=0.5, normalize=True), ranked, test) == {"u": 1}
    measure = f"ndcg(gain=binary, discount=exponential({log(2)}))@10"
    assert rankgold.evaluate(qrels, run, measure)[measure] == pytest.approx(1 / sum(0.5**i for i in range(6)))


def test_its_names_are_understood():
    assert str(rankgold.parse_measure("RecipRank@5")) == "rr@5"
    assert str(rankgold.parse_measure("AveragePrecision@5")) == "ap(norm=reachable)@5"
