"""Dicts, frames and files hold the same collection: they must give the same numbers, bit for bit."""

from unittest import mock
from unittest.mock import patch

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from rankgold.data import inputs
from tests.all_measures import METRICS
from tests.cases import for_each
from tests.collections import NUMERIC_IDS, collections, examples, rows, write_trec

MEASURES = [
    str(measure) for metric in METRICS for measure in (metric(), *([metric @ 3] if metric.takes_cutoff else []))
]
MEASURES += ["ap(norm=retrieved)@3", "mr(miss=last)", "ndcg(gain=exp, ideal=retrieved)@4"]

POLICIES = [
    *(f"ties={choice}" for choice in ("descending", "ascending", "input", "average")),
    *(f"ties={choice},unjudged=condensed" for choice in ("descending", "ascending", "input", "average")),
    "missing=skip",
    "missing=skip,unjudged=condensed",
    "no_relevant=skip",
    "no_relevant=undefined,undefined=zero",
    "score_bits=32",
    "unretrieved=dropped",
    "unretrieved=dropped,ties=average",
    "unretrieved=dropped,unjudged=condensed",
    "unretrieved=dropped,depth=2",
]

# Nearly equal scores among tied ones: what is tied depends on the width at which they are compared.
SCORES = st.builds(lambda base, step: base + step * 1e-10, st.sampled_from([0.1, 1.0, 2.5]), st.integers(0, 2))


def frame(tables, number):
    return pl.DataFrame(rows(tables), schema=["query", "document", number], orient="row", infer_schema_length=None)


def interleaved(tables, number):
    """The rows of all queries in turns: each query's own stay in their order."""
    table = frame(tables, number)
    return table.with_columns(turn=pl.int_range(pl.len()).over("query")).sort("turn", maintain_order=True).drop("turn")


def numbers(qrels, run, policy):
    """Every value and every mean, as text that tells floats apart to the last bit."""
    scores = rankgold.evaluate(qrels, run, MEASURES, policy=policy)
    per_query = {
        str(row.pop("query")): {name: value.hex() for name, value in row.items()} for row in scores.per_query.to_dicts()
    }
    return per_query, {name: value.hex() for name, value in scores.means.items()}


def findings(qrels, run, policy):
    """What is noted about the data, remarks on its form aside."""
    notes = rankgold.evaluate(qrels, run, MEASURES, policy=policy).notes.to_dict()
    del notes["remarks"]
    return {name: sorted(map(str, value)) if isinstance(value, list) else value for name, value in notes.items()}


def with_each_trec_reader():
    """Twice: files are small, and read without Polars; and no file is small."""
    yield
    with patch.object(inputs, "SMALL", -1), patch.object(inputs, "read_small_trec", None):
        yield


@examples(45)
@given(st.sampled_from(POLICIES), collections(scores=SCORES))
def test_dicts_frames_and_files_give_identical_numbers(tmp_path_factory, policy, collection):
    qrels, run = collection
    expected = numbers(qrels, run, policy)
    assert numbers(frame(qrels, "grade"), frame(run, "score"), policy) == expected
    assert numbers(interleaved(qrels, "grade"), interleaved(run, "score"), policy) == expected
    files = write_trec(tmp_path_factory.getbasetemp(), qrels, run)
    assert numbers(*files, policy) == expected
    with mock.patch.object(inputs, "SMALL", -1):  # so that Polars reads them
        assert numbers(*files, policy) == expected


@examples(25)
@given(st.sampled_from(POLICIES), collections(scores=SCORES, ids=NUMERIC_IDS, queries=("9", "10", "100")))
def test_integer_ids_give_the_same_numbers_as_the_same_ids_in_text(policy, collection):
    as_text = collection
    qrels, run = ({int(q): {int(d): n for d, n in row.items()} for q, row in tables.items()} for tables in as_text)
    expected = numbers(*as_text, policy)
    assert numbers(qrels, run, policy) == expected
    assert numbers(frame(qrels, "grade"), frame(run, "score"), policy) == expected
    assert numbers(qrels, as_text[1], policy) == expected
    assert numbers(frame(qrels, "grade"), frame(as_text[1], "score"), policy) == expected


@examples(12)
@given(collections(scores=SCORES))
def test_a_dict_can_be_matched_with_a_frame_or_a_file(tmp_path_factory, collection):
    qrels, run = collection
    judgements_file, run_file = write_trec(tmp_path_factory.getbasetemp(), qrels, run)
    expected = numbers(qrels, run, None)
    assert numbers(qrels, frame(run, "score"), None) == expected
    assert numbers(frame(qrels, "grade"), run, None) == expected
    assert numbers(qrels, run_file, None) == expected
    assert numbers(judgements_file, run, None) == expected


