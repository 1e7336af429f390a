"""Results and measures are pickled and copied: they travel between processes, and are the same there."""

import copy
import pickle

import pytest

import rankgold
from rankgold.data.files import sample
from tests.cases import for_each

QRELS, RUN, OTHER = sample("qrels.txt"), sample("bm25.trec"), sample("expanded.trec")
RUNS = {"bm25": RUN, "expanded": OTHER}
RESULTS = {
    "scores": lambda: rankgold.evaluate(QRELS, RUNS, ["ndcg@10", "gmap", "num_rel"]),
    "hits": lambda: rankgold.match(QRELS, RUN),
    "comparison": lambda: rankgold.compare(QRELS, RUNS, ["ap"], test=rankgold.Randomization(draws=50)),
    "diff": lambda: rankgold.diff(QRELS, RUN, OTHER, "ap"),
    "explanation": lambda: rankgold.explain(QRELS, RUN, measure="ap", query="q18"),
    "diagnosis": lambda: rankgold.doctor(QRELS, RUN),
    "reconciliation": lambda: rankgold.reconcile(QRELS, RUN, "ap@5", 0.5),
    "bounds": lambda: rankgold.bounds(QRELS, RUN, ["ndcg@10"]),
    "similarity": lambda: rankgold.similarity(RUN, OTHER, ["rbo", "overlap@10"]),
    "exposure": lambda: rankgold.exposure(RUN, ["gini@10", "fill@10"], items=["coffee-01", "coffee-02"]),
    "policy": lambda: rankgold.Policy.of("trec_eval, ties=average"),
}


@for_each("copied", [lambda result: pickle.loads(pickle.dumps(result)), copy.copy, copy.deepcopy])
@for_each("result", RESULTS)
def test_a_pickled_or_copied_result_shows_the_same(result, copied):
    made = RESULTS[result]()
    again = copied(made)
    assert type(again) is type(made)
    assert repr(again) == repr(made)
    if hasattr(made, "to_json"):
        assert again.to_json() == made.to_json()


@pytest.mark.parametrize("family", [rankgold.measures, rankgold.similarities, rankgold.exposures])
def test_every_measure_can_be_pickled(family):
    for metric in family.all():
        assert pickle.loads(pickle.dumps(metric())) == metric()
