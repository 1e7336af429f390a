"""Ids of different kinds on the two sides, and ids that look alike."""

import datetime
import json
import uuid

import numpy as np
import pandas as pd
import polars as pl
import pytest

import rankgold
from tests.cases import for_each


@pytest.mark.parametrize(
    ("qrels", "run"),
    [
        ({"q": {1: 1, "1": 0}}, {"q": {"1": 1.0, "x": 0.5}}),
        ({"q": {"1": 1}}, {"q": {1: 1.0, "1": 0.5, "x": 0.7}}),
        ({1: {"a": 1}, "1": {"a": 0}}, {"1": {"a": 1.0}}),
    ],
)
def test_two_ids_that_are_the_same_as_text_are_an_error(qrels, run):
    with pytest.raises(rankgold.DataError, match="the same id as text"):
        rankgold.evaluate(qrels, run, ["ap"])


def test_whole_floats_are_the_integers_they_equal():
    assert rankgold.evaluate(rankgold.from_lists([[1.0, 2.0]], [[2]]), "rr")["rr"] == 0.5


def test_a_pandas_series_by_document_holds_scores():
    scores = rankgold.evaluate({"q": {"b": 1}}, {"q": pd.Series([1.0, 2.0], index=["a", "b"])}, "rr")
    assert scores["rr"] == 1.0


# Documents 10, 20 and 30 are ranked in this order, and 10 and 30 are relevant: AP = (1/1 + 2/3) / 2.
RANKED = pd.DataFrame({"docid": [10, 20, 30], "score": [0.9, 0.8, 0.7], "grade": [1, 0, 1]}, index=[4, 7, 8])


@pytest.mark.parametrize("dtype", ["int64", "uint32", "Int64", "str"])
def test_an_index_of_documents_has_their_numbers_whatever_its_type(dtype):
    by_document = RANKED.astype({"docid": dtype}).set_index("docid")
    scores = rankgold.evaluate({"q": by_document["grade"]}, {"q": by_document["score"]}, "ap")
    assert scores["ap"] == pytest.approx(5 / 6)


@pytest.mark.parametrize(
    "documents",
    [
        RANKED["docid"],
        RANKED["docid"].astype(str).rename("other"),
        RANKED["docid"].reset_index(drop=True).rename("other"),
    ],
)
def test_a_column_of_documents_ranks_them(documents):
    assert rankgold.evaluate({"q": {10: 1, 30: 1}}, {"q": documents}, "ap")["ap"] == pytest.approx(5 / 6)


def test_a_series_that_can_be_read_either_way_is_an_error():
    with pytest.raises(
        rankgold.DataError, match=r"Pass series\.to_list\(\) for the one, series\.to_dict\(\) for the other"
    ):
        rankgold.evaluate({"q": {10: 1}}, {"q": pd.Series([30, 20], index=[10, 20])}, "ap")


def test_a_document_twice_in_the_index_of_a_series_is_as_in_a_list():
    twice = {"q": pd.Series([0.9, 0.5, 0.1], index=["a", "b", "a"])}
    with pytest.raises(rankgold.DataError, match="query 'q' lists document 'a' twice, at places 1 and 3"):
        rankgold.evaluate({"q": {"a": 1}}, twice, "rr")
    assert rankgold.evaluate({"q": {"a": 1}}, twice, "rr", policy="duplicates=first")["rr"] == 1.0
    assert rankgold.evaluate({"q": {"a": 1}}, twice, "rr", policy="duplicates=last")["rr"] == 0.5


@pytest.mark.parametrize("index", [["a", None], [1.0, float("nan")], pd.array([1, None], dtype="Int64")])
def test_an_index_that_lacks_a_document_is_an_error(index):
    with pytest.raises(rankgold.DataError, match=r"query 'q' lists .*(nan|NA|None)"):
        rankgold.evaluate({"q": {"a": 1}}, {"q": pd.Series([0.5, 0.7], index=pd.Index(index, name="doc"))}, "rr")