@examples(15)
@given(st.sampled_from([None, "unjudged=condensed", "ties=average", "missing=skip"]), collections(scores=SCORES))
def test_dicts_frames_and_files_are_noted_alike(tmp_path_factory, policy, collection):
    qrels, run = collection
    expected = findings(qrels, run, policy)
    assert findings(frame(qrels, "grade"), frame(run, "score"), policy) == expected
    for _ in with_each_trec_reader():
        assert findings(*write_trec(tmp_path_factory.getbasetemp(), qrels, run), policy) == expected


def test_the_terms_of_tied_documents_are_added_in_the_same_order_whatever_the_form():
    # Four tied documents, two of them relevant, judged in one order and ranked in another: floats tell how they add up.
    qrels, run = {"q": {"9": 3, "101": 1}}, {"q": {"1": 0.1, "2": 0.1, "101": 0.1, "9": 0.1}}
    expected = numbers(qrels, run, "ties=average")
    assert numbers(frame(qrels, "grade"), frame(run, "score"), "ties=average") == expected


@st.composite
def arrays(draw):
    """Grades and scores of a few queries: flat, with how many documents each has, often all the same number."""
    lengths = draw(
        st.one_of(
            st.integers(1, 12).flatmap(lambda n: st.lists(st.just(n), min_size=1, max_size=5)),
            st.lists(st.integers(1, 12), min_size=1, max_size=5),
        )
    )
    grades = draw(st.lists(st.integers(-1, 3), min_size=sum(lengths), max_size=sum(lengths)))
    scores = draw(st.lists(SCORES, min_size=sum(lengths), max_size=sum(lengths)))
    return lengths, grades, scores


@examples(40)
@given(
    st.sampled_from([policy for policy in POLICIES if "ascending" not in policy and "descending" not in policy]),
    arrays(),
)
def test_arrays_ranked_only_so_far_give_the_numbers_of_the_same_data_in_dicts(policy, given_arrays):
    lengths, grades, scores = given_arrays
    qrels, run, at = {}, {}, 0
    for number, length in enumerate(lengths, start=1):
        qrels[str(number)] = dict(enumerate(grades[at : at + length]))
        run[str(number)] = dict(enumerate(scores[at : at + length]))
        at += length
    if "ties" not in policy:
        policy += ",ties=input"
    hits = rankgold.from_arrays(grades, scores, groups=lengths, policy=policy)
    from_arrays = rankgold.evaluate(hits, MEASURES)
    from_dicts = rankgold.evaluate(qrels, run, MEASURES, policy=policy)
    for measure in MEASURES:
        assert from_arrays.values(measure) == pytest.approx(from_dicts.values(measure), abs=1e-12, nan_ok=True)
    assert {**from_arrays.notes.to_dict(), "remarks": []} == {**from_dicts.notes.to_dict(), "remarks": []}
    if len(set(lengths)) == 1:
        shape = (len(lengths), lengths[0])
        square = rankgold.from_arrays(np.reshape(grades, shape), np.reshape(scores, shape), policy=policy)
        alike = [rankgold.evaluate(square, MEASURES).to_dict(), from_arrays.to_dict()]
        for scores_of_form in alike:
            del scores_of_form["notes"]["run"]["remarks"]  # on the form, where every query has one document
        assert alike[0] == alike[1]


@for_each("grade_type", [np.int8, np.uint8, np.int64, np.float16, np.float32, np.bool_])
@for_each("score_type", [np.int16, np.uint64, np.float16, np.float32, np.float64])
def test_numbers_of_any_width_are_ranked_alike(grade_type, score_type):
    # By score: documents 3, 1, then the tied 0 and 2. Of the relevant ones, 1 and 2, one is at rank 2 and the other at
    # rank 3 or 4: p@2 = 1/2, p@3 = (1 + 1/2)/3.
    hits = rankgold.from_arrays(
        np.array([[0, 1, 1, 0]], dtype=grade_type), np.array([[1, 2, 1, 3]], dtype=score_type), policy="ties=average"
    )
    assert rankgold.evaluate(hits, ["p@2", "p@3", "r@4"]).means == pytest.approx({"p@2": 0.5, "p@3": 0.5, "r@4": 1.0})
