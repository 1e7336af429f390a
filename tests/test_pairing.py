"""Objects whose rows belong together: by position, by the index of pandas objects, by the query of every document."""

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankgold
from rankgold.data.matching.array_rows import ONE_QUERY
from tests.cases import for_each
from tests.tensors import Tensor

# ana: relevant at rank 1, AP = 1. bo: relevant at rank 2 of 2, AP = 1/2. cy: at ranks 2 and 3, AP = (1/2 + 2/3) / 2.
RANKED = {"ana": ["a", "x"], "bo": ["x", "b"], "cy": ["x", "c", "d"]}
TRUTH = {"cy": ["d", "c"], "ana": ["a"], "bo": ["b"]}
AP = {"ana": 1.0, "bo": 1 / 2, "cy": 7 / 12}


def by_query(hits, measure="ap"):
    return dict(rankgold.evaluate(hits, [measure]).per_query.rows())


# --- lists


def test_two_series_by_user_in_different_orders_are_paired_by_user():
    assert by_query(rankgold.from_lists(pd.Series(RANKED), pd.Series(TRUTH))) == pytest.approx(AP)


def test_queries_come_in_the_order_of_the_first_series_and_have_its_labels_as_names():
    ranked = pd.Series(RANKED).loc[["bo", "cy", "ana"]]
    assert list(rankgold.from_lists(ranked, pd.Series(TRUTH)).queries) == ["bo", "cy", "ana"]
    numbers = pd.Series([["a"], ["x", "b"]], index=pd.Index([20, 10], name="user"))
    truth = pd.Series([["b"], ["a"]], index=[10, 20])
    assert by_query(rankgold.from_lists(numbers, truth), "rr") == {20: 1.0, 10: 0.5}


def test_an_index_of_several_levels_pairs_rows_too():
    levels = pd.MultiIndex.from_tuples([("de", 1), ("en", 1)], names=["language", "user"])
    ranked = pd.Series([["a", "b"], ["b", "a"]], index=levels)
    truth = pd.Series([["b"], ["b"]], index=levels[::-1])
    assert by_query(rankgold.from_lists(ranked, truth), "rr") == {"('de', 1)": 0.5, "('en', 1)": 1.0}


def test_an_index_that_only_counts_rows_is_none():
    ranked, truth = [["a", "x"], ["x", "b"]], [["a"], ["b"]]
    for index in (pd.RangeIndex(2), pd.Index([0, 1])):
        hits = rankgold.from_lists(pd.Series(ranked, index=index), truth)
        assert by_query(hits) == {"1": 1.0, "2": 0.5}
    # Under the name of something, or from another start, it is an index.
    for index in (pd.RangeIndex(2, name="user"), pd.RangeIndex(1, 3), pd.Index([1, 0])):
        with pytest.raises(rankgold.DataError, match=r"ranked has an index .* and truth has none"):
            rankgold.from_lists(pd.Series(ranked, index=index), truth)


def test_a_named_index_goes_with_one_that_has_the_same_labels_in_the_same_order():
    named = pd.Series([["a", "x"], ["x", "b"]], index=pd.RangeIndex(2, name="user"))
    assert by_query(rankgold.from_lists(named, pd.Series([["a"], ["b"]]))) == {0: 1.0, 1: 0.5}


def test_names_of_queries_are_paired_with_the_index():
    ranked, truth = pd.Series(RANKED), pd.Series(TRUTH)
    names = pd.Series({"bo": "B", "cy": "C", "ana": "A"})
    assert by_query(rankgold.from_lists(ranked, truth, queries=names)) == pytest.approx(
        {"A": 1, "B": 1 / 2, "C": 7 / 12}
    )
    assert by_query(rankgold.from_lists(ranked, truth, queries=ranked.index)) == pytest.approx(AP)
    with pytest.raises(rankgold.DataError, match=r"ranked has an index .* and queries has none"):
        rankgold.from_lists(ranked, truth, queries=["A", "B", "C"])


