"""LightGBM's ndcg and map of a model's own predictions, which have ties: numbers agree to 1e-9."""

import lightgbm
import numpy as np
import pytest

import rankgold
from tests.peers.collections import SEEDS

CUTOFFS = (1, 3, 10)
# LightGBM keeps tied documents in the order of the data, and gives 1 to a query without relevant documents.
POLICY = "ties=input, no_relevant=one"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_metrics_of_a_ranker(seed):
    random = np.random.default_rng(seed)
    groups = random.integers(1, 40, 50)
    features = random.integers(0, 6, (groups.sum(), 3)).astype(float)
    grades = np.clip(features[:, 0] + random.integers(-4, 2, groups.sum()), 0, 4).astype(int)
    grades[: groups[0]] = 0
    data = lightgbm.Dataset(features, grades, group=groups)
    seen = {}
    model = lightgbm.train(
        {"objective": "lambdarank", "metric": ["ndcg", "map"], "eval_at": CUTOFFS, "num_leaves": 5, "verbose": -1,
         "num_threads": 1, "seed": seed},
        data, num_boost_round=2, valid_sets=[data], callbacks=[lightgbm.record_evaluation(seen)],
    )  # fmt: skip
    scores = model.predict(features, raw_score=True)
    assert len(np.unique(scores)) < len(scores)
    measures = {f"{theirs}@{k}": f"{ours}@{k}" for k in CUTOFFS for theirs, ours in
                (("ndcg", "ndcg(gain=exp)"), ("map", "ap(norm=min)"))}  # fmt: skip
    ours = rankgold.evaluate(rankgold.from_arrays(grades, scores, groups, policy=POLICY), list(measures.values()))
    for name, measure in measures.items():
        assert ours[measure] == pytest.approx(seen["training"][name][-1], abs=1e-9), measure
