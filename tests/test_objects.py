"""Objects instead of files: frames, tables, dicts and records, mixed in any way, and left as they were."""

import copy
import json
from pathlib import Path

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankgold
from rankgold.data.matching.judgements import IDS_AS_TEXT
from tests.cases import for_each

# q1 ranks d2, d1, d5, d3 and d1, d3 are relevant: AP = (1/2 + 2/4) / 2 = 1/2, P@2 = 1/2.
# q2 ranks d4, d9 and d4 is relevant: AP = 1, P@2 = 1/2.
QRELS = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d4": 1}}
RUN = {"q1": {"d2": 0.9, "d1": 0.8, "d5": 0.7, "d3": 0.6}, "q2": {"d4": 1.5, "d9": 1.0}}
MEANS = {"ap": 3 / 4, "p@2": 1 / 2}
MEASURES = list(MEANS)


def columns_of(tables, number):
    rows = [(query, document, value) for query, row in tables.items() for document, value in row.items()]
    query, document, value = (list(column) for column in zip(*rows, strict=True))
    return {"query": query, "doc": document, number: value}


def records_of(columns):
    return [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def written(columns, path):
    pl.DataFrame(columns).write_csv(path)
    return str(path)


CONNECTIONS = []  # kept: before DuckDB 1.5 a relation does not keep its connection open


def relation(columns):
    CONNECTIONS.append(duckdb.connect())
    CONNECTIONS[-1].register("given", pd.DataFrame(columns))
    return CONNECTIONS[-1].sql("SELECT * FROM given")


FORMS = {
    "dict of dicts": lambda tables, columns, path: tables,
    "pandas": lambda tables, columns, path: pd.DataFrame(columns),
    "pandas with an index": lambda tables, columns, path: pd.DataFrame(
        columns, index=range(100, 100 + len(columns["doc"]))
    ),
    "Polars": lambda tables, columns, path: pl.DataFrame(columns),
    "Polars lazy": lambda tables, columns, path: pl.LazyFrame(columns),
    "PyArrow table": lambda tables, columns, path: pa.table(columns),
    "PyArrow batches": lambda tables, columns, path: pa.table(columns).to_reader(max_chunksize=2),
    "DuckDB": lambda tables, columns, path: relation(columns),
    "records": lambda tables, columns, path: records_of(columns),
    "tuple of records": lambda tables, columns, path: tuple(records_of(columns)),
    "CSV file": lambda tables, columns, path: written(columns, path / f"{list(columns)[-1]}.csv"),
    "CSV path": lambda tables, columns, path: Path(written(columns, path / f"{list(columns)[-1]}.csv")),
}


def formed(form, tables, number, path):
    return FORMS[form](tables, columns_of(tables, number), path)


@for_each("run_form", FORMS)
@for_each("qrels_form", FORMS)
def test_every_form_goes_with_every_form(tmp_path, qrels_form, run_form):
    qrels, run = formed(qrels_form, QRELS, "grade", tmp_path), formed(run_form, RUN, "score", tmp_path)
    scores = rankgold.evaluate(qrels, run, MEASURES)
    assert scores.means == MEANS
    assert scores.per_query.to_dict(as_series=False) == {"query": ["q1", "q2"], "ap": [0.5, 1.0], "p@2": [0.5, 0.5]}
    assert scores.notes.remarks == ()
    # Of the 6 documents that were retrieved, d5 and d9 are not judged.
    assert scores.notes.unjudged_share == pytest.approx(2 / 6)


@for_each("truth", [list, tuple, set, frozenset, np.array])
def test_collections_of_documents_are_what_is_relevant(truth):
    qrels = {"q1": truth(["d1", "d3"]), "q2": truth(["d4"])}
    assert rankgold.evaluate(qrels, RUN, MEASURES).means == MEANS


@for_each("ranked", [list, tuple, np.array, pd.Series, pl.Series])
def test_ranked_lists_are_runs(ranked):
    run = {"q1": ranked(["d2", "d1", "d5", "d3"]), "q2": ranked(["d4", "d9"])}
    assert rankgold.evaluate(QRELS, run, MEASURES).means == MEANS


@for_each("form", ["dict of dicts", "pandas", "Polars", "PyArrow table", "DuckDB", "records"])
def test_several_runs_go_by_name_or_in_a_list(tmp_path, form):
    better = {"q1": {"d1": 2.0, "d3": 1.0}, "q2": {"d4": 1.0}}  # both queries perfect: AP = 1
    runs = [formed(form, tables, "score", tmp_path) for tables in (RUN, better)]
    named = rankgold.evaluate(QRELS, {"bm25": runs[0], "dense": runs[1]}, ["ap"])
    assert named["ap"] == {"bm25": 0.75, "dense": 1.0}
    assert rankgold.evaluate(QRELS, runs, ["ap"])["ap"] == {"run": 0.75, "run (2)": 1.0}
    assert rankgold.evaluate(QRELS, tuple(runs), ["ap"])["ap"] == {"run": 0.75, "run (2)": 1.0}


def test_several_runs_may_be_of_several_forms(tmp_path):
    runs = {form: formed(form, RUN, "score", tmp_path) for form in FORMS}
    assert rankgold.evaluate(QRELS, runs, ["ap"])["ap"] == dict.fromkeys(FORMS, 0.75)


def test_several_runs_of_ranked_lists_go_by_name():
    runs = {"up": {"q1": ["d1", "d3"], "q2": ["d4"]}, "down": {"q1": ["d2", "d1", "d5", "d3"], "q2": ["d4"]}}
    assert rankgold.evaluate(QRELS, runs, ["ap"])["ap"] == {"up": 1.0, "down": 0.75}


def test_a_column_of_runs_in_a_frame_tells_several_apart():
    columns = columns_of(RUN, "score")
    both = pd.DataFrame({**columns, "system": ["bm25"] * 6})
    both = pd.concat([both, pd.DataFrame({"query": ["q1"], "doc": ["d1"], "score": [1.0], "system": ["short"]})])
    # short has d1 alone for q1, AP = 1/2, and nothing for q2, which scores 0.
    assert rankgold.evaluate(QRELS, both, ["ap"])["ap"] == {"bm25": 0.75, "short": 0.25}


INTEGERS = {1: {11: 2, 12: 0, 13: 1}, 2: {14: 1}}
INTEGER_RUN = {1: {12: 0.9, 11: 0.8, 15: 0.7, 13: 0.6}, 2: {14: 1.5, 19: 1.0}}


def as_text(tables):
    return {str(query): {str(document): value for document, value in row.items()} for query, row in tables.items()}


@for_each("run_form", ["dict of dicts", "pandas", "Polars lazy", "PyArrow batches", "DuckDB", "records"])
@for_each("qrels_form", ["dict of dicts", "pandas", "records"])
def test_integers_on_one_side_and_text_on_the_other_are_compared_as_text_and_noted(tmp_path, qrels_form, run_form):
    def scores(qrels, run):
        return rankgold.evaluate(
            formed(qrels_form, qrels, "grade", tmp_path), formed(run_form, run, "score", tmp_path), MEASURES
        )

    for qrels, run in ((INTEGERS, as_text(INTEGER_RUN)), (as_text(INTEGERS), INTEGER_RUN)):
        mixed = scores(qrels, run)
        assert mixed.means == MEANS
        assert mixed.notes.remarks == (IDS_AS_TEXT,)
    for qrels, run in ((INTEGERS, INTEGER_RUN), (as_text(INTEGERS), as_text(INTEGER_RUN))):
        alike = scores(qrels, run)
        assert alike.means == MEANS
        assert alike.notes.remarks == ()


def test_integers_in_a_frame_meet_the_text_of_a_trec_file(tmp_path):
    (tmp_path / "q").write_text("1 0 11 2\n1 0 12 0\n1 0 13 1\n2 0 14 1\n")
    scores = rankgold.evaluate(tmp_path / "q", pd.DataFrame(columns_of(INTEGER_RUN, "score")), MEASURES)
    assert scores.means == MEANS
    assert scores.notes.remarks == (IDS_AS_TEXT,)


@pytest.mark.parametrize("integer", [np.int64, np.int32, np.uint8])
def test_integers_of_numpy_are_integers(integer):
    run = {integer(query): {integer(d): np.float32(s) for d, s in row.items()} for query, row in INTEGER_RUN.items()}
    scores = rankgold.evaluate(INTEGERS, run, MEASURES)
    assert (scores.means, scores.notes.remarks) == (MEANS, ())
    assert json.loads(scores.to_json())["runs"]["run"]["per_query"]["1"] == {"ap": 0.5, "p@2": 0.5}


def test_text_of_numpy_is_text():
    run = {np.str_(query): {np.str_(d): np.float64(s) for d, s in row.items()} for query, row in RUN.items()}
    scores = rankgold.evaluate({np.str_(query): row for query, row in QRELS.items()}, run, MEASURES)
    assert (scores.means, scores.notes.remarks) == (MEANS, ())


@for_each("dtype", ["int8", "uint16", "int32", "uint64", "float64", "Int64"])
def test_whole_numbers_of_every_type_are_ids(dtype):
    frame = pd.DataFrame(columns_of(INTEGER_RUN, "score")).astype({"query": dtype, "doc": dtype})
    scores = rankgold.evaluate(INTEGERS, frame, MEASURES)
    assert (scores.means, scores.notes.remarks) == (MEANS, ())


@pytest.mark.parametrize("convert", ["category", "string", "object", "string[pyarrow]"])
def test_ids_may_be_categories_or_any_kind_of_text_in_pandas(convert):
    frame = pd.DataFrame(columns_of(RUN, "score")).astype({"query": convert, "doc": convert})
    qrels = pd.DataFrame(columns_of(QRELS, "grade")).astype({"query": convert, "doc": convert})
    for judgements in (qrels, QRELS):
        assert rankgold.evaluate(judgements, frame, MEASURES).means == MEANS


@pytest.mark.parametrize("dtype", [pl.Categorical, pl.Enum(["q1", "q2", *(f"d{i}" for i in range(10))])])
def test_ids_may_be_categories_in_polars(dtype):
    frame = pl.DataFrame(columns_of(RUN, "score"), schema_overrides={"query": dtype, "doc": dtype})
    assert rankgold.evaluate(QRELS, frame, MEASURES).means == MEANS


@for_each("dtype", [pl.Float32, pl.Int64, pl.UInt8, pl.Decimal(10, 2), pl.String])
def test_scores_may_be_of_any_numeric_type(dtype):
    frame = pl.DataFrame({"query": ["q", "q", "q"], "doc": ["a", "b", "c"], "score": [2, 10, 9]})
    # By number b 10, c 9, a 2; as text it would be c, a, b.
    assert rankgold.evaluate({"q": {"c": 1}}, frame.cast({"score": dtype}), ["rr"])["rr"] == 0.5


def test_the_last_of_many_records_may_be_of_another_type_than_the_first():
    # All but the last score 0, and the last stands first with 0.9; its id is text and the others are integers.
    records = [{"query": "q", "doc": i, "score": 0} for i in range(300)] + [{"query": "q", "doc": "top", "score": 0.9}]
    scores = rankgold.evaluate({"q": {"top": 1, "7": 0}}, records, ["rr"])
    assert (scores["rr"], scores.notes.unjudged_share) == (1.0, pytest.approx(299 / 301))


def test_grades_may_be_booleans():
    qrels = pl.DataFrame(
        {"query": ["q1"] * 3 + ["q2"], "doc": ["d1", "d2", "d3", "d4"], "rel": [True, False, True, True]}
    )
    assert rankgold.evaluate(qrels, RUN, MEASURES).means == MEANS
    assert (
        rankgold.evaluate({"q1": {"d1": True, "d2": False, "d3": True}, "q2": {"d4": True}}, RUN, MEASURES).means
        == MEANS
    )


def test_nothing_that_is_passed_in_is_changed():
    columns = columns_of(RUN, "score")
    given = {
        "dict": copy.deepcopy(RUN),
        "lists": {"q1": ["d2", "d1", "d5", "d3"], "q2": ["d4", "d9"]},
        "records": records_of(columns),
        "pandas": pd.DataFrame(columns),
        "Polars": pl.DataFrame(columns),
    }
    before = copy.deepcopy(given)
    qrels, measures, names = copy.deepcopy(QRELS), ["ap", "p@2"], {"score": "score"}
    for policy in ("rankgold", "unjudged=condensed,duplicates=first", "ties=average", "ties=input"):
        rankgold.evaluate(qrels, given, measures, policy=policy, columns=names)
        for run in given.values():
            rankgold.explain(qrels, run, "ndcg", "q1", policy=policy)
    assert qrels == QRELS
    assert measures == ["ap", "p@2"]
    assert names == {"score": "score"}
    for form in ("dict", "lists", "records"):
        assert given[form] == before[form]
    assert list(given["dict"]["q1"]) == ["d2", "d1", "d5", "d3"]
    pd.testing.assert_frame_equal(given["pandas"], before["pandas"])
    assert given["Polars"].equals(before["Polars"])


@pytest.mark.parametrize("index", [["query"], ["Query-ID", "doc"]])
def test_ids_in_the_index_of_pandas_are_an_error_that_says_what_to_pass(index):
    rows = pd.DataFrame({"query": ["q1"], "Query-ID": ["q1"], "doc": ["d1"], "score": [1.0]})
    frame = rows[[*index, *({"doc", "score"} - {*index})]].set_index(index)
    with pytest.raises(rankgold.DataError, match=r"the query is in the index .* Pass frame\.reset_index\(\)\."):
        rankgold.evaluate({"q1": {"d1": 1}}, frame, ["rr"])
    assert rankgold.evaluate({"q1": {"d1": 1}}, frame.reset_index(), ["rr"])["rr"] == 1


def test_the_columns_of_a_pandas_frame_without_a_header_are_named_by_number():
    judged, ranked = pd.DataFrame([["q", "a", 1]]), pd.DataFrame([["q", "b", 2.0], ["q", "a", 1.0]])
    columns = {"query": 0, "document": np.int64(1), "grade": 2, "score": 2}
    assert rankgold.evaluate(judged, ranked, "rr", columns=columns)["rr"] == 0.5
    with pytest.raises(rankgold.DataError, match="the name of the column of query must be text, not NoneType"):
        rankgold.evaluate(judged, ranked, "rr", columns={"query": None})
