"""Hits from labels in ranked order, from lists of ids, and from arrays of grades and scores."""

from itertools import pairwise
from math import log2

import numpy as np
import pandas as pd
import pytest

import rankgold
from tests.cases import for_each
from tests.tensors import HalfFloats, Tensor

NAN = float("nan")


def value(hits, measure):
    return rankgold.evaluate(hits, [measure])[measure]


def values(hits, measure):
    return rankgold.evaluate(hits, [measure]).per_query[measure].to_list()


# --- labels


def test_labels_are_grades_in_ranked_order_and_all_that_is_judged():
    hits = rankgold.from_labels([[1, 0, 0, 1], [0, 3]])
    # (1/1 + 2/4) / 2 = 3/4, and 1/2.
    assert values(hits, "ap") == [0.75, 0.5]
    # Second query: 3 / log2(3), against 3 / log2(2).
    assert values(hits, "ndcg")[1] == pytest.approx(1 / log2(3), abs=1e-15)
    assert list(hits.queries) == ["1", "2"]


@for_each(
    "form",
    [list, tuple, np.array, Tensor, pd.Series, lambda rows: [np.array(row) for row in rows]],
    ids=["list", "tuple", "numpy", "tensor", "pandas", "list of arrays"],
)
def test_labels_may_be_anything_that_holds_lists(form):
    assert values(rankgold.from_labels(form([[1, 0, 0, 1], [0, 1, 0, 0]])), "ap") == [0.75, 0.5]


def test_lists_of_labels_may_differ_in_length_and_be_empty():
    # 1/1, nothing, and (1/2 + 2/4) / 2.
    assert values(rankgold.from_labels([[1], [], [0, 1, 0, 1]]), "ap") == [1.0, 0.0, 0.5]


def test_no_list_at_all_has_no_query_with_an_ideal_or_without():
    assert len(rankgold.from_labels([])) == len(rankgold.from_labels([], ideal=[])) == 0


def test_arrays_without_any_document_score_0():
    hits = rankgold.from_arrays([[1, 0], [0, 1]], [[1, 2], [1, 2]], mask=[[0, 0], [0, 0]])
    assert (values(hits, "ndcg"), values(hits, "ndcg@1")) == ([0, 0], [0, 0])


def test_n_relevant_counts_documents_that_were_not_retrieved():
    # 1/1 and 2/4 over 4 relevant ones: 3/8; then 1/2 over 2 and over 4.
    assert values(rankgold.from_labels([[1, 0, 0, 1]], n_relevant=4), "ap") == [0.375]
    assert values(rankgold.from_labels([[1, 0, 0, 1], [0, 1]], n_relevant=[4, 2]), "ap") == [0.375, 0.25]
    assert values(rankgold.from_labels([[1, 0, 0, 1], [0, 1]], n_relevant=[None, 4]), "r") == [1.0, 0.25]
    assert values(rankgold.from_labels([[1, 0, 0, 1], [0, 1]], n_relevant=np.array([2, 4])), "r") == [1.0, 0.25]


def test_a_missed_document_of_n_relevant_has_grade_1_in_the_ideal_ranking():
    # Grades 0, 2 with one more of grade 1 that was missed: (2 / log2(3)) / (2 + 1 / log2(3)).
    hits = rankgold.from_labels([[0, 2]], n_relevant=2)
    assert value(hits, "ndcg") == pytest.approx((2 / log2(3)) / (2 + 1 / log2(3)), abs=1e-15)


def test_ideal_holds_all_grades_there_are():
    # Retrieved 1 and 3 in this order; there is a 2 besides: (1 + 3 / log2(3)) / (3 + 2 / log2(3) + 1 / 2).
    hits = rankgold.from_labels([[1, 3]], ideal=[[3, 1, 2]])
    assert value(hits, "ndcg") == pytest.approx((1 + 3 / log2(3)) / (3 + 2 / log2(3) + 0.5), abs=1e-15)
    assert value(hits, "r") == pytest.approx(2 / 3)


def test_an_ideal_with_the_same_grade_several_times_counts_each():
    # Retrieved one of three documents of grade 1: recall 1/3.
    assert value(rankgold.from_labels([[1, 0]], ideal=[[1, 1, 1, 0]]), "r") == pytest.approx(1 / 3)


# --- lists


@for_each("truth", [list, tuple, set, frozenset, np.array, pd.Series, lambda ids: dict.fromkeys(ids, 1)])
def test_the_truth_of_a_list_is_any_collection_of_ids(truth):
    hits = rankgold.from_lists([["b", "a", "x", "c"], ["d", "y"]], [truth(["a", "c"]), truth(["d"])])
    # (1/2 + 2/4) / 2 = 1/2, and 1.
    assert values(hits, "ap") == [0.5, 1.0]


