"""Notes that grades and scores give rise to: sides that may be swapped, and what the threshold makes relevant."""

import json

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankgold
from rankgold.data.columns import SWAPPED
from rankgold.engines.spark import prepared_data
from tests.cases import for_each
from tests.shell import printed
from tests.spark import frame as spark_frame
from tests.test_objects import columns_of, records_of, relation

QRELS = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d4": 1}}
RUN = {"q1": {"d2": 12.5, "d1": 0.8, "d5": 0.7, "d3": 0.6}, "q2": {"d4": 1.5, "d9": 1.0}}
SWAPPED_NOTE = f"the grades look like scores, and the scores like grades: {SWAPPED}"


def remarks(*arguments, **keywords):
    return rankgold.evaluate(*arguments, **keywords).notes.remarks


def frame_forms(tables):
    columns = columns_of(tables, "score")
    return {
        "dict": tables,
        "pandas": pd.DataFrame(columns),
        "Polars": pl.DataFrame(columns),
        "PyArrow": pa.table(columns),
        "DuckDB": relation(columns),
        "records": records_of(columns),
    }


# --- swapped


@for_each("engine", ["local", "duckdb"])
@for_each("form", frame_forms(RUN))
def test_judgements_and_a_run_that_may_be_swapped_are_noted_in_every_form(form, engine):
    qrels, run = frame_forms(QRELS)[form], frame_forms(RUN)[form]
    assert SWAPPED_NOTE in remarks(run, qrels, ["ndcg"], engine=engine)
    assert SWAPPED_NOTE not in remarks(qrels, run, ["ndcg"], engine=engine)


def test_swapped_files_without_columns_that_tell_are_noted_at_the_shell(tmp_path):
    for name, tables in {"qrels.json": QRELS, "run.json": RUN}.items():
        (tmp_path / name).write_text(json.dumps(tables))
    qrels, run = str(tmp_path / "qrels.json"), str(tmp_path / "run.json")
    assert f"note: {SWAPPED_NOTE}\n" in printed("evaluate", run, qrels, "-m", "ndcg")
    assert SWAPPED not in printed("evaluate", qrels, run, "-m", "ndcg")


def test_swapped_arrays_are_noted():
    grades, scores = [[1, 0, 2]], [[0.3, 0.9, 1.7]]
    assert SWAPPED_NOTE in remarks(rankgold.from_arrays(scores, grades), ["ndcg"])
    assert SWAPPED_NOTE not in remarks(rankgold.from_arrays(grades, scores), ["ndcg"])


def test_whole_scores_far_above_any_grade_are_noted_as_swapped_too():
    assert SWAPPED_NOTE in remarks({"q": {"a": 1000, "b": 999}}, {"q": {"a": 1, "b": 0}}, ["ndcg"])


@for_each(
    ("qrels", "run"),
    [
        ({"q": {"a": 1, "b": 0}}, {"q": {"a": 2, "b": 1}}),
        ({"q": {"a": 0.7, "b": 0}}, {"q": ["a", "b"]}),
        ({"q": {"a": 0.7, "b": 0}}, {"q": {"a": 0.2, "b": 1}}),
        ({"q": {"a": 0.7, "b": 0}}, {"q": {"a": 40, "b": 30}}),
        ({"q": {"a": 0.7, "b": 0}}, {"q": {"a": 0, "b": 0}}),
        ({"q": {"a": 0.7, "b": 0}}, {"q": {"c": 1}}),
    ],
    ids=["whole on both sides", "ranked lists", "real on both sides", "high scores", "no score above 0", "no hit"],
)
def test_sides_that_need_not_be_swapped_are_not_noted(qrels, run):
    assert SWAPPED_NOTE not in remarks(qrels, run, ["ndcg"])


@for_each("frame", [pd.DataFrame, pl.DataFrame, pa.table])
@for_each("engine", ["local", "duckdb"])
def test_a_frame_of_grades_as_run_is_an_error_with_a_hint(frame, engine):
    qrels, run = frame(columns_of(QRELS, "grade")), frame(columns_of(RUN, "score"))
    with pytest.raises(rankgold.DataError, match=r"the score of a run.* may be swapped \(judgements come first\)"):
        rankgold.evaluate(run, qrels, engine=engine)
    with pytest.raises(rankgold.DataError, match=r"the grade of judgements.* may be swapped"):
        rankgold.evaluate(frame(columns_of(RUN, "rank")), qrels, engine=engine)