def test_what_is_passed_is_not_changed():
    ranked, truth = pd.Series(RANKED), pd.Series(TRUTH)
    rankgold.from_lists(ranked, truth)
    assert (list(ranked.index), list(truth.index)) == (list(RANKED), list(TRUTH))
    assert truth.to_dict() == TRUTH


@pytest.mark.parametrize(
    "frame",
    [pd.DataFrame, pl.DataFrame, pa.table, lambda columns: duckdb.from_arrow(pa.table(columns))],
    ids=["pandas", "Polars", "PyArrow", "DuckDB"],
)
def test_a_frame_has_a_query_in_each_row_not_in_each_column(frame):
    # The rows are a, y and x, b. A column a, x would not hold y.
    ranked = frame({"first": ["a", "x"], "second": ["y", "b"]})
    assert by_query(rankgold.from_lists(ranked, [["y"], ["b"]])) == {"1": 0.5, "2": 0.5}
    # The rows are 1, 1 and 0, 1. Of the columns 1, 0 and 1, 1 both would have AP 1.
    labels = frame({"first": [1, 0], "second": [1, 1]})
    assert by_query(rankgold.from_labels(labels)) == {"1": 1.0, "2": 0.5}


@pytest.mark.parametrize("column", [pl.Series, pa.array, lambda lists: pa.chunked_array([lists])])
def test_a_column_of_lists_is_read_row_by_row(column):
    hits = rankgold.from_lists(column([["a", "x"], ["x", "b"]]), column([["a"], ["b"]]))
    assert by_query(hits) == {"1": 1.0, "2": 0.5}
    assert by_query(rankgold.from_labels(column([[1, 0], [0, 1]]))) == {"1": 1.0, "2": 0.5}


def test_a_series_of_grades_has_its_documents_in_the_index():
    # b has grade 0, so the first relevant document is a, at rank 2.
    hits = rankgold.from_lists([["b", "a"]], [pd.Series({"a": 1, "b": 0})])
    assert by_query(hits, "rr") == {"1": 0.5}


# --- labels


def test_n_relevant_and_ideal_are_paired_with_labels_by_index():
    labels = pd.Series({"ana": [1, 0], "bo": [0, 1]})
    # ana: 1 of 1; bo: 1 of 4.
    assert by_query(rankgold.from_labels(labels, n_relevant=pd.Series({"bo": 4, "ana": 1})), "r") == {
        "ana": 1,
        "bo": 0.25,
    }
    ideal = pd.Series({"bo": [1, 1, 0], "ana": [1]})
    assert by_query(rankgold.from_labels(labels, ideal=ideal), "r") == {"ana": 1.0, "bo": 0.5}
    assert by_query(rankgold.from_labels(labels, n_relevant=2), "r") == {"ana": 0.5, "bo": 0.5}


@pytest.mark.parametrize("two", [np.array(2), np.int64(2), 2.0])
def test_one_number_of_relevant_documents_is_for_all_queries(two):
    assert by_query(rankgold.from_labels([[1, 0], [0, 1]], n_relevant=two), "r") == {"1": 0.5, "2": 0.5}


# --- arrays

# x ranks its only relevant document second, y ranks its only one first: RR = 1/2 and 1.
GRADES, SCORES, QUERIES = [0, 1, 1, 0], [0.9, 0.4, 0.8, 0.3], ["x", "y", "x", "y"]


def test_flat_series_are_paired_by_index():
    rows = ["a", "b", "c", "d"]
    grades, queries = pd.Series(GRADES, rows), pd.Series(QUERIES, rows)
    scores = pd.Series(SCORES, rows).loc[["d", "a", "c", "b"]]
    present = pd.Series([True, True, True, True], rows[::-1])
    assert by_query(rankgold.from_arrays(grades, scores, mask=present, qid=queries), "rr") == {"x": 0.5, "y": 1.0}


