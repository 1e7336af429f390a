"""XGBoost: its metrics of a model's own predictions, which have ties, agree to 1e-6; our metrics within its training."""

import numpy as np
import pytest
import xgboost

import rankgold
from rankgold.compat.integrations import xgboost_metric
from tests.peers.collections import SEEDS
from tests.peers.rankers import ids_of, ranking_data

QUIET = {"objective": "rank:ndcg", "max_depth": 2, "nthread": 1, "verbosity": 0}
# XGBoost keeps six decimals of a metric. It keeps tied documents in the order of the data, and gives 1 to a query without relevant documents; a minus after
# the metric gives it 0.
ONE, ZERO = "ties=input, no_relevant=one", "ties=input"
GRADED = {
    "ndcg@5": ("ndcg(gain=exp)@5", ONE),
    "ndcg@5-": ("ndcg(gain=exp)@5", ZERO),
    "ndcg": ("ndcg(gain=exp)@32", ONE),
}
BINARY = {
    "map@5": ("ap(norm=min)@5", ONE),
    "map@5-": ("ap(norm=min)@5", ZERO),
    "map": ("ap(norm=min)@32", ONE),
    "pre@5": ("p(norm=returned)@5", ZERO),
}


def train(features, grades, groups, **options):
    """The predictions of a model, and the metrics of its three rounds."""
    data = xgboost.DMatrix(features, grades, qid=ids_of(groups))
    seen = {}
    parameters = QUIET | options.pop("parameters", {})
    model = xgboost.train(
        parameters, data, 3, evals=[(data, "train")], evals_result=seen, verbose_eval=False, **options
    )
    return model.predict(data), seen["train"]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("same", [GRADED, BINARY], ids=["graded", "binary"])
def test_the_metrics_of_a_ranker(same, seed):
    features, grades, groups = ranking_data(seed)
    if same is BINARY:
        grades = (grades > 0).astype(int)
    scores, seen = train(features, grades, groups, parameters={"eval_metric": list(same)})
    assert len(np.unique(scores)) < len(scores)
    for name, (measure, policy) in same.items():
        hits = rankgold.from_arrays(grades, scores, groups, policy=policy)
        assert rankgold.evaluate(hits, measure)[measure] == pytest.approx(seen[name][-1], abs=1e-6), name


@pytest.mark.parametrize("seed", SEEDS[:5])
def test_a_measure_within_training_is_that_of_xgboost_where_both_have_it(seed):
    ours = xgboost_metric("ndcg(gain=exp)@5", ONE)
    _, seen = train(*ranking_data(seed), custom_metric=ours, parameters={"eval_metric": "ndcg@5"})
    assert seen["ndcg_gain_exp_at_5"] == pytest.approx(seen["ndcg@5"], abs=1e-6)


@pytest.mark.parametrize("measure", ["rr", "frp@10"])
def test_training_stops_in_the_direction_of_the_measure(measure):
    metric = xgboost_metric(measure)
    stopping = xgboost.callback.EarlyStopping(
        rounds=2, metric_name=metric.__name__, data_name="train", maximize=metric.higher_is_better
    )
    features, grades, groups = ranking_data(3)
    data = xgboost.DMatrix(features, grades, qid=ids_of(groups))
    seen = {}
    model = xgboost.train(
        QUIET | {"disable_default_eval_metric": True}, data, 20, evals=[(data, "train")], evals_result=seen,
        custom_metric=metric, callbacks=[stopping], verbose_eval=False,
    )  # fmt: skip
    (values,) = seen["train"].values()
    best = max(values) if measure == "rr" else min(values)
    assert model.best_score == best
    predicted = model.predict(data, iteration_range=(0, model.best_iteration + 1))
    hits = rankgold.from_arrays(grades, predicted, groups)
    assert rankgold.evaluate(hits, measure)[measure] == pytest.approx(best, abs=1e-6)


@pytest.mark.parametrize("seed", SEEDS[:3])
def test_the_ranker_of_the_scikit_learn_api_averages_by_documents(seed):
    features, grades, groups = ranking_data(seed)
    ranker = xgboost.XGBRanker(n_estimators=2, max_depth=2, n_jobs=1, eval_metric=xgboost_metric("ndcg@5"))
    ranker.fit(
        features, grades, qid=ids_of(groups), eval_set=[(features, grades)], eval_qid=[ids_of(groups)], verbose=False
    )
    values = ranker.evals_result()["validation_0"]["ndcg_at_5"]
    hits = rankgold.from_arrays(grades, ranker.predict(features), groups)
    per_query = rankgold.evaluate(hits, "ndcg@5").values("ndcg@5")
    per_query[groups == 1] = 1.0
    assert values[-1] == pytest.approx(np.average(per_query, weights=groups), abs=1e-6)


def test_queries_of_one_size_have_the_same_mean_in_the_ranker():
    random = np.random.default_rng(5)
    features, grades, ids = random.random((60, 3)), random.integers(0, 3, 60), np.repeat(np.arange(6), 10)
    ranker = xgboost.XGBRanker(n_estimators=1, max_depth=2, n_jobs=1, eval_metric=xgboost_metric("rr"))
    ranker.fit(features, grades, qid=ids, eval_set=[(features, grades)], eval_qid=[ids], verbose=False)
    hits = rankgold.from_arrays(grades, ranker.predict(features), groups=[10] * 6)
    assert ranker.evals_result()["validation_0"]["rr"][-1] == pytest.approx(
        rankgold.evaluate(hits, "rr")["rr"], abs=1e-6
    )


def test_data_without_groups_are_refused():
    data = xgboost.DMatrix(np.eye(4), [0, 1, 0, 1])
    with pytest.raises(rankgold.DataError, match=r"have no groups. Pass qid="):
        xgboost.train(
            {"verbosity": 0, "nthread": 1}, data, 1, evals=[(data, "train")], custom_metric=xgboost_metric("rr")
        )
