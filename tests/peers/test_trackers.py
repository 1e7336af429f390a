"""The keys of experiment trackers: MLflow takes the name of every measure and of any run."""

import pytest
from mlflow.utils import validation

import rankgold
from tests.all_measures import measures

RUNS = ["bm25", "BM25+RM3 (k1=0.9, b=0.4)", "../run", "a//b", "поиск", "  ", "2024/best.run"]


def test_mlflow_takes_every_key():
    run = {"q": {"a": 2.0, "b": 1.0}}
    scores = rankgold.evaluate({"q": {"a": 1, "b": 2}}, dict.fromkeys(RUNS, run), measures([10]))
    metrics = scores.to_metrics()
    assert len(metrics) == len(RUNS) * len(scores.measures)
    for key, value in metrics.items():
        validation._validate_metric(key, value, 0, 0)


@pytest.mark.parametrize("text", ["ndcg@10", "ndcg(gain=exp)@10"])
def test_mlflow_does_not_take_the_text_of_a_measure(text):
    with pytest.raises(Exception, match="Invalid value"):
        validation._validate_metric(text, 0.5, 0, 0)
