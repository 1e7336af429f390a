"""LightGBM: its ndcg and map of a model's own predictions, which have ties, agree to 1e-9; our metrics within its training."""

import lightgbm
import numpy as np
import pytest

import rankgold
from rankgold.compat.integrations import lightgbm_metric
from tests.peers.collections import SEEDS
from tests.peers.rankers import ranking_data

CUTOFFS = (1, 3, 10)
# LightGBM keeps tied documents in the order of the data, and gives 1 to a query without relevant documents.
POLICY = "ties=input, no_relevant=one"
QUIET = {"objective": "lambdarank", "num_leaves": 5, "verbose": -1, "num_threads": 1}


def train(seed, **options):
    """A model, its predictions, and the metrics of both rounds."""
    features, grades, groups = ranking_data(seed)
    data = lightgbm.Dataset(features, grades, group=groups)
    seen = {}
    parameters = QUIET | {"seed": seed} | options.pop("parameters", {})
    model = lightgbm.train(
        parameters, data, num_boost_round=2, valid_sets=[data], callbacks=[lightgbm.record_evaluation(seen)], **options
    )
    return model.predict(features, raw_score=True), seen["training"], grades, groups


@pytest.mark.parametrize("seed", SEEDS)
def test_the_metrics_of_a_ranker(seed):
    scores, seen, grades, groups = train(seed, parameters={"metric": ["ndcg", "map"], "eval_at": CUTOFFS})
    assert len(np.unique(scores)) < len(scores)
    measures = {f"{theirs}@{k}": f"{ours}@{k}" for k in CUTOFFS for theirs, ours in
                (("ndcg", "ndcg(gain=exp)"), ("map", "ap(norm=min)"))}  # fmt: skip
    ours = rankgold.evaluate(rankgold.from_arrays(grades, scores, groups, policy=POLICY), list(measures.values()))
    for name, measure in measures.items():
        assert ours[measure] == pytest.approx(seen[name][-1], abs=1e-9), measure


def test_the_default_order_of_ties_gives_other_numbers_than_lightgbm():
    scores, seen, grades, groups = train(1, parameters={"metric": "ndcg", "eval_at": [10]})
    hits = rankgold.from_arrays(grades, scores, groups, policy="no_relevant=one")
    assert abs(rankgold.evaluate(hits, "ndcg(gain=exp)@10")["ndcg(gain=exp)@10"] - seen["ndcg@10"][-1]) > 0.001


@pytest.mark.parametrize("seed", SEEDS[:5])
def test_a_measure_within_training_is_that_of_lightgbm_where_both_have_it(seed):
    ours = [lightgbm_metric("ndcg(gain=exp)@10", POLICY), lightgbm_metric("ap(norm=min)@3", POLICY)]
    _, seen, _, _ = train(seed, feval=ours, parameters={"metric": ["ndcg", "map"], "eval_at": [3, 10]})
    assert seen["ndcg_gain_exp_at_10"] == pytest.approx(seen["ndcg@10"], abs=1e-9)
    assert seen["ap_norm_min_at_3"] == pytest.approx(seen["map@3"], abs=1e-9)


def test_a_measure_in_a_list_of_metrics_has_a_name_of_its_own():
    # LightGBM's ndcg@10 has exponential gain and ours linear gain: two columns.
    _, seen, _, _ = train(2, feval=lightgbm_metric("ndcg@10"), parameters={"metric": "ndcg", "eval_at": [10]})
    assert sorted(seen) == ["ndcg@10", "ndcg_at_10"]
    assert len(seen["ndcg_at_10"]) == len(seen["ndcg@10"]) == 2
    assert seen["ndcg_at_10"] != pytest.approx(seen["ndcg@10"], abs=1e-3)


@pytest.mark.parametrize("measure", ["rr", "frp@10"])
def test_the_ranker_of_the_scikit_learn_api_stops_in_the_direction_of_the_measure(measure):
    features, grades, groups = ranking_data(3)
    train, train_grades, train_groups = ranking_data(4)
    ranker = lightgbm.LGBMRanker(n_estimators=30, num_leaves=5, verbose=-1, n_jobs=1, metric="None")
    ranker.fit(
        train, train_grades, group=train_groups, eval_X=features, eval_y=grades, eval_group=[groups],
        eval_metric=lightgbm_metric(measure), callbacks=[lightgbm.early_stopping(3, verbose=False)],
    )  # fmt: skip
    (values,) = ranker.evals_result_["valid_0"].values()
    name = {"rr": "rr", "frp@10": "frp_at_10"}[measure]
    assert list(ranker.evals_result_["valid_0"]) == [name]
    best = max(values) if measure == "rr" else min(values)
    assert ranker.best_score_["valid_0"][name] == best
    predicted = ranker.predict(features, num_iteration=ranker.best_iteration_)
    hits = rankgold.from_arrays(grades, predicted, groups)
    assert rankgold.evaluate(hits, measure)[measure] == pytest.approx(best, abs=1e-12)


def test_data_without_groups_are_refused():
    data = lightgbm.Dataset(np.eye(4), [0, 1, 0, 1], params={"verbose": -1})
    with pytest.raises(rankgold.DataError, match=r"have no groups. Pass group="):
        lightgbm.train(
            {"objective": "regression", "verbose": -1, "num_threads": 1}, data, 1, valid_sets=[data],
            feval=lightgbm_metric("rr"),
        )  # fmt: skip
