"""Keys for experiment trackers: what they look like, and that no value is lost."""

import math
import re

import rankgold
from rankgold.scoring.run_scores import distinct_keys, metric_key
from tests.all_measures import measures
from tests.cases import for_each

QRELS, RUN = {"q1": {"a": 1, "b": 2}}, {"q1": {"a": 2.0, "b": 1.0}}


@for_each(
    ("text", "key"),
    [
        ("ndcg@10", "ndcg_at_10"),
        ("P_5", "P_5"),
        ("ap", "ap"),
        ("f(beta=0.5, rel=2)@10", "f_beta_0_5_rel_2_at_10"),
        ("ndcg(discount=log(2))", "ndcg_discount_log_2"),
        ("2024/best run.v2", "_2024_best_run_v2"),
        ("поиск", "_"),
    ],
)
def test_a_key_has_letters_digits_and_underscores_only(text, key):
    assert metric_key(text) == key


def test_keys_that_would_be_the_same_get_a_number():
    assert list(distinct_keys(["a+b", "a b", "a_b_2", "a.b"]).values()) == ["a_b", "a_b_2", "a_b_2_2", "a_b_3"]


def test_one_run_has_the_names_of_measures_and_several_have_theirs_before():
    # The relevant b stands second: RR 1/1 for a of grade 1; of grade 2 or more 1/2.
    labels = ["rr", "rr(rel=2)"]
    assert rankgold.evaluate(QRELS, RUN, labels).to_metrics() == {"rr": 1.0, "rr_rel_2": 0.5}
    several = rankgold.evaluate(QRELS, {"BM25 (k1=0.9)": RUN, "x": {"q1": {"b": 1.0}}}, labels).to_metrics()
    assert several == {"BM25_k1_0_9/rr": 1.0, "BM25_k1_0_9/rr_rel_2": 0.5, "x/rr": 1.0, "x/rr_rel_2": 1.0}


def test_an_undefined_mean_is_nan_and_every_measure_has_a_key_of_its_own():
    assert math.isnan(rankgold.evaluate({"q": {"a": 1}}, {"q": {"b": 1.0}}, ["mr"]).to_metrics()["mr"])
    scores = rankgold.evaluate(QRELS, RUN, measures([10]))
    assert len(scores.to_metrics()) == len(scores.measures)
    assert all(re.fullmatch(r"[A-Za-z]\w*", key) for key in scores.to_metrics())
