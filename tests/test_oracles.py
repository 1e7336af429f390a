"""Trusted values from outside: the worked examples of the seed documents, Hivemall's, scikit-learn's and SciPy's."""

import json
from pathlib import Path

import numpy as np
import pytest

import rankgold
from tests.cases import for_each

FACTS = [
    fact
    for name in ("seeds", "hivemall", "sklearn")
    for fact in json.loads((Path(__file__).parent / "oracles" / f"{name}.json").read_text(encoding="utf-8"))
]

_LOG2 = "discount=log2(i+1)"
_LRAP = ("ap", "ties=average, no_relevant=one")  # without ties it is average precision

# (metric, convention) of a fact -> the measure without its cutoff, and the policy, where it is not the default
MEASURES = {
    ("precision", "denom=k"): ("p", None),
    ("precision", "denom=returned"): ("p(norm=returned)", None),
    ("precision", "denom=returned; empty=1"): ("p(norm=returned)", "no_relevant=one"),
    ("recall", "denom=relevant"): ("r", None),
    ("recall", "denom=relevant; empty=0"): ("r", None),
    ("recall", "denom=relevant; empty=1"): ("r", "no_relevant=one"),
    ("recall", "denom=relevant; duplicates=counted"): ("r", None),
    ("f_measure", "beta=1; denom=k"): ("f", None),
    ("set_f_measure_micro", "beta=1; average=micro"): ("f", None),
    ("set_f_measure_micro", "beta=2; average=micro"): ("f(beta=2)", None),
    ("binary_f_measure", "beta=1; average=binary"): ("f", None),
    ("binary_f_measure", "beta=2; average=binary"): ("f(beta=2)", None),
    ("hit", ""): ("hit", None),
    ("reciprocal_rank", "missing=0"): ("rr", None),
    ("first_relevant_position", "missing=k+1"): ("frp", None),
    ("mean_rank", "over=relevant items found"): ("mr", None),
    ("mean_rank", "over=relevant items found in top k"): ("mr", None),
    ("average_precision", "denom=relevant"): ("ap", None),
    ("average_precision", "denom=retrieved"): ("ap(norm=retrieved)", None),
    ("average_precision", "denom=min(k,relevant)"): ("ap(norm=min)", None),
    ("average_precision_score", "step AP over score thresholds"): ("ap", None),
    ("average_recall", "denom=retrieved"): ("ar", None),
    ("lrap", "ties=max rank"): _LRAP,
    ("lrap", "ties=max rank; no_or_all_relevant=1"): _LRAP,
    ("cg", ""): ("cg", None),
    ("dcg", f"gain=linear; {_LOG2}"): ("dcg", None),
    ("dcg", f"gain=exp; {_LOG2}"): ("dcg(gain=exp)", None),
    ("dcg", "gain=linear; discount=jk2002"): ("dcg(discount=jk)", None),
    ("dcg", f"gain=linear; {_LOG2}; ties=averaged"): ("dcg", "ties=average"),
    ("dcg", f"gain=linear; {_LOG2}; ties=ignored"): ("dcg", None),
    ("dcg", "gain=linear; discount=log10(i+1); log_base=10; ties=averaged"): ("dcg(discount=log(10))", "ties=average"),
    ("idcg", f"gain=linear; {_LOG2}"): ("idcg", None),
    ("ndcg", f"gain=linear; {_LOG2}; ideal=retrieved"): ("ndcg(ideal=retrieved)", None),
    ("ndcg", f"gain=exp; {_LOG2}; ideal=retrieved"): ("ndcg(gain=exp, ideal=retrieved)", None),
    ("ndcg", "gain=linear; discount=ln(i+1); ideal=retrieved"): ("ndcg(discount=log(e), ideal=retrieved)", None),
    ("ndcg", "gain=linear; discount=jk2002; ideal=retrieved"): ("ndcg(discount=jk, ideal=retrieved)", None),
    ("ndcg", f"gain=linear; {_LOG2}; ideal=judged"): ("ndcg", None),
    ("ndcg", f"gain=exp; {_LOG2}; ideal=judged"): ("ndcg(gain=exp)", None),
    ("ndcg", f"gain=exp; {_LOG2}; ideal=judged (as given, first k)"): ("ndcg(gain=exp)", None),
    ("ndcg", f"gain=binary; {_LOG2}; ideal=min(relevant,k,list)"): ("ndcg(gain=binary)", None),
    ("ndcg", f"gain=linear; {_LOG2}; ideal=k_ones"): ("ndcg(ideal=ones)", None),
    ("ndcg", f"gain=linear; {_LOG2}; ideal=judged; ties=averaged"): ("ndcg", "ties=average"),
    ("ndcg", f"gain=linear; {_LOG2}; ideal=judged; ties=ignored"): ("ndcg", None),
    ("err", "max_grade=3"): ("err(max=3)", None),
    ("err", "max_grade=4"): ("err(max=4)", None),
    ("auc", "negatives=k; undefined=0.5"): ("auc", None),
    ("roc_auc", "ties=half"): ("auc", "ties=average"),
    ("top_k_accuracy", "ties=highest label index first"): ("hit", None),
    ("spearman", "ties=average ranks"): ("spearman", None),
    ("kendall_tau_b", "ties=tau-b"): ("kendall", None),
}

