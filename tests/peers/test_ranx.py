"""ranx, query by query: numbers agree to 1e-9."""

from math import isnan

import pytest
from ranx import Qrels, Run, evaluate

import rankgold
from tests.peers.collections import all_collections, values

# ranx is compiled by Numba, which warns of its own casts.
pytestmark = pytest.mark.filterwarnings("ignore:unsafe cast from uint64 to int64")

SAME = {
    "hits": "hits",
    "hits@3": "hits@3",
    "hit_rate": "hit",
    "hit_rate@3": "hit@3",
    "precision": "p",
    "precision@5": "p@5",
    "recall": "r",
    "recall@10": "r@10",
    "recall@10-l2": "r(rel=2)@10",
    "f1": "f",
    "f1@5": "f@5",
    "r-precision": "rprec",
    "mrr": "rr",
    "mrr@5": "rr@5",
    "mrr-l2": "rr(rel=2)",
    "map": "ap",
    "map@10": "ap@10",
    "map-l2": "ap(rel=2)",
    "dcg": "dcg",
    "dcg@10": "dcg@10",
    "dcg_burges@10": "dcg(gain=exp)@10",
    "ndcg": "ndcg",
    "ndcg@10": "ndcg@10",
    "ndcg_burges": "ndcg(gain=exp)",
    "ndcg_burges@10": "ndcg(gain=exp)@10",
}


def compared(qrels, run, same):
    """The values of each measure, there and here. ranx has an order of its own for tied documents, which we take over."""
    theirs = Run({query: dict(row) for query, row in run.items()})
    evaluate(Qrels(qrels), theirs, list(same), make_comparable=True)
    in_its_order = {query: dict(row) for query, row in theirs.run.items() if query in run}
    ours = rankgold.evaluate(qrels, in_its_order, list(same.values()), policy="ties=input")
    for name, measure in same.items():
        yield measure, dict(theirs.scores[name]), values(ours, measure)


def test_every_query_scores_as_in_ranx():
    for measure, theirs, ours in compared(*all_collections(), SAME):
        assert ours == pytest.approx(theirs, abs=1e-9), measure


def test_rank_biased_precision_is_the_same_for_relevant_or_not():
    qrels, run = all_collections()
    binary = {query: {document: min(grade, 1) for document, grade in row.items()} for query, row in qrels.items()}
    for measure, theirs, ours in compared(binary, run, {"rbp.80": "rbp", "rbp.95": "rbp.95"}):
        assert ours == pytest.approx(theirs, abs=1e-9), measure


def test_binary_preference_is_the_same_where_some_are_judged_relevant_and_others_not():
    qrels, run = all_collections()
    judged = {query: {d: grade for d, grade in row.items() if grade >= 0} for query, row in qrels.items()}
    both = {query: row for query, row in judged.items() if min(row.values()) == 0 < max(row.values())}
    assert len(both) > 500
    ((_, theirs, ours),) = compared(both, run, {"bpref": "bpref"})
    assert ours == pytest.approx(theirs, abs=1e-9)


def of_one_query(grades, scores, name, measure):
    ((_, theirs, ours),) = compared({"q": grades}, {"q": scores}, {name: measure})
    return theirs["q"], ours["q"]


# What ranx does and we do not: docs/other-tools.md has these examples.


def test_its_rank_biased_precision_multiplies_by_the_grade():
    theirs, ours = of_one_query({"a": 3}, {"a": 1.0}, "rbp.80", "rbp.80")
    assert (theirs, ours) == (pytest.approx(0.6), pytest.approx(0.2))


def test_its_binary_preference_divides_by_zero_where_none_is_judged_not_relevant():
    theirs, ours = of_one_query({"a": 1}, {"a": 1.0}, "bpref", "bpref")
    assert isnan(theirs)
    assert ours == 1


def test_its_binary_preference_takes_a_negative_grade_as_judged():
    theirs, ours = of_one_query({"a": 1, "b": -1}, {"b": 2.0, "a": 1.0}, "bpref", "bpref")
    assert (theirs, ours) == (0, 1)


def test_its_order_of_tied_documents_is_not_that_of_the_input():
    # With up to 15 documents its sort is stable, with more it is not.
    scores = {f"d{i}": 1.0 for i in range(40)}
    theirs = Run({"q": dict(scores)})
    theirs.sort()
    assert list(theirs.run["q"]) != list(scores)