@pytest.mark.parametrize("ranked", [list, tuple, np.array, pd.Series])
def test_a_ranked_list_is_any_sequence_of_ids(ranked):
    assert values(rankgold.from_lists([ranked([2, 1, 9, 3])], [[1, 3]]), "ap") == [0.5]


def test_lists_of_ids_may_be_arrays_altogether():
    hits = rankgold.from_lists(np.array([[2, 1, 9, 3], [4, 8, 7, 6]]), np.array([[1, 3], [4, 5]]))
    # 1/2, and 1/1 over the 2 that are relevant.
    assert values(hits, "ap") == [0.5, 0.5]


def test_a_mapping_gives_grades():
    hits = rankgold.from_lists([["a", "b"]], [{"a": 1, "b": 3, "c": 0}])
    assert value(hits, "ndcg") == pytest.approx((1 + 3 / log2(3)) / (3 + 1 / log2(3)), abs=1e-15)


def test_integers_and_text_in_lists_are_compared_as_text_and_noted():
    hits = rankgold.from_lists([["1", "2"]], [[2]])
    assert value(hits, "rr") == 0.5
    assert any("text" in remark for remark in hits.notes.remarks)


def test_a_document_listed_twice_is_decided_by_the_policy():
    ranked, truth = [["a", "b", "a"]], [["a", "b"]]
    with pytest.raises(rankgold.DataError, match=r"document 'a' twice, at places 1 and 3"):
        rankgold.from_lists(ranked, truth)
    # First: a, b. Last: b, a. The first relevant of grade 2 tells which.
    graded = [{"a": 2, "b": 0}]
    assert value(rankgold.from_lists(ranked, graded, policy="duplicates=first"), "rr") == 1.0
    assert value(rankgold.from_lists(ranked, graded, policy="duplicates=last"), "rr") == 0.5


# --- arrays

# By score 0.9, 0.8, 0.7, 0.6 the grades are 0, 2, 0, 1: AP = (1/2 + 2/4) / 2 = 1/2. Second row: 1, 0, 0, 0: 1.
GRADES = [[2, 0, 1, 0], [0, 0, 0, 1]]
SCORES = [[0.8, 0.9, 0.6, 0.7], [0.1, 0.2, 0.3, 0.4]]


@for_each("form", [list, np.array, Tensor, pd.DataFrame, lambda rows: np.array(rows, np.float32)])
def test_arrays_of_two_dimensions_have_a_query_in_each_row(form):
    assert values(rankgold.from_arrays(form(GRADES), form(SCORES)), "ap") == [0.5, 1.0]


@for_each("form", [list, tuple, np.array, Tensor, pd.Series])
def test_flat_arrays_are_split_by_the_sizes_of_groups(form):
    grades, scores = [2, 0, 1, 0, 0, 1], [0.8, 0.9, 0.6, 0.7, 0.1, 0.4]
    hits = rankgold.from_arrays(form(grades), form(scores), groups=form([4, 2]))
    assert values(hits, "ap") == [0.5, 1.0]
    assert hits.returned.tolist() == [4, 2]


def test_scores_may_come_straight_from_a_model_that_is_being_trained():
    # The only relevant document has the lower score.
    scores = Tensor([[1.0, 2.0]], requires_grad=True)
    assert value(rankgold.from_arrays(Tensor([[1, 0]]), scores), "rr") == 0.5


def test_a_group_may_be_empty():
    hits = rankgold.from_arrays([1, 0], [1, 2], groups=[0, 2])
    assert values(hits, "ap") == [0.0, 0.5]
    assert hits.notes.without_ranking == ("1",)


def test_flat_arrays_without_groups_are_one_query():
    assert values(rankgold.from_arrays(GRADES[0], SCORES[0]), "ap") == [0.5]


@pytest.mark.parametrize("form", [list, np.array, Tensor])
def test_a_mask_takes_documents_out_whatever_is_stored_there(form):
    grades, scores = [[2, 0, 1, 0, NAN], [0, 1, NAN, 1, 1]], [[0.8, 0.9, 0.6, 0.7, 9.0], [0.1, 0.4, NAN, 8.0, 9.0]]
    mask = [[True, True, True, True, False], [True, True, False, False, False]]
    hits = rankgold.from_arrays(form(grades), form(scores), mask=form(mask))
    assert values(hits, "ap") == [0.5, 1.0]
    assert hits.returned.tolist() == [4, 2]