# A fact's id, or its (metric, convention) -> why rankgold does not give this value
OUT_OF_SCOPE = {
    "hivemall.auc.allTP": "a list of relevant documents only has no pairs: undefined here, 0.5 in Hivemall",
    "hivemall.auc.allFP": "a list without relevant documents has no pairs: undefined here, 0.5 in Hivemall",
    "hivemall.auc.klong": "Hivemall takes a list shorter than k for one filled up with non-relevant documents",
    "hivemall.ndcg.shortlist": "Hivemall's ideal ranking is no longer than the list; ours holds all judged documents",
    "hivemall.recall.dup": "Hivemall counts a document twice; here a duplicate is an error, or counts once",
    "sklearn.lrap.7": "tied documents: LRAP puts each at the last rank of its group",
    "sklearn.lrap.9": "tied documents: LRAP puts each at the last rank of its group",
    "sklearn.lrap.10": "tied documents: LRAP puts each at the last rank of its group",
    "sklearn.lrap.11": "tied documents: LRAP puts each at the last rank of its group",
    "sklearn.lrap.12": "tied documents: LRAP puts each at the last rank of its group",
    "sklearn.lrap.weighted": "queries have no weights",
    ("binary_f_measure", "beta=1; average=micro"): "counts true negatives: accuracy, not a measure of a ranking",
    ("each_top_k_rank", "rank=dense over kept rows; k=2; order=desc"): "a rank, not a measure",
    (
        "coverage_error",
        "ties=max rank; none=0",
    ): "the rank of the last relevant document is not a measure of rankgold yet",
    ("ranking_loss", "ties=counted as wrong; undefined=0"): "counts tied pairs as wrong; auc counts half of them",
    ("top_k_accuracy", "ties=highest label index first; normalize=False"): "a sum over queries, not a mean",
    ("weighted_tau", "hyperbolic additive; rank=True"): "weighted tau is not a measure of rankgold yet",
    ("weighted_tau", "hyperbolic multiplicative; rank=True"): "weighted tau is not a measure of rankgold yet",
}


def pair(fact):
    return fact["metric"], fact["convention"]


def is_out_of_scope(fact):
    return fact["id"] in OUT_OF_SCOPE or pair(fact) in OUT_OF_SCOPE


def hits_of(given, metric, policy):
    """The Hits of what a fact gives as its input."""
    queries = given.get("queries", [given])
    if metric == "top_k_accuracy":  # the right class is the only relevant document of its query
        return rankgold.from_arrays(np.eye(len(given["y_score"][0]))[given["y_true"]], given["y_score"], policy=policy)
    if "y_score" in given:
        return rankgold.from_arrays(given["y_true"], given["y_score"], policy=policy)
    if "x" in given:
        return rankgold.from_arrays(given["x"], given["y"], policy=policy)
    if "y_pred" in given:  # what is predicted to be positive was returned
        returned, relevant = np.flatnonzero(given["y_pred"]), np.flatnonzero(given["y_true"])
        return rankgold.from_lists([returned], [relevant], policy=policy)
    if "predicted" in given:  # a micro average is the value of all queries thrown together
        return rankgold.from_lists(
            [thrown_together(given["predicted"])], [thrown_together(given["actual"])], policy=policy
        )
    if given.get("ranked") == []:  # lists of ids need an id to match; a list without documents has no grades either
        return rankgold.from_labels([[]], policy=policy)
    if "ranked" in given:
        return rankgold.from_lists([given["ranked"]], [given["relevant"]], policy=policy)
    labels = [query["rels"] for query in queries]
    if "ideal" in given:
        return rankgold.from_labels(labels, ideal=[given["ideal"]], policy=policy)
    return rankgold.from_labels(labels, [query.get("n_relevant") for query in queries], policy=policy)


def thrown_together(lists):
    return [f"{query}: {label}" for query, labels in enumerate(lists) for label in labels]


def value_of(fact):
    measure, policy = MEASURES[pair(fact)]
    cutoff = f"@{fact['input']['k']}" if "k" in fact["input"] else ""
    return rankgold.evaluate(hits_of(fact["input"], fact["metric"], policy), [measure + cutoff])[measure + cutoff]


@for_each("fact", [fact for fact in FACTS if not is_out_of_scope(fact)], ids=lambda fact: fact["id"])
def test_the_value_is_the_trusted_one(fact):
    assert value_of(fact) == pytest.approx(fact["expected"], rel=0, abs=max(fact["tolerance"], 1e-15))


def test_every_fact_is_run_or_has_a_reason_not_to_be():
    assert len({fact["id"] for fact in FACTS}) == len(FACTS)
    assert [fact["id"] for fact in FACTS if pair(fact) not in MEASURES and not is_out_of_scope(fact)] == []


def test_every_reason_and_every_convention_is_that_of_a_fact():
    known = {fact["id"] for fact in FACTS} | {pair(fact) for fact in FACTS}
    assert [key for key in (*OUT_OF_SCOPE, *MEASURES) if key not in known] == []
    assert OUT_OF_SCOPE.keys().isdisjoint(MEASURES)


@for_each("fact", [fact for fact in FACTS if fact["id"] in OUT_OF_SCOPE], ids=lambda fact: fact["id"])
def test_a_fact_that_is_left_out_by_its_id_could_not_have_been_run(fact):
    try:
        value = value_of(fact)
    except rankgold.DataError:
        return
    assert value != pytest.approx(fact["expected"], rel=0, abs=fact["tolerance"])
