"""CatBoost: its order of ties, and our metrics within its training."""

import copy
import pickle

import catboost
import numpy as np
import pytest

import rankgold
from rankgold.compat.integrations import catboost_metric
from tests.peers.collections import SEEDS
from tests.peers.rankers import ids_of, ranking_data

QUIET = {"loss_function": "QueryRMSE", "iterations": 3, "depth": 2, "thread_count": 1, "verbose": False,
         "allow_writing_files": False}  # fmt: skip


def pool(seed, queries=50):
    features, grades, groups = ranking_data(seed, queries)
    return catboost.Pool(features, grades, group_id=ids_of(groups)), grades, groups


@pytest.mark.parametrize("seed", SEEDS)
def test_the_metrics_of_a_ranker_put_the_lower_grade_first_among_ties(seed):
    features, grades, groups = ranking_data(seed)
    worst_first = np.lexsort((grades, ids_of(groups)))
    features, grades = features[worst_first], grades[worst_first]
    data = catboost.Pool(features, grades, group_id=ids_of(groups))
    model = catboost.CatBoostRanker(**QUIET, custom_metric=["NDCG:top=5;type=Base", "NDCG:top=5;type=Exp"])
    model.fit(data, eval_set=data)
    seen = model.get_evals_result()["validation"]
    hits = rankgold.from_arrays(grades, model.predict(features), groups, policy="ties=input, no_relevant=one")
    scores = rankgold.evaluate(hits, ["ndcg@5", "ndcg(gain=exp)@5"])
    assert scores["ndcg@5"] == pytest.approx(seen["NDCG:top=5;type=Base"][-1], abs=1e-6)
    assert scores["ndcg(gain=exp)@5"] == pytest.approx(seen["NDCG:top=5;type=Exp"][-1], abs=1e-6)


@pytest.mark.parametrize("loss", ["QueryRMSE", "YetiRank"])
@pytest.mark.parametrize("measure", ["ndcg@5", "frp@10"])
def test_training_reports_the_mean_over_queries_and_keeps_the_best_round(measure, loss):
    (train, *_), (valid, grades, groups) = pool(1), pool(2, queries=20)
    metric = catboost_metric(measure, [train, valid])
    model = catboost.CatBoostRanker(**QUIET | {"loss_function": loss, "iterations": 12}, eval_metric=metric)
    model.fit(train, eval_set=valid)
    name = {"ndcg@5": "ndcg_at_5", "frp@10": "frp_at_10"}[measure]
    values = model.get_evals_result()["validation"][name]
    assert len(model.get_evals_result()["learn"][name]) == len(values) == 12
    best = max(values) if measure == "ndcg@5" else min(values)
    assert model.best_score_["validation"][name] == best
    hits = rankgold.from_arrays(grades, model.predict(valid), groups)
    assert rankgold.evaluate(hits, measure)[measure] == pytest.approx(best, abs=1e-9)


def test_a_metric_can_be_copied_and_pickled_under_its_name():
    metric = catboost_metric("rr", [pool(1, 3)[0]])
    for other in (copy.deepcopy(metric), pickle.loads(pickle.dumps(metric))):
        assert type(other).__name__ == "rr"
        assert other.mean == metric.mean


def test_a_pool_that_the_metric_does_not_know_is_an_error():
    train, valid = pool(1)[0], pool(2)[0]
    model = catboost.CatBoostRanker(**QUIET, eval_metric=catboost_metric("rr", [train]))
    with pytest.raises(catboost.CatBoostError, match="not those of a pool given to catboost_metric"):
        model.fit(train, eval_set=valid)


def test_pools_without_groups_or_with_the_same_labels_are_refused():
    with pytest.raises(rankgold.DataError, match=r"the pool has no groups. Pass group_id="):
        catboost_metric("rr", catboost.Pool(np.eye(3), [0, 1, 0]))
    pools = [catboost.Pool(np.eye(3), [0, 1, 0], group_id=ids) for ids in ([1, 1, 2], [1, 2, 2])]
    with pytest.raises(rankgold.DataError, match="the same labels and different queries"):
        catboost_metric("rr", pools)