def test_rows_of_one_frame_are_paired_even_if_its_index_has_repeats():
    frame = pd.DataFrame({"grade": GRADES, "score": SCORES, "qid": QUERIES}, index=[7, 7, 7, 9])
    assert by_query(rankgold.from_arrays(frame.grade, frame.score, qid=frame.qid), "rr") == {"x": 0.5, "y": 1.0}


def test_frames_are_paired_by_rows_and_by_columns():
    grades = pd.DataFrame({"a": [1, 0], "b": [0, 1]}, index=["ana", "bo"])
    # ana: a 0.2 below b 0.3, so RR = 1/2. bo: b 0.8 above a 0.1, so RR = 1.
    scores = pd.DataFrame({"b": [0.8, 0.3], "a": [0.1, 0.2]}, index=["bo", "ana"])
    assert by_query(rankgold.from_arrays(grades, scores), "rr") == {"ana": 0.5, "bo": 1.0}
    with pytest.raises(rankgold.DataError, match=r"the columns of y_true and y_score do not match: y_score lacks 'b'"):
        rankgold.from_arrays(grades, scores.rename(columns={"b": "z"}))
    with pytest.raises(rankgold.DataError, match=r"y_true has names of columns \('a', 'b'\) and y_score has none"):
        rankgold.from_arrays(grades.reset_index(drop=True), scores.to_numpy())