@for_each("document", [1.0, np.int32(1), 1])
@for_each(("ties", "rank"), [("ascending", 1), ("descending", 2), ("input", 1)])
def test_tied_documents_are_ordered_by_the_ids_of_the_run(document, ties, rank):
    scores = rankgold.evaluate({"q": {document: 1}}, {"q": {1: 0.5, 2: 0.5}}, "rr", policy=f"ties={ties}")
    assert scores["rr"] == 1 / rank


@for_each("document", [1.0, np.float32(1), np.uint8(1), b"1", 1])
def test_whole_numbers_of_any_type_are_compared_with_text_as_they_are_written(document):
    assert rankgold.evaluate({"q": {document: 1}}, {"q": {"1": 0.5, "2": 0.6}}, "rr")["rr"] == 0.5


@pytest.mark.parametrize("run", [{"q": {None: 1.0}}, {None: {"a": 1.0}}, {"q": ["a", None]}])
def test_none_is_no_id(run):
    with pytest.raises(rankgold.DataError, match="None"):
        rankgold.evaluate({"q": {"a": 1}}, run, ["ap"])


def test_keys_that_collide_are_told_apart_by_the_ids(monkeypatch):
    # With only 2 bits of each key left, nearly all documents share theirs with others; the numbers stay the same.
    from rankgold.data.matching import hash_lookup, table_judgements

    qrels = {f"q{q}": {f"d{d}": d % 3 for d in range(12)} for q in range(5)}
    run = pl.DataFrame(
        [(f"q{q}", f"d{(d * 7) % 40}", float(-d)) for q in range(6) for d in range(40)],
        schema=["query", "doc", "score"],
        orient="row",
    )
    expected = rankgold.evaluate(qrels, run, ["ap", "ndcg"]).per_query
    true_hashes = hash_lookup.hashes_of
    for module in (hash_lookup, table_judgements):
        monkeypatch.setattr(module, "hashes_of", lambda documents: true_hashes(documents) & np.uint64(3))
    monkeypatch.setattr(hash_lookup, "_MIX", np.uint64(1))
    assert rankgold.evaluate(qrels, run, ["ap", "ndcg"]).per_query.equals(expected)


class Label:
    """An object that is known by its text."""

    def __str__(self):
        return "label"


@for_each(
    ("id_", "text"),
    [
        (7.0, "7"),
        (np.int64(7), "7"),
        (np.float32(7), "7"),
        (10**30, "1" + "0" * 30),
        (-7, "-7"),
        (b"\xc3\xa9", "é"),
        (np.str_("a"), "a"),
        (("u", 1), "('u', 1)"),
        (datetime.date(2020, 1, 1), "2020-01-01"),
        (uuid.UUID(int=1), "00000000-0000-0000-0000-000000000001"),
        (Label(), "label"),
    ],
)
def test_an_id_is_the_same_as_its_text(id_, text):
    # The document is at rank 2 of the query, under either of the two ids on either side.
    for judged in (id_, text):
        for ranked in (id_, text):
            scores = rankgold.evaluate({judged: {judged: 1}}, {ranked: {"x": 2.0, ranked: 1.0}}, "rr")
            assert scores["rr"] == 0.5
            assert rankgold.evaluate({judged: {judged: 1}}, {"run": {ranked: {ranked: 1.0}}}, "rr")["rr"] == 1.0
            frame = pd.DataFrame({"query": [ranked, ranked], "doc": ["x", ranked], "score": [2.0, 1.0]}, dtype=object)
            assert rankgold.evaluate({judged: {judged: 1}}, frame, "rr")["rr"] == 0.5
    assert json.loads(scores.to_json())["runs"]["run"]["per_query"] == {text: {"rr": 0.5}}
    assert scores.per_query.rows() == [(text, 0.5)]