def test_a_mask_goes_with_groups_and_may_be_numbers():
    hits = rankgold.from_arrays(
        [2, 0, 1, 0, 9, 0, 1], [8, 9, 6, 7, 99, 1, 4], groups=[5, 2], mask=[1, 1, 1, 1, 0, 1, 1]
    )
    assert values(hits, "ap") == [0.5, 1.0]


def test_tied_scores_are_told_apart_by_position():
    # Grades 1 and 0 of equal score: the later stands first unless the policy says otherwise.
    for policy, expected in {
        "ties=descending": 0.5,
        "ties=ascending": 1.0,
        "ties=input": 1.0,
        "ties=average": 0.75,
    }.items():
        assert value(rankgold.from_arrays([[1, 0]], [[5, 5]], policy=policy), "rr") == expected


# --- names of queries, and what cannot be


@pytest.mark.parametrize(
    "make",
    [
        lambda **names: rankgold.from_labels([[1], [0, 1]], **names),
        lambda **names: rankgold.from_lists([["a"], ["b", "c"]], [["a"], ["c"]], **names),
        lambda **names: rankgold.from_arrays([1, 0, 1], [9, 8, 7], groups=[1, 2], **names),
    ],
    ids=["labels", "lists", "arrays"],
)
def test_queries_are_numbered_from_1_or_named(make):
    assert rankgold.evaluate(make(), ["rr"]).per_query["query"].to_list() == ["1", "2"]
    named = rankgold.evaluate(make(queries=["x", "y"]), ["rr"]).per_query
    assert named.to_dict(as_series=False) == {"query": ["x", "y"], "rr": [1.0, 0.5]}
    for names in (["x"], ["x", "x"], ["x", "y", "z"], 5):
        with pytest.raises(rankgold.DataError, match="queries"):
            make(queries=names)