USERS = pd.Series(RANKED)
FAULTS = {
    "a list beside an index": (lambda: rankgold.from_lists(USERS, list(TRUTH.values())), "truth has none.*to_numpy"),
    "an index beside a list": (lambda: rankgold.from_lists(list(TRUTH.values()), USERS), "ranked has none.*to_numpy"),
    "a default index": (
        lambda: rankgold.from_lists(USERS, pd.Series(list(TRUTH.values()))),
        "truth has one that only counts the rows",
    ),
    "other labels": (
        lambda: rankgold.from_lists(USERS, pd.Series(TRUTH).rename({"bo": "bob"})),
        "indexes of ranked and truth do not match: truth lacks 'bo'",
    ),
    "fewer labels": (lambda: rankgold.from_lists(USERS[:2], pd.Series(TRUTH)), "ranked lacks 'cy'"),
    "labels of another type": (
        lambda: rankgold.from_lists(pd.Series([["a"]], index=[7]), pd.Series([["a"]], index=["7"])),
        "truth lacks 7",
    ),
    "a label twice": (
        lambda: rankgold.from_lists(USERS, pd.Series([["a"]] * 3, index=["bo", "bo", "cy"])),
        "truth has 'bo' twice",
    ),
    "a query twice": (
        lambda: rankgold.from_lists(*[pd.Series([["a"], ["b"]], index=["bo", "bo"])] * 2),
        "the index has 'bo' twice",
    ),
    "numbers of relevant documents in a list": (
        lambda: rankgold.from_labels(pd.Series([[1], [0]], index=["a", "b"]), n_relevant=[1, 2]),
        "labels has an index .* n_relevant has none",
    ),
    "numbers of relevant documents in a dict": (
        lambda: rankgold.from_labels([[1], [0]], n_relevant={1: 10, 2: 20}),
        "n_relevant must be .* not a dict",
    ),
    "scores without the index of the grades": (
        lambda: rankgold.from_arrays(pd.Series([1, 0], index=[8, 3]), np.array([0.5, 0.4])),
        r"y_true has an index \(8, 3\) and y_score has none",
    ),
    "a mask without the index": (
        lambda: rankgold.from_arrays(*[pd.Series([1, 0], index=[8, 3])] * 2, mask=[1, 1]),
        "mask has none",
    ),
    "a set of lists": (lambda: rankgold.from_lists({("a",), ("b",)}, [["a"], ["b"]]), "ranked is a set"),
    "a set of names": (lambda: rankgold.from_lists([["a"]], [["a"]], queries={"q"}), "queries must be a list of names"),
    "lists swapped": (lambda: rankgold.from_lists([{"a": 1}], [["a", "b"]]), r"ranked\[0\] has numbers .* swapped"),
    "series swapped": (
        lambda: rankgold.from_lists([pd.Series({"a": 1, "b": 0})], [["a", "b"]]),
        r"ranked\[0\] has numbers .* swapped",
    ),
    "groups of rows in two orders": (
        lambda: rankgold.from_arrays(pd.Series({"a": 1, "b": 0}), pd.Series({"b": 1, "a": 0}), groups=[2]),
        "differ in order, and groups has none. Pass qid=",
    ),
    "groups by name": (
        lambda: rankgold.from_arrays(GRADES, SCORES, groups=pd.Series(QUERIES).value_counts()),
        "groups has an index.*qid=",
    ),
    "ids as groups": (
        lambda: rankgold.from_arrays(GRADES, SCORES, groups=[7, 7, 8, 8]),
        "groups has an entry for every document, as ids of queries have.*qid=",
    ),
    "text as groups": (lambda: rankgold.from_arrays(GRADES, SCORES, groups=QUERIES), "whole numbers.*qid="),
    "digits as groups": (lambda: rankgold.from_arrays(GRADES, SCORES, groups=["2", "2"]), "whole numbers.*qid="),
    "lists as groups": (lambda: rankgold.from_arrays(GRADES, SCORES, groups=[[1], [1, 2]]), "whole numbers.*qid="),
    "sizes as ids": (
        lambda: rankgold.from_arrays(GRADES, SCORES, qid=np.array([1, 3])),
        "2 ids for 4 documents.*groups=",
    ),
    "too few ids": (lambda: rankgold.from_arrays(GRADES, SCORES, qid=["x"]), "qid has 1 id for 4 documents.$"),
    "no id": (lambda: rankgold.from_arrays(GRADES, SCORES, qid=["x", None, "x", "y"]), "no id for document 1"),
    "NaN as id": (lambda: rankgold.from_arrays([1, 0], [1, 2], qid=np.array([1, np.nan])), "an id in qid is .*nan"),
    "one id": (lambda: rankgold.from_arrays(GRADES, SCORES, qid="xyxy"), "not str"),
    "ids in rows": (lambda: rankgold.from_arrays(GRADES, SCORES, qid=np.array([QUERIES])), r"shape \(1, 4\)"),
    "ids and sizes": (
        lambda: rankgold.from_arrays(GRADES, SCORES, groups=[2, 2], qid=QUERIES),
        "groups and qid cannot be combined",
    ),
    "ids and names": (
        lambda: rankgold.from_arrays(GRADES, SCORES, qid=QUERIES, queries=["x", "y"]),
        "names the queries",
    ),
    "ids of rows": (lambda: rankgold.from_arrays([GRADES], [SCORES], qid=["x"]), "qid is only for flat arrays"),
}


@for_each(("make", "message"), FAULTS.values(), ids=FAULTS)
def test_what_cannot_be_paired_is_an_error_that_says_so(make, message):
    with pytest.raises(rankgold.DataError, match=message) as error:
        make()
    assert "\n" not in str(error.value)


# --- the query of every document


@for_each(
    "form",
    [
        list,
        tuple,
        np.array,
        Tensor,
        pd.Series,
        pl.Series,
        pa.array,
        lambda ids: np.array(ids, dtype=object),
        lambda ids: pd.Series(ids, dtype="category"),
        lambda ids: pl.Series(ids).cast(pl.Categorical),
    ],
    ids=[
        "list",
        "tuple",
        "NumPy",
        "tensor",
        "pandas",
        "Polars",
        "PyArrow",
        "objects",
        "categories",
        "Polars categories",
    ],
)
def test_the_query_of_every_document_may_be_in_any_order_and_form(form):
    hits = rankgold.from_arrays(GRADES, SCORES, qid=form(QUERIES))
    assert by_query(hits, "rr") == {"x": 0.5, "y": 1.0}
    assert hits.returned.tolist() == [2, 2]
    assert hits.notes.remarks == ()


