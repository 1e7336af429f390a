"""Spearman and Kendall against SciPy, and ties averaged in long lists."""

import numpy as np
import pytest
from scipy import stats

import rankgold


@pytest.mark.parametrize("levels", [2, 5, 10**6], ids=["many ties", "some ties", "hardly any tie"])
@pytest.mark.parametrize("length", [2, 7, 999, 1001, 4500])
@pytest.mark.parametrize("seed", range(3))
def test_correlations_agree_with_scipy(levels, length, seed):
    choose = np.random.default_rng(seed)
    x, y = choose.integers(0, levels, length), choose.integers(0, levels, length)
    x[0], x[1], y[0], y[1] = 0, 1, 1, 0
    scores = rankgold.evaluate(rankgold.from_arrays(y, x), ["spearman", "kendall"])
    assert scores["spearman"] == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert scores["kendall"] == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)


def test_a_long_list_of_equal_scores_is_averaged_in_closed_form():
    # 400 documents all tied, 100 of them relevant: each stands at each rank with chance 1/400.
    hits = rankgold.from_arrays([[1] * 100 + [0] * 300], [[0.0] * 400], policy="ties=average")
    scores = rankgold.evaluate(hits, ["p@10", "auc", "dcg", "rr"])
    assert scores["p@10"] == pytest.approx(100 / 400)
    assert scores["auc"] == pytest.approx(1 / 2)
    assert scores["dcg"] == pytest.approx(100 * np.mean(1 / np.log2(np.arange(2, 402))))
    # The first relevant document is at rank j with chance C(400 - j, 99) / C(400, 100).
    chance = stats.hypergeom(400, 100, np.arange(0, 301)).pmf(0) * 100 / (400 - np.arange(0, 301))
    assert scores["rr"] == pytest.approx((chance / np.arange(1, 302)).sum())


def test_nothing_retrieved_has_no_mean_rank_even_if_what_is_missed_counts_last():
    scores = rankgold.evaluate(
        {"q": {"a": 1}, "p": {"a": 1}}, {"q": [], "p": ["x", "a"]}, ["mr(miss=last)", "mr(miss=last)@3"]
    )
    assert np.isnan(scores.per_query["mr(miss=last)"][0])
    assert scores["mr(miss=last)"] == 2.0
    # With a cutoff the document that was not found counts at 3 + 1.
    assert scores.per_query["mr(miss=last)@3"].to_list() == [4.0, 2.0]
