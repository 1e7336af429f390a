"""Every measure before and after a change of a ranking or of its judgements."""

import json
import math

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from rankgold.data.files import sample
from tests.all_measures import METRICS
from tests.cases import for_each
from tests.collections import collections, examples
from tests.shell import printed, refused

QRELS = {"q1": {"d1": 1, "d2": 1}, "q2": {"d1": 3, "d2": 1}}
RUN = {"q1": {"d1": 4, "x": 3, "y": 2, "d2": 1}, "q2": {"d2": 2, "d1": 1}}


def changed(measures=("ap",), **edits):
    return rankgold.what_if(QRELS, RUN, list(measures), **edits)


def test_a_document_that_is_moved_up_changes_its_query_and_the_mean():
    found = changed(move={("q1", "d2"): 2})
    # q1: (1/1 + 2/4) / 2 before, (1/1 + 2/2) / 2 after; q2 is 1 all the time.
    assert found.frame.rows() == [("q1", "ap", 0.75, 1.0, 0.25), (None, "ap", 0.875, 1.0, 0.125)]
    assert found.edits == ["q1: d2 moved from 4 to 2"]


def test_documents_are_removed_then_moved_then_added():
    found = changed(["rr"], add={("q1", "z"): 1}, move={("q1", "y"): 1, ("q1", "d2"): 1}, remove=[("q1", "d1")])
    # x y d2 -> y x d2 -> d2 y x -> z d2 y x
    assert found.edits == [
        "q1: d1 removed from 1",
        "q1: y moved from 2 to 1",
        "q1: d2 moved from 3 to 1",
        "q1: z added at 1",
    ]
    assert found.frame["after"].to_list() == [1 / 2, (1 / 2 + 1) / 2]


def test_a_grade_changes_what_is_relevant():
    found = changed(["rr", "p@1"], grade={("q1", "d1"): 0, ("q1", "x"): 2, ("q2", "d2"): None})
    assert found.frame["after"].to_list() == [1 / 2, 0, 1 / 2, 0, 1 / 2, 0]
    assert found.edits == [
        "q1: d1 was grade 1 and is grade 0",
        "q1: x was not judged and is grade 2",
        "q2: d2 was grade 1 and is not judged",
    ]


def test_the_highest_grade_of_the_collection_counts_for_queries_that_were_not_edited():
    found = changed(["err"], grade={("q1", "d1"): 4})
    # The scale of err ends at the highest grade of all judgements, so that q2 changes with it.
    expected = rankgold.evaluate({**QRELS, "q1": {"d1": 4, "d2": 1}}, RUN, ["err"])
    assert found.after["err"] == expected["err"]


def test_any_form_of_data_is_taken_and_ids_are_found_by_their_text():
    qrels = pd.DataFrame({"query": [7, 7], "document": [1, 2], "grade": [0, 1]})
    run = pd.DataFrame({"query": [7, 7], "document": [1, 2], "score": [2.0, 1.0]})
    found = rankgold.what_if(qrels, run, ["rr"], move={(7, 2): 1})
    assert found.frame["after"].to_list() == [1, 1]
    assert found.queries == ["7"]


def test_a_query_that_was_not_ranked_can_get_documents():
    found = rankgold.what_if(QRELS, {"q1": RUN["q1"]}, ["rr"], add={("q2", "d1"): 1})
    assert found.frame.rows()[0] == ("q2", "rr", 0, 1, 1)


@for_each(
    ("edits", "message"),
    [
        ({}, "Nothing to change"),
        ({"move": {("q1", "d9"): 1}}, "Query 'q1' does not rank 'd9'."),
        ({"remove": [("q3", "d1")]}, "There is no query 'q3'."),
        ({"add": {("q1", "d1"): 1}}, "Query 'q1' ranks 'd1' already. Move it instead."),
        ({"add": {("q1", "z"): 6}}, "The rank of 'z' in query 'q1' must be at most 5, not 6."),
        ({"move": {("q1", "d1"): 0}}, "must be a whole number from 1, not 0"),
        ({"move": {("q1", "d1"): True}}, "must be a whole number from 1"),
        ({"move": [("q1", "d1")]}, "move must be a dict from (query, document) to a number"),
        ({"remove": "q1"}, "remove must be a list of (query, document)"),
        ({"remove": [("q1", "d1", "x")]}, "remove must be a list of (query, document)"),
        ({"grade": {("q1", "d1"): math.nan}}, "must be a number or None, not nan"),
        ({"grade": {("q1", "x"): None}}, "has no judgement of 'x' to take away"),
    ],
)
def test_a_change_that_cannot_be_made_is_an_error(edits, message):
    with pytest.raises(rankgold.ComparisonError) as error:
        changed(**edits)
    assert message in str(error.value)