FAULTS = {
    "flat labels": (lambda: rankgold.from_labels([1, 0]), r"For a single query pass \[labels\]"),
    "text as labels": (lambda: rankgold.from_labels("10"), "not str"),
    "a dict as labels": (lambda: rankgold.from_labels({"q": [1]}), "not dict"),
    "None as labels": (lambda: rankgold.from_labels(None), "not NoneType"),
    "text in labels": (lambda: rankgold.from_labels([[1], ["a"]]), r"labels\[1\] is not a list of numbers"),
    "a list in labels": (lambda: rankgold.from_labels([[1, [2]]]), r"labels\[0\]"),
    "labels too deep": (lambda: rankgold.from_labels([[[1]]]), r"labels\[0\] is not a flat list"),
    "NaN in labels": (lambda: rankgold.from_labels([[1, NAN]]), r"labels\[0\] holds nan"),
    "None in labels": (lambda: rankgold.from_labels([[1, None]]), r"labels\[0\]"),
    "n_relevant too short": (lambda: rankgold.from_labels([[1], [1]], n_relevant=[1]), "has 1 number for 2 queries"),
    "n_relevant too small": (lambda: rankgold.from_labels([[1, 1]], n_relevant=1), "is 1, and 2 documents"),
    "n_relevant no number": (lambda: rankgold.from_labels([[1]], n_relevant="many"), "n_relevant"),
    "n_relevant NaN": (lambda: rankgold.from_labels([[1]], n_relevant=NAN), "n_relevant"),
    "n_relevant not whole": (lambda: rankgold.from_labels([[1]], n_relevant=1.5), "n_relevant"),
    "ideal too short": (lambda: rankgold.from_labels([[1], [1]], ideal=[[1]]), "ideal has 1 list and labels has 2"),
    "ranked is text": (lambda: rankgold.from_lists("ab", "ab"), "ranked must be a list"),
    "truth is a dict": (lambda: rankgold.from_lists([["a"]], {"1": ["a"]}), "truth must be a list"),
    "truth is None": (lambda: rankgold.from_lists([["a"]], None), "truth must be a list"),
    "truth too short": (lambda: rankgold.from_lists([["a"], ["b"]], [["a"]]), "2 queries and truth has 1"),
    "flat lists": (lambda: rankgold.from_lists(["a"], [["a"]]), "ranked: query '1' has 'a'"),
    "no lists": (lambda: rankgold.from_lists([], []), "no query"),
    "None as an id": (lambda: rankgold.from_lists([["a", None]], [["a"]]), "None as a document"),
    "a list as an id": (lambda: rankgold.from_lists([[["a"]]], [["a"]]), "has a list of 1 entries in it"),
    "NaN as a grade": (lambda: rankgold.from_lists([["a"]], [{"a": NAN}]), "document 'a': the grade must be a finite"),
    "shapes differ": (lambda: rankgold.from_arrays([[1, 0]], [[1]]), r"\(1, 2\) and y_score \(1, 1\)"),
    "a number": (lambda: rankgold.from_arrays(1, 1), "1-D or 2-D, not 0-D"),
    "three dimensions": (lambda: rankgold.from_arrays([[[1]]], [[[1]]]), "1-D or 2-D, not 3-D"),
    "ragged": (lambda: rankgold.from_arrays([[1], [1, 0]], [[1], [1, 2]]), "y_true cannot be read as an array"),
    "text in arrays": (lambda: rankgold.from_arrays([1], ["a"]), "y_score cannot be read as an array"),
    "NaN in scores": (lambda: rankgold.from_arrays([1, 0], [1, NAN]), r"y_score holds nan .*mask="),
    "infinite grade": (lambda: rankgold.from_arrays([float("inf"), 0], [1, 2]), "y_true holds inf"),
    "two scores, the first in the second query": (
        lambda: rankgold.from_arrays([1, 0, 1], [1, NAN, float("inf")], qid=[2, 1, 2]),
        r"y_score holds nan \(document 1, ",
    ),
    "groups too few": (lambda: rankgold.from_arrays([1, 0], [1, 2], groups=[1]), "adds up to 1 .* hold 2"),
    "groups negative": (lambda: rankgold.from_arrays([1, 0], [1, 2], groups=[3, -1]), "groups must be a list"),
    "groups not whole": (lambda: rankgold.from_arrays([1, 0], [1, 2], groups=[1.5, 0.5]), "groups must be a list"),
    "groups with rows": (lambda: rankgold.from_arrays([[1, 0]], [[1, 2]], groups=[2]), "flat arrays"),
    "groups too large for their type": (
        lambda: rankgold.from_arrays(np.ones(70000), np.arange(70000), groups=np.array([35008, 34944], dtype="float16")),
        "adds up to",
    ),
    "a masked array": (lambda: rankgold.from_arrays(np.ma.array([1, 0], mask=[True, False]), [1, 2]), "masked array"),
    "dates for grades": (lambda: rankgold.from_arrays(np.array(["2026-01-01"], dtype="M8[D]"), [1]), "datetime64"),
    "complex scores": (lambda: rankgold.from_arrays([1, 0], [1j, 2]), "complex"),
    "a mask that is none": (lambda: rankgold.from_arrays([1, 0], [1, 2], mask=[NAN, 1]), "mask must hold true and false"),
    "words for a mask": (lambda: rankgold.from_arrays([1, 0], [1, 2], mask=["a", "b"]), "mask must hold true and false"),
    "half floats of a tensor": (
        lambda: rankgold.from_arrays([[1, 0]], HalfFloats([[1.0, 2.0]])),
        r"Convert it with .float\(\)",
    ),
    "a grade beyond floats": (lambda: rankgold.from_labels([[10**400]]), "not a list of numbers"),
    "too many relevant": (lambda: rankgold.from_labels([[1]], n_relevant=10**30), "at most 10,000,000"),
    "too many relevant in all": (
        lambda: rankgold.from_labels([[1]] * 20, n_relevant=10**6),
        "n_relevant counts 19999980 documents that are not in the lists, and can count at most 10,000,000",
    ),
    "relevant beyond floats": (lambda: rankgold.from_labels([[1]], n_relevant=10**400), "at most 10,000,000"),
    "a name that is a list": (lambda: rankgold.from_labels([[1], [1]], queries=[["a"], "b"]), "Ids must be integers or text"),
    "mask of another shape": (lambda: rankgold.from_arrays([1, 0], [1, 2], mask=[1]), r"mask has shape \(1,\)"),
    "an unknown policy": (lambda: rankgold.from_labels([[1]], policy="ties=random"), "ties must be one of"),
}  # fmt: skip


@for_each("fault", FAULTS)
def test_what_cannot_be_read_is_an_error_that_says_so(fault):
    make, message = FAULTS[fault]
    with pytest.raises(rankgold.RankgoldError, match=message):
        make()