def test_a_frame_without_a_known_number_gives_no_hint_of_swapped_sides():
    with pytest.raises(rankgold.DataError, match="the score of a run") as error:
        rankgold.evaluate(QRELS, pd.DataFrame(columns_of(RUN, "weight")))
    assert "swapped" not in str(error.value)


def test_a_set_of_documents_as_run_is_an_error_with_a_hint():
    with pytest.raises(rankgold.DataError, match=r"a set, which has no order.*may be swapped"):
        rankgold.evaluate({"q": ["a", "b"]}, {"q": {"a"}})


# --- the threshold

RATINGS = {"ana": {"a": 5, "b": 1, "c": 3}, "bo": {"a": 4}}
LISTS = {"ana": ["a", "b", "c"], "bo": ["a"]}
ALL_RELEVANT = (
    "all 4 judged documents are relevant to ap, p@5, rr and 1 more: their grades are 1 to 5."
    " If low grades are not relevant, pass rel=, as in ap(rel=4)"
)
MEASURES = ["ap", "ndcg", "p@5", "rr", "r(rel=4)", "hit"]


def test_ratings_that_are_all_relevant_are_noted_with_their_number():
    assert remarks(RATINGS, LISTS, MEASURES) == (ALL_RELEVANT,)


def test_the_note_is_given_once_for_all_runs_and_measures():
    text = repr(rankgold.evaluate(RATINGS, {"old": LISTS, "new": LISTS}, MEASURES))
    assert text.count("judged documents are relevant") == 1
    assert f"\n{ALL_RELEVANT}" in text


@for_each(
    ("qrels", "measures"),
    [
        ({"q": {"a": 1, "b": 1}}, ["ap"]),
        ({"q": ["a", "b"]}, ["ap"]),
        ({"q": {"a": 3, "b": 3}}, ["ap"]),
        ({"q": {"a": 2, "b": 1, "c": 0}}, ["ap"]),
        ({"q": {"a": 5, "b": 1}}, ["ndcg", "err"]),
        ({"q": {"a": 5, "b": 1}}, ["ap(rel=4)"]),
        ({"q": {"a": 0, "b": 0}}, ["ap"]),
        ({"q": {"a": 0.7, "b": 0.2}}, ["ap(rel=0.5)", "ndcg"]),
    ],
    ids=[
        "binary",
        "lists",
        "one grade",
        "with 0",
        "no threshold",
        "rel given",
        "nothing relevant",
        "rel given below 1",
    ],
)
def test_usual_judgements_give_no_note(qrels, measures):
    assert remarks(qrels, {"q": {"a": 0.5, "b": 0.4}}, measures) == ()


def test_grades_between_0_and_1_are_noted_with_what_to_pass():
    qrels = {"q": {"a": 0.7, "b": 0, "c": 1, "d": 0.2}}
    (remark,) = remarks(qrels, {"q": ["a", "b"]}, ["ndcg", "ap@5"])
    assert remark == (
        "2 of 4 judgements have a grade above 0 and below 1, which is not relevant to ap@5."
        " Pass rel= to count them, as in ap(rel=0.5)@5"
    )
    (remark,) = remarks({"q": {"a": 0.2}}, {"q": ["a"]}, ["rr"])
    assert remark.endswith("as in rr(rel=0.1)")


def test_a_threshold_above_all_grades_is_noted():
    (remark,) = remarks({"q": {"a": 2, "b": 0}}, {"q": ["a", "b"]}, ["ap(rel=3)", "rr"])
    assert remark == "no judged document is relevant to ap(rel=3): the highest grade is 2. Pass a lower rel="


def test_labels_lists_and_arrays_give_the_same_notes():
    expected = ("all 2 judged documents are relevant to ap: their grades are 1 to 5. If low grades are not relevant, pass rel=, as in ap(rel=4)",)  # fmt: skip
    assert remarks(rankgold.from_labels([[5, 1]]), ["ap"]) == expected
    assert remarks(rankgold.from_lists([["a", "b"]], [{"a": 5, "b": 1}]), ["ap"]) == expected
    for grades in ([[5, 1]], [[5.0, 1.0]]):
        assert remarks(rankgold.from_arrays(grades, [[0.5, 0.4]]), ["ap"]) == expected
    # The document under the mask has grade 0.
    assert remarks(rankgold.from_arrays([[5, 1, 0]], [[0.5, 0.4, 0.3]], mask=[[1, 1, 0]]), ["ap"]) == expected