@for_each("id_", [True, np.bool_(False), 1.5, float("nan"), float("inf"), 1e300, b"\xff", pd.NaT])
def test_what_is_not_an_id_is_an_error(id_):
    for qrels, run in (
        ({id_: {"a": 1}}, {"q": {"a": 1.0}}),
        ({"q": {id_: 1}}, {"q": {"a": 1.0}}),
        ({"q": {"a": 1}}, {"q": {id_: 1.0}}),
        ({"q": {"a": 1}}, {"q": [id_]}),
    ):
        with pytest.raises(rankgold.DataError, match="Ids must be integers or text"):
            rankgold.evaluate(qrels, run, "rr")


@pytest.mark.parametrize(
    "frame",
    [
        pl.DataFrame({"query": ["q"], "doc": [True], "score": [1.0]}),
        pd.DataFrame({"query": ["q"], "doc": [True], "score": [1.0]}),
        pd.DataFrame({"query": ["q", "q"], "doc": [True, "a"], "score": [1.0, 0.5]}),
    ],
)
def test_booleans_in_a_frame_are_not_ids(frame):
    for engine in (None, "duckdb"):
        with pytest.raises(rankgold.DataError, match="Ids must be integers or text"):
            rankgold.evaluate({"q": {"a": 1}}, frame, "rr", engine=engine)


def test_runs_with_integer_ids_and_runs_with_text_ids_go_together():
    # The first run finds both documents at rank 1, the second one of the two: the differences are 0 and 1.
    qrels = {1: {10: 1}, 2: {20: 1}}
    runs = {"whole": {1: {10: 1.0}, 2: {20: 1.0}}, "text": {"1": {"10": 1.0}, "2": {"30": 1.0}}}
    scores = rankgold.evaluate(qrels, runs, ["rr"])
    assert scores["rr"] == {"whole": 1.0, "text": 0.5}
    assert scores.differences("whole", "text") == {"rr": (0.5, 0.5, 2)}
    assert scores.per_query.rows() == [("whole", 1, 1.0), ("whole", 2, 1.0), ("text", 1, 1.0), ("text", 2, 0.0)]
    assert scores.to_pandas()["query"].tolist() == [1, 2, 1, 2]
    assert json.loads(scores.to_json())["runs"]["text"]["per_query"] == {"1": {"rr": 1.0}, "2": {"rr": 0.0}}


def test_a_query_added_as_an_integer_and_as_text_is_the_same_query():
    accumulator = rankgold.Accumulator(["rr"], per_query=True)
    accumulator.update({1: ["a"]}, {1: ["a"]})
    accumulator.update({"b": ["a"]}, {"b": ["x", "a"]})
    assert accumulator.scores().per_query.rows() == [("1", 1.0), ("b", 0.5)]
    with pytest.raises(rankgold.DataError, match="query '1' was added already"):
        accumulator.update({"1": ["a"]}, {"1": ["a"]})


def test_two_ids_in_one_ranking_that_are_the_same_as_text_follow_the_policy():
    # The document is first at rank 1 and again at rank 3; without the first place it is at rank 2.
    qrels = {"q": {"7": 1}}
    for run in ({"q": {7: 3.0, "x": 2.0, "7": 1.0}}, {"q": [7, "x", "7"]}):
        with pytest.raises(rankgold.DataError, match=r"same id as text|twice"):
            rankgold.evaluate(qrels, run, "rr")
        assert rankgold.evaluate(qrels, run, "rr", policy="duplicates=first")["rr"] == 1.0
        assert rankgold.evaluate(qrels, run, "rr", policy="duplicates=last")["rr"] == 0.5


def test_a_whole_float_beside_text_in_a_ranking_is_its_integer_if_queries_are_compared_as_text():
    # '7' is judged, and 7.0 is the same id: it is at rank 2.
    assert rankgold.evaluate({1: {"7": 1, "x": 0}}, {"1": {"x": 2.0, 7.0: 1.0}}, "rr")["rr"] == 0.5