def test_tied_documents_have_no_rank_to_move_from_if_ties_are_averaged():
    run = {"q1": {"d1": 1, "x": 1}}
    with pytest.raises(rankgold.ComparisonError, match="ties=average"):
        rankgold.what_if(QRELS, run, ["rr"], move={("q1", "d1"): 1}, policy="ties=average")
    # Descending by id, x is above d1.
    assert rankgold.what_if(QRELS, run, ["rr"], move={("q1", "d1"): 1}).edits == ["q1: d1 moved from 2 to 1"]


def test_two_runs_and_judgements_for_subtopics_are_errors():
    with pytest.raises(rankgold.ComparisonError, match="There are 2 runs"):
        rankgold.what_if(
            QRELS,
            pd.DataFrame({"run": ["a", "b"], "query": ["q1"] * 2, "document": ["d"] * 2, "score": [1, 2]}),
            move={("q1", "d"): 1},
        )
    of_subtopics = {"q1": {"d1": {"s1": 1, "s2": 1}}}
    with pytest.raises(rankgold.ComparisonError, match="a grade for each subtopic"):
        rankgold.what_if(of_subtopics, RUN, ["rr"], grade={("q1", "d1"): 2})


@examples(5)
@given(collections(longest=6), st.data())
def test_moving_a_document_away_and_back_changes_nothing_for_every_measure(collection, data):
    qrels, run = collection
    query = data.draw(st.sampled_from([query for query in run if run[query]]))
    document = data.draw(st.sampled_from(sorted(run[query], key=str)))
    measures = [metric() for metric in METRICS]
    away = rankgold.what_if(qrels, run, measures, move={(query, document): 1})
    there = int(away.edits[0].split(" moved from ")[1].split(" to ")[0])
    # The changed ranking again, as scores that fall from document to document.
    order = sorted(run[query], key=lambda id_: (run[query][id_], str(id_)), reverse=True)
    moved = [document, *(id_ for id_ in order if id_ != document)]
    expected = rankgold.evaluate(qrels, {**run, query: {id_: -i for i, id_ in enumerate(moved)}}, measures)
    for measure in measures:
        assert away.after[measure] == pytest.approx(expected[measure], abs=1e-12, nan_ok=True)
    back = rankgold.what_if(qrels, run, measures, move={(query, document): there})
    for measure in measures:
        assert back.after[measure] == pytest.approx(back.before[measure], abs=1e-12, nan_ok=True)


def test_the_shell_takes_every_kind_of_change(tmp_path):
    files = [str(sample("qrels.txt")), str(sample("bm25.trec"))]
    edits = ["--move", "q10", "cake-01", "1", "--remove", "q10", "cake-02", "--add", "q11", "new one", "1"]
    shown = printed("what-if", *files, *edits, "--grade", "q11", "new one", "2", "-m", "ndcg@10", "-f", "json")
    found = json.loads(shown)
    expected = rankgold.what_if(
        *files, ["ndcg@10"], move={("q10", "cake-01"): 1}, remove=[("q10", "cake-02")],
        add={("q11", "new one"): 1}, grade={("q11", "new one"): 2},
    )  # fmt: skip
    assert found == expected.to_dict()
    printed("what-if", *files, *edits, "-o", str(tmp_path / "changed.csv"))
    assert (tmp_path / "changed.csv").read_text().startswith("query,measure,before,after,change\n")
    with pytest.raises(rankgold.ComparisonError, match="must be a whole number from 1"):
        printed("what-if", *files, "--move", "q10", "cake-01", "first")
    with pytest.raises(rankgold.ComparisonError, match="must be a number or none, not 'high'"):
        printed("what-if", *files, "--grade", "q10", "cake-01", "high")


def test_changes_that_would_be_lost_are_errors():
    files = [str(sample(name)) for name in ("qrels.txt", "bm25.trec")]
    move = ["--move", "q10", "cake-01", "1"]
    assert "There is no query 'q10' among the topics." in refused("what-if", *files, *move, "--topics", "q11")
    assert "two changes of one kind for 'cake-01'" in refused("what-if", *files, *move, *move)


def test_documents_are_ranked_by_their_best_chunk():
    # The parents are x, d: rr 1/2. With the chunk of d first it is 1.
    run = {"q": {"x#1": 3, "x#2": 2, "d#1": 1}}
    found = rankgold.what_if({"q": {"d": 1}}, run, ["rr"], move={("q", "d#1"): 1}, parent="#")
    assert next(found.rows()) == ("q", "rr", 0.5, 1.0)


def test_the_table_has_four_digits_and_rows_named_by_query_and_measure():
    [table] = changed(move={("q1", "d2"): 2}).document().tables
    assert (table.keys, table.digits, table.alignment) == (2, 4, "llrrr")
    assert table.rows[0] == ["q1", "ap", 0.75, 1.0, 0.25]