@for_each("policy", ["ties=input", "ties=average", "ties=descending"])
@for_each(
    "scores",
    [np.array([2**53, 2**53 + 1]), np.array([2**63, 2**63 + 1], dtype=np.uint64), np.longdouble([1, 1 + 1e-18])],
)
def test_numbers_that_floats_cannot_tell_apart_are_tied_for_every_measure(scores, policy):
    by_rule = {"ties=input": 0.5, "ties=average": 0.75, "ties=descending": 1.0}[policy]
    means = rankgold.evaluate(rankgold.from_arrays([0, 1], scores, policy=policy), ["rr", "rr@2", "p@1"]).means
    assert means == {"rr": by_rule, "rr@2": by_rule, "p@1": 2 * by_rule - 1}


@for_each("kind", [np.int8, np.uint8, np.int32, np.int64, np.float32, np.float64])
@for_each("later_first", [True, False])
def test_the_lowest_and_highest_numbers_of_a_type_are_scores_like_others(kind, later_first):
    random = np.random.default_rng(4)
    lengths = random.integers(0, 9, 60)
    limits = np.iinfo(kind) if np.issubdtype(kind, np.integer) else np.finfo(kind)
    scores = random.choice(np.array([limits.min, 1, limits.max], dtype=kind), lengths.sum())
    policy = "ties=descending" if later_first else "ties=input"
    hits = rankgold.from_arrays(np.ones(len(scores)), scores, groups=lengths, policy=policy)
    starts = np.concatenate(([0], np.cumsum(lengths)))
    for k in (1, 4, None):
        expected = []
        for first, last in pairwise(starts):
            rows = sorted(range(first, last), key=lambda row: (scores[row], row if later_first else -row))[::-1]
            expected += rows[:k]
        assert hits.system.top(k).row.tolist() == expected


@for_each("kind", [np.int8, np.uint8, np.int64, np.uint32, np.float32, np.float64])
def test_the_ideal_ranking_is_that_of_python_for_grades_of_any_type(kind):
    random = np.random.default_rng(3)
    lengths = random.integers(0, 30, 50)
    low, high = (np.iinfo(kind).min, np.iinfo(kind).max) if np.issubdtype(kind, np.integer) else (-9, 9)
    grades = random.integers(low, high, lengths.sum(), dtype=kind if kind not in (np.float32, np.float64) else int)
    hits = rankgold.from_arrays(grades.astype(kind), random.random(len(grades)), groups=lengths)
    starts = np.concatenate(([0], np.cumsum(lengths)))
    for k in (1, 4, None):
        expected = []
        for first, last in pairwise(starts):
            expected += sorted(range(first, last), key=lambda row: -float(grades[row]))[:k]
        assert hits.ideal.top(k).row.tolist() == expected


def test_arrays_name_their_queries_in_notes_and_their_documents_by_position():
    hits = rankgold.from_arrays([[0, 2], [0, 0], [1, -1]], [[1, 2], [3, 4], [5, 6]], queries=["a", "b", "c"])
    assert hits.notes.without_relevant == ("b",)
    assert (hits.notes.queries, hits.notes.retrieved, hits.notes.negative_grades) == (3, 6, 1)
    steps = rankgold.explain(hits, measure="ap", query="c").steps
    assert [(step.rank, step.document) for step in steps] == [(2, 0)]


@pytest.mark.parametrize("sign", [1, -1])
def test_integers_beyond_53_bits_are_scores_of_64_bit_floats(sign):
    # As floats, 2 ** 53 and 2 ** 53 + 1 are equal; 2 ** 53 - 1 and 2 ** 53 are not.
    assert rankgold.from_arrays([[1, 0]], [[sign * 2**53, sign * (2**53 + 1)]]).notes.tied_hits == 2
    assert rankgold.from_arrays([[1, 0]], [[sign * (2**53 - 1), sign * 2**53]]).notes.tied_hits == 0


def test_a_list_with_a_grade_that_the_ideal_list_lacks_is_an_error():
    # Grades of 0 and below need not be in the ideal list; 3 has to be, since the best grade there is 2.
    rankgold.from_labels([[0, -1, 2]], ideal=[[2]])
    with pytest.raises(rankgold.DataError, match=r"ideal\[0\] is all grades there are, and labels\[0\] has better"):
        rankgold.from_labels([[0, -1, 3]], ideal=[[2]])


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.uint8, np.float32])
def test_all_documents_of_arrays_of_any_type_are_known(kind):
    # Accuracy at 1 of four documents: the one returned is relevant, one relevant is missed, two are rightly left out.
    hits = rankgold.from_arrays(np.array([[1, 1, 0, 0]], dtype=kind), [[0.9, 0.8, 0.7, 0.6]])
    assert value(hits, "accuracy@1") == 0.75
