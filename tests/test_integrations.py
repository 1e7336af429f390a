"""What the integrations compute and refuse, without the libraries that they are for: tests/peers has those."""

import math
import pickle
import sys

import numpy as np
import pandas as pd
import pytest

import rankgold
from rankgold.compat.integrations import (
    BatchMetrics,
    QueryMean,
    catboost_metric,
    lightgbm_metric,
    scikit_learn_scorer,
    xgboost_metric,
)
from tests.cases import for_each

# Query 7: the relevant document stands second; query 8: first. RR is (1/2 + 1) / 2.
GRADES, SCORES, QUERIES = [0, 1, 1, 0], [0.3, 0.2, 0.9, 0.1], [7, 7, 8, 8]


@pytest.mark.parametrize("order", [[0, 1, 2, 3], [3, 1, 0, 2], [2, 0, 3, 1]])
def test_the_documents_of_a_query_need_not_stand_together(order):
    parts = [[column[i] for i in order] for column in (GRADES, SCORES, QUERIES)]
    assert QueryMean("rr")(parts[0], parts[1], qid=parts[2]) == 0.75
    assert QueryMean("rr")(pd.Series(parts[0], index=parts[2]), np.array(parts[1])) == 0.75
    assert QueryMean("rr")(parts[0], parts[1], qid=[f"q{query}" for query in parts[2]]) == 0.75


def test_tied_documents_keep_their_order_when_queries_are_put_together():
    # Of query 1 the relevant document comes first in the input, of query 2 last: RR (1 + 1/2) / 2 with ties=input.
    mean = QueryMean("rr", "ties=input")
    assert mean([1, 0, 0, 1], [0.5, 0.5, 0.5, 0.5], qid=[1, 2, 1, 2]) == 0.75


def test_a_function_knows_its_name_and_direction_and_can_be_pickled():
    mean = pickle.loads(pickle.dumps(QueryMean(rankgold.measures.frp(rel=2) @ 5, "no_relevant=skip")))
    assert (mean.__name__, mean.higher_is_better) == ("frp_rel_2_at_5", False)
    assert mean.policy == rankgold.Policy(no_relevant="skip")
    assert QueryMean("MRR@10").__name__ == "MRR_at_10"


@for_each(
    ("call", "message"),
    [
        (lambda: QueryMean("rr")(GRADES, SCORES), "which document belongs to which query"),
        (lambda: QueryMean("rr")(pd.Series(GRADES), SCORES), "which document belongs to which query"),
        (lambda: QueryMean("rr")(GRADES, SCORES, qid=["a", "a", None, "b"]), "qid has no id for document 2"),
        (lambda: QueryMean("rr")(GRADES, SCORES, qid=[1.0, 1.0, math.nan, 2.0]), "an id in qid is .*nan"),
        (lambda: QueryMean("rr")(GRADES, SCORES, qid=[True, True, False, False]), "an id in qid is .*True"),
        (lambda: QueryMean("rr")(GRADES, SCORES, qid=[1, 2]), "qid has 2 ids for 4 documents"),
        (lambda: QueryMean("rr")(GRADES, np.ones((4, 3)), qid=QUERIES), "one number for each document"),
    ],
)
def test_what_has_no_meaning_is_refused(call, message):
    with pytest.raises(rankgold.DataError, match=message):
        call()


def test_a_mistyped_measure_or_policy_is_an_error_before_training():
    for make in (QueryMean, lightgbm_metric, xgboost_metric):
        with pytest.raises(rankgold.MeasureError, match="Did you mean 'ndcg'"):
            make("ndgc@10")
        with pytest.raises(rankgold.PolicyError, match="No policy is called 'trec'"):
            make("ndcg@10", "trec")


class Data:
    """What LightGBM and XGBoost pass to a metric."""

    def __init__(self, groups):
        self.groups = groups

    def get_label(self):
        return np.array(GRADES, dtype=np.float32)

    def get_group(self):
        return self.groups


