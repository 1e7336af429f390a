"""Tied documents averaged over their orders: the value is the mean over all orders, written out one by one."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from tests.collections import examples

# Norms that do not depend on the order of the documents, at cutoffs that fall inside tied groups.
AT_CUTOFFS = [
    "p", "p(norm=returned)", "p(norm=min)", "r", "r(norm=min)", "f", "f(beta=2, rel=2)", "f(norm=returned)", "hit",
    "hit(rel=2)", "ap", "ap(rel=2)", "ap(norm=min)", "ap(norm=k)", "ap(norm=returned)", "gap", "gap(thresholds=(1, 3))",
    "rr", "rr(rel=2)", "err", "err(max=5)", "err(stop=sigmoid(2, 1.5))", "err(stop=identity)", "frp", "frp(rel=2)",
    "frp(miss=20)", "mr(miss=last)", "cg", "cg(gain=exp)", "dcg", "dcg(gain=exp, discount=jk)", "idcg", "ndcg",
    "ndcg(gain=exp)", "ndcg(discount=zipf(1, 0.5))", "ndcg(ideal=retrieved)", "ndcg(ideal=ones)",
]  # fmt: skip
# These divide by what is found, which at a cutoff depends on the order, and over the whole list does not.
WITHOUT_CUTOFF = [
    *AT_CUTOFFS,
    "rprec",
    "rprec(rel=2)",
    "ap(norm=retrieved)",
    "ar",
    "auc",
    "auc(pairs=all)",
    "mr",
    "mr(rel=2)",
]
MEASURES = [*WITHOUT_CUTOFF, *(f"{measure}@{k}" for measure in AT_CUTOFFS for k in (1, 2, 3, 4, 8))]

GROUPS = st.lists(st.lists(st.integers(-1, 3), min_size=1, max_size=4), min_size=1, max_size=4).filter(
    lambda groups: sum(map(len, groups)) <= 6
)
MISSED = st.lists(st.integers(0, 3), max_size=2)


def orders(groups):
    """Every ranking that breaks the ties in some way."""
    return [sum(choice, ()) for choice in product(*(list(permutations(group)) for group in groups))]


def mean_over_orders(groups, missed):
    """Measure -> the mean of its values over all orders; NaN where one of them is undefined."""
    labels = orders(groups)
    hits = rankgold.from_labels(labels, ideal=[(*labels[0], *missed)] * len(labels))
    frame = rankgold.evaluate(hits, MEASURES).per_query
    return {measure: float(np.mean(frame[measure].to_numpy())) for measure in MEASURES}


def averaged(groups, missed, unjudged=()):
    """Measure -> its value where the documents of each group have the same score; those in `unjudged` get no grade."""
    documents = [(f"d{i}.{j}", grade, -float(i)) for i, group in enumerate(groups) for j, grade in enumerate(group)]
    qrels = {document: grade for document, grade, _ in documents if document not in unjudged}
    qrels |= {f"missed{i}": grade for i, grade in enumerate(missed)}
    run = {document: score for document, _, score in documents}
    return rankgold.evaluate({"q": qrels}, {"q": run}, MEASURES, policy="ties=average").means


def assert_same(values, expected):
    for measure in MEASURES:
        assert values[measure] == pytest.approx(expected[measure], rel=1e-12, abs=1e-12, nan_ok=True), measure


@examples(25)
@given(GROUPS, MISSED)
def test_the_value_is_the_mean_over_all_orders_of_the_tied_documents(groups, missed):
    assert_same(averaged(groups, missed), mean_over_orders(groups, missed))


@examples(12)
@given(st.lists(st.integers(-1, 3), min_size=4, max_size=5), MISSED)
def test_the_value_is_the_mean_over_all_orders_where_the_whole_list_is_tied(group, missed):
    assert_same(averaged([group], missed), mean_over_orders([group], missed))


@examples(12)
@given(GROUPS, st.data())
def test_a_tied_document_without_judgement_takes_a_place_like_one_of_grade_0(groups, data):
    zeros = [f"d{i}.{j}" for i, group in enumerate(groups) for j, grade in enumerate(group) if grade == 0]
    unjudged = data.draw(st.sets(st.sampled_from(zeros))) if zeros else set()
    values, expected = averaged(groups, [1], unjudged), mean_over_orders(groups, [1])
    # A document of grade 0 still stops some readers of a sigmoid; one that nobody judged stops none.
    for measure in MEASURES:
        if "sigmoid" not in measure:
            assert values[measure] == pytest.approx(expected[measure], rel=1e-12, abs=1e-12, nan_ok=True), measure


@examples(12)
@given(GROUPS)
def test_arrays_are_averaged_like_dicts(groups):
    grades = [grade for group in groups for grade in group]
    scores = [-i for i, group in enumerate(groups) for _ in group]
    hits = rankgold.from_arrays([grades], [scores], policy="ties=average")
    assert_same(rankgold.evaluate(hits, MEASURES).means, averaged(groups, []))


def test_a_tied_pair_at_the_top_stands_half_and_half_at_ranks_1_and_2():
    # Relevant first: RR 1, P@1 1, AP 1. Relevant second: RR 1/2, P@1 0, AP 1/2.
    scores = rankgold.evaluate({"q": {"a": 1}}, {"q": {"a": 5, "b": 5}}, ["rr", "p@1", "ap"], policy="ties=average")
    assert scores.means == {"rr": 0.75, "p@1": 0.5, "ap": 0.75}


def test_two_relevant_of_three_tied_are_averaged_by_hand():
    # The orders 110, 101, 011 are as likely: AP = (1 + 5/6 + 7/12) / 3 = 29/36, RR = (1 + 1 + 1/2) / 3 = 5/6,
    # Hit@1 = 2/3, AUC = (2/2 + 1/2 + 0/2) / 3 = 1/2, FRP@1 = (1 + 1 + 2) / 3 = 4/3.
    hits = rankgold.from_arrays([1, 0, 1], [7, 7, 7], policy="ties=average")
    expected = {"ap": 29 / 36, "rr": 5 / 6, "hit@1": 2 / 3, "auc": 1 / 2, "frp@1": 4 / 3}
    assert rankgold.evaluate(hits, list(expected)).means == pytest.approx(expected, rel=1e-15)


def test_a_cutoff_inside_a_tied_group_counts_each_document_by_its_chance_of_being_above():
    # Grades 3, 0, 0, 2 tied at the ranks 1 to 4: each stands in the top 2 with chance 1/2, so CG@2 = 5/2.
    # DCG@2 = 5/4 * (1/1 + 1/log2(3)).
    hits = rankgold.from_arrays([3, 0, 0, 2], [1, 1, 1, 1], policy="ties=average")
    expected = {"cg@2": 5 / 2, "dcg@2": 5 / 4 * (1 + 1 / np.log2(3))}
    assert rankgold.evaluate(hits, list(expected)).means == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize("measure", ["spearman", "kendall"])
def test_correlations_handle_ties_themselves_whatever_the_policy(measure):
    # Scores 1, 1, 0 for grades 3, 2, 1. Spearman: ranks 1.5, 1.5, 3 against 1, 2, 3, so 1.5 / sqrt(1.5 * 2).
    # Kendall: 2 agreeing pairs, 2 not tied in score, 3 not tied in grade, so 2 / sqrt(2 * 3).
    expected = {"spearman": 1.5 / 3**0.5, "kendall": 2 / 6**0.5}[measure]
    for policy in ("ties=descending", "ties=average"):
        hits = rankgold.from_arrays([3, 2, 1], [1, 1, 0], policy=policy)
        assert rankgold.evaluate(hits, [measure])[measure] == pytest.approx(expected, rel=1e-15)


def test_a_tied_list_of_relevant_documents_only_has_no_pairs_and_no_area():
    # Five times 1/5, added up five times, is not quite 5 in floats; the non-relevant documents must still be 0.
    scores = rankgold.evaluate(rankgold.from_arrays([1] * 5, [7] * 5, policy="ties=average"), ["auc"])
    assert np.isnan(scores["auc"])
    assert scores.notes.undefined == {"auc": 1}