def test_an_accumulator_notes_what_holds_for_all_batches_together():
    # Each batch has a single grade; together they are 1 and 5. A grade of 0 in a later batch ends the note.
    accumulator = rankgold.Accumulator(["ap"])
    accumulator.update({"q1": {"a": 5}}, {"q1": ["a"]})
    assert accumulator.scores().notes.remarks == ()
    other = rankgold.Accumulator(["ap"])
    other.update({"q2": {"a": 1}}, {"q2": ["a"]})
    accumulator.merge(other)
    (remark,) = accumulator.scores().notes.remarks
    assert remark.startswith("all 2 judged documents are relevant to ap: their grades are 1 to 5.")
    accumulator.update({"q3": {"a": 0.5, "b": 0}}, {"q3": ["a"]})
    nothing_relevant, partial = accumulator.scores().notes.remarks
    assert nothing_relevant == "1 query without a relevant document"
    assert partial.startswith("1 of 4 judgements have a grade above 0 and below 1")


def test_notes_count_judgements_and_give_the_range_of_their_grades():
    notes = rankgold.evaluate(RATINGS, LISTS, ["ap"]).notes.to_dict()
    assert [notes[name] for name in ("judged", "lowest_grade", "highest_grade", "partial_grades")] == [4, 1.0, 5.0, 0]
    nothing = rankgold.evaluate({"q": {}}, {"q": ["a"]}, ["ap"]).notes.to_dict()
    assert [nothing[name] for name in ("judged", "lowest_grade", "highest_grade")] == [0, None, None]


# --- every engine

CASES = {
    "swapped": (RUN, QRELS, ["ndcg"]),
    "ratings": (RATINGS, {"ana": {"a": 0.5, "b": 0.4, "z": 0.1}, "bo": {"z": 0.2}}, ["ap", "rr(rel=4)"]),
    "partial": ({"q1": {"a": 0.7, "b": 0.2}, "q2": {"a": 2}}, {"q1": {"a": 0.5}, "q2": {"a": 0.5}}, ["ap", "r(rel=9)"]),
}


def expected_of(case):
    qrels, run, measures = CASES[case]
    expected = remarks(qrels, run, measures)
    assert expected
    return expected


@pytest.mark.parametrize("case", CASES)
def test_tables_and_duckdb_give_the_notes_of_dicts(case):
    qrels, run, measures = CASES[case]
    judged, ranked = pl.DataFrame(columns_of(qrels, "grade")), pl.DataFrame(columns_of(run, "score"))
    for engine in ("local", "duckdb"):
        scores = rankgold.evaluate(judged, ranked, measures, engine=engine)
        assert scores.notes.remarks == expected_of(case)
        assert scores.to_dict()["notes"]["run"]["remarks"] == list(expected_of(case))
    assert remarks(rankgold.match(judged, ranked), measures) == expected_of(case)


@pytest.mark.spark
@pytest.mark.parametrize(
    ("case", "limit", "per_query"),
    [
        ("swapped", prepared_data.BROADCAST_LIMIT, True),
        ("swapped", 0, False),
        ("ratings", prepared_data.BROADCAST_LIMIT, False),
        ("partial", 0, True),
    ],
)
def test_spark_gives_the_notes_of_dicts(spark, monkeypatch, case, limit, per_query):
    """Judgements are broadcast or shuffled, and the values of queries come back or their sums."""
    monkeypatch.setattr(prepared_data, "BROADCAST_LIMIT", limit)
    qrels, run, measures = CASES[case]
    judged, ranked = spark_frame(spark, qrels, "grade"), spark_frame(spark, run, "score")
    scores = rankgold.evaluate(judged, ranked, measures, per_query=per_query)
    counted = (" judged but not ranked", " without a relevant document")  # queries, where their values are not kept
    assert tuple(remark for remark in scores.notes.remarks if not remark.endswith(counted)) == expected_of(case)


@pytest.mark.spark
def test_hits_of_spark_give_the_notes_of_dicts(spark):
    qrels, run, measures = CASES["swapped"]
    hits = rankgold.match(spark_frame(spark, qrels, "grade"), spark_frame(spark, run, "score"))
    assert remarks(hits, measures) == expected_of("swapped")
