"""scikit-learn's ranking metrics: numbers agree to 1e-12."""

import numpy as np
import pytest
from sklearn import metrics

import rankgold
from tests.peers.collections import SEEDS, arrays

CUTOFFS = (1, 5, None)


def mean(hits, name, k=None):
    measure = name if k is None else f"{name}@{k}"
    return rankgold.evaluate(hits, [measure])[measure]


def rows(metric, grades, scores):
    return np.mean([metric(grade, score) for grade, score in zip(grades, scores, strict=True)])


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("k", CUTOFFS)
def test_dcg_and_ndcg_averaged_over_ties(k, seed):
    grades, scores = arrays(seed)
    scores = scores // 3  # several documents of a query share a score
    hits = rankgold.from_arrays(grades, scores, policy="ties=average")
    assert mean(hits, "dcg", k) == pytest.approx(metrics.dcg_score(grades, scores, k=k), abs=1e-12)
    assert mean(hits, "ndcg", k) == pytest.approx(metrics.ndcg_score(grades, scores, k=k), abs=1e-12)


# Without ties: scikit-learn orders tied documents by a sort that is not stable, so that no rule reproduces it.
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("k", CUTOFFS)
def test_dcg_and_ndcg_that_ignore_ties(k, seed):
    grades, scores = arrays(seed)
    hits = rankgold.from_arrays(grades, scores)
    assert mean(hits, "dcg", k) == pytest.approx(metrics.dcg_score(grades, scores, k=k, ignore_ties=True), abs=1e-12)
    assert mean(hits, "ndcg", k) == pytest.approx(metrics.ndcg_score(grades, scores, k=k, ignore_ties=True), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_average_precision(seed):
    grades, scores = arrays(seed, top_grade=1)
    ours = mean(rankgold.from_arrays(grades, scores), "ap")
    assert ours == pytest.approx(metrics.label_ranking_average_precision_score(grades, scores), abs=1e-12)
    assert ours == pytest.approx(rows(metrics.average_precision_score, grades, scores), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_area_under_the_curve_with_ties(seed):
    grades, scores = arrays(seed, top_grade=1)
    scores = scores // 3
    ours = mean(rankgold.from_arrays(grades, scores, policy="ties=average"), "auc")
    assert ours == pytest.approx(rows(metrics.roc_auc_score, grades, scores), abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_the_right_class_among_the_top_k(seed):
    _, scores = arrays(seed)
    right = np.random.default_rng(seed).integers(0, scores.shape[1], len(scores))
    hits = rankgold.from_arrays(np.eye(scores.shape[1])[right], scores)
    classes = np.arange(scores.shape[1])
    for k in (1, 5):
        expected = metrics.top_k_accuracy_score(right, scores, k=k, labels=classes)
        assert mean(hits, "hit", k) == pytest.approx(expected, abs=1e-12)


@pytest.mark.parametrize("divisor", [1, 3], ids=["no ties", "ties"])
@pytest.mark.parametrize("seed", SEEDS)
def test_rankings_of_labels(seed, divisor):
    grades, scores = arrays(seed, top_grade=1)
    scores = scores // divisor
    hits = rankgold.from_arrays(grades, scores, policy="no_relevant=one")
    assert mean(hits, "lrap") == pytest.approx(metrics.label_ranking_average_precision_score(grades, scores), abs=1e-12)
    hits = rankgold.from_arrays(grades, scores, policy="undefined=zero")
    assert mean(hits, "coverage_error") == pytest.approx(metrics.coverage_error(grades, scores), abs=1e-12)
    assert mean(hits, "ranking_loss") == pytest.approx(metrics.label_ranking_loss(grades, scores), abs=1e-12)