def test_lightgbm_gets_name_value_and_direction_from_both_of_its_interfaces():
    assert lightgbm_metric("rr@2")(np.array(SCORES), Data([2, 2])) == ("rr_at_2", 0.75, True)
    assert lightgbm_metric("frp@2")(np.array(GRADES), np.array(SCORES), None, [2, 2]) == ("frp_at_2", 1.5, False)
    with pytest.raises(rankgold.DataError, match=r"no groups. Pass group="):
        lightgbm_metric("rr")(np.array(SCORES), Data(None))


def test_xgboost_gets_name_and_value_and_one_query_at_a_time_from_its_ranker():
    metric = xgboost_metric("frp@2")
    assert metric(np.array(SCORES), Data(np.array([2, 2]))) == ("frp_at_2", 1.5)
    assert metric(np.array(GRADES[:2]), np.array(SCORES[:2])) == 2.0
    assert (metric.__name__, metric.higher_is_better) == ("frp_at_2", False)
    with pytest.raises(rankgold.DataError, match=r"no groups. Pass qid="):
        metric(np.array(SCORES), Data(np.array([])))


class Pool(Data):
    """What CatBoost has for data: a hash of the query of each document."""

    def get_group_id_hash(self):
        return self.groups


def test_catboost_recognises_a_pool_by_its_labels():
    metric = catboost_metric("rr", Pool(QUERIES))
    assert metric.evaluate([np.array(SCORES)], np.array(GRADES, dtype=np.float32), None) == (0.75, 1.0)
    assert (metric.get_final_error(0.75, 1.0), metric.is_max_optimal(), type(metric).__name__) == (0.75, True, "rr")
    with pytest.raises(rankgold.DataError, match="3 documents that are not those of a pool"):
        metric.evaluate([np.array(SCORES[:3])], np.array(GRADES[:3]), None)


def test_batches_are_rows_of_queries_or_flat_with_the_query_of_each_document():
    metrics = BatchMetrics(["rr", "p@1"])
    metrics.update([[0.3, 0.2], [0.9, 0.1]], [[0, 1], [1, 0]])
    assert metrics.compute() == {"rr": 0.75, "p_at_1": 0.5}
    metrics.reset()
    metrics.update([SCORES[i] for i in (2, 0, 3, 1)], [GRADES[i] for i in (2, 0, 3, 1)], indexes=[8, 7, 8, 7])
    assert metrics.compute() == {"rr": 0.75, "p_at_1": 0.5}


def test_a_query_in_two_batches_is_an_error_and_changes_nothing():
    metrics, other = BatchMetrics("rr"), BatchMetrics("rr")
    for part in (metrics, other):
        part.update([0.3, 0.2], [0, 1], indexes=[7, 7])
    with pytest.raises(rankgold.DataError, match="in an earlier batch: 7"):
        metrics.update([0.9, 0.8], [1, 1], indexes=[6, 7])
    with pytest.raises(rankgold.DataError, match="both have these queries: 7"):
        metrics.merge(other)
    assert metrics.compute() == {"rr": 0.5}
    metrics.reset()
    metrics.update([0.9, 0.8], [1, 1], indexes=[6, 7])
    assert metrics.compute() == {"rr": 1.0}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({}, "preds are flat. Pass indexes="),
        ({"indexes": [7, 7], "mask": [1, 0]}, "mask needs a query in each row"),
    ],
)
def test_batches_that_are_not_clear_are_refused(options, message):
    with pytest.raises(rankgold.DataError, match=message):
        BatchMetrics("rr").update([0.3, 0.2], [0, 1], **options)


def test_nothing_to_compute_is_an_error():
    with pytest.raises(rankgold.DataError, match="no query was added yet"):
        BatchMetrics("rr").compute()


def test_scikit_learn_that_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "sklearn", None)
    with pytest.raises(rankgold.MissingDependency, match="pip install scikit-learn"):
        scikit_learn_scorer("rr")