@for_each("form", [list, np.array, Tensor, pd.Series, lambda ids: np.array(ids, dtype=float)])
def test_queries_have_their_ids_as_names_in_the_order_of_their_first_documents(form):
    assert list(rankgold.from_arrays(GRADES, SCORES, qid=form([31, 4, 31, 15])).queries) == [31, 4, 15]


def test_ids_of_documents_that_stand_together_are_the_same_as_sizes_of_groups():
    random = np.random.default_rng(1)
    sizes = random.integers(1, 9, 40)
    grades, scores = random.integers(0, 3, sizes.sum()), random.random(sizes.sum())
    ids = np.repeat(np.arange(40), sizes)
    by_size = rankgold.evaluate(rankgold.from_arrays(grades, scores, groups=sizes), ["ndcg", "ap"])
    mixed = random.permutation(sizes.sum())
    by_id = rankgold.evaluate(rankgold.from_arrays(grades[mixed], scores[mixed], qid=ids[mixed]), ["ndcg", "ap"])
    for measure in ("ndcg", "ap"):
        expected = dict(zip(range(40), by_size.values(measure).tolist(), strict=True))
        assert dict(zip(by_id.queries(), by_id.values(measure).tolist(), strict=True)) == expected


def test_a_mask_goes_with_ids_and_may_leave_a_query_without_documents():
    nan = float("nan")
    hits = rankgold.from_arrays([0, nan, 1, nan], [0.9, 0.4, 0.8, nan], mask=[1, 0, 1, 0], qid=QUERIES)
    assert by_query(hits, "rr") == {"x": 0.5, "y": 0.0}
    assert hits.notes.without_ranking == ("y",)
    with pytest.raises(rankgold.DataError, match=r"y_score holds nan \(document 3, counted from 0\)"):
        rankgold.from_arrays([0, 1, 1, 1], [0.9, 0.4, 0.8, nan], mask=[1, 0, 1, 1], qid=QUERIES)


def test_tied_documents_of_a_query_are_ordered_by_position_whatever_stands_between_them():
    # The relevant document of x comes first: the later one is above it by default, below it with ties=input.
    arrays = [1, 0, 0], [5, 5, 5]
    assert by_query(rankgold.from_arrays(*arrays, qid=["x", "y", "x"]), "rr")["x"] == 0.5
    assert by_query(rankgold.from_arrays(*arrays, qid=["x", "y", "x"], policy="ties=input"), "rr")["x"] == 1.0


def test_flat_arrays_that_were_taken_for_one_query_are_noted():
    assert rankgold.from_arrays(GRADES, SCORES).notes.remarks == (ONE_QUERY,)
    assert "qid=" in ONE_QUERY
    for hits in (
        rankgold.from_arrays([GRADES], [SCORES]),
        rankgold.from_arrays(GRADES, SCORES, groups=[4]),
        rankgold.from_arrays(GRADES, SCORES, qid=[1] * 4),
    ):
        assert (len(hits), hits.notes.remarks) == (1, ())


def test_a_note_on_arrays_is_given_once_by_an_accumulator():
    accumulator = rankgold.Accumulator(["rr"])
    for length in (2, 3, 4):
        accumulator.update(rankgold.from_arrays(GRADES[:length], SCORES[:length]))
    assert accumulator.scores().notes.remarks == (ONE_QUERY,)


def test_as_many_groups_as_documents_are_noted_since_they_may_be_ids():
    (remark,) = rankgold.from_arrays(GRADES, SCORES, groups=[1, 1, 1, 1]).notes.remarks
    assert "pass them as qid=" in remark
    (remark,) = rankgold.from_arrays(GRADES, SCORES, groups=[0, 1, 1, 2]).notes.remarks
    assert "pass them as qid=" in remark


def test_arrays_of_one_column_are_noted_since_their_rows_may_be_documents():
    (remark,) = rankgold.from_arrays(np.array([GRADES]).T, np.array([SCORES]).T).notes.remarks
    assert "each has one document" in remark
