"""Tables with grades and scores, which need no run: what a model for ranking predicts beside its labels."""

import json

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import rankgold
from tests.cases import for_each
from tests.shell import printed, shell

# Query 1 ranks the grades 0, 1, 2: RR 1/2, and nDCG = (1/log2(3) + 2/2) / (2 + 1/log2(3)).
# Query 2 ranks its grades 1, 0: all 1.
COLUMNS = {"qid": [1, 2, 1, 1, 2], "label": [2, 0, 0, 1, 1], "prediction": [0.1, 0.2, 0.9, 0.5, 0.8]}
NDCG = (1 / np.log2(3) + 2 / 2) / (2 + 1 / np.log2(3))
EXPECTED = {"rr": {1: 1 / 2, 2: 1.0}, "ndcg": {1: NDCG, 2: 1.0}}
DOCUMENTS = {**COLUMNS, "doc": ["c", "e", "a", "b", "d"]}


def values(scores):
    return {
        measure: dict(zip(map(int, scores.queries()), scores.values(measure).tolist(), strict=True))
        for measure in EXPECTED
    }


def forms(columns, folder):
    frame = pl.DataFrame(columns)
    made = {
        "Polars": frame,
        "Polars lazy": frame.lazy(),
        "pandas": pd.DataFrame(columns),
        "pandas with an index": pd.DataFrame(columns, index=[9, 8, 7, 6, 5]),
        "PyArrow": pa.table(columns),
        "records": frame.to_dicts(),
        "CSV": folder / "a.csv",
        "TSV": folder / "a.tsv",
        "Parquet": folder / "a.parquet",
        "Arrow": folder / "a.arrow",
        "JSON": folder / "a.json",
        "JSON lines": folder / "a.jsonl",
    }
    frame.write_csv(made["CSV"])
    frame.write_csv(made["TSV"], separator="\t")
    frame.write_parquet(made["Parquet"])
    frame.write_ipc(made["Arrow"])
    made["JSON"].write_text(json.dumps(frame.to_dicts()))
    frame.write_ndjson(made["JSON lines"])
    return made


@pytest.mark.parametrize("columns", [COLUMNS, DOCUMENTS])
@pytest.mark.parametrize("engine", [None, "duckdb"])
def test_a_table_with_grades_and_scores_needs_no_run(tmp_path, engine, columns):
    for form, table in forms(columns, tmp_path).items():
        found = values(rankgold.evaluate(table, measures=list(EXPECTED), engine=engine))
        assert found == {name: pytest.approx(expected, abs=1e-15) for name, expected in EXPECTED.items()}, form


def test_match_explain_and_accumulator_take_such_a_table_too():
    table = pd.DataFrame(COLUMNS)
    assert rankgold.evaluate(rankgold.match(table), ["rr"])["rr"] == 0.75
    assert rankgold.explain(table, measure="rr", query=1).value == 0.5
    assert "rr" in rankgold.plan(table, measures=["rr"])
    accumulator = rankgold.Accumulator(["rr"])
    accumulator.update(table)
    assert accumulator.scores()["rr"] == 0.75


def test_other_names_of_columns_are_given_by_columns():
    table = pl.DataFrame(COLUMNS).rename({"qid": "session", "label": "clicked", "prediction": "logit"})
    named = {"query": "session", "grade": "clicked", "score": "logit"}
    for engine in (None, "duckdb"):
        assert rankgold.evaluate(table, measures=["rr"], columns=named, engine=engine)["rr"] == 0.75


def test_ranks_replace_scores():
    table = pl.DataFrame({"qid": [1, 1], "label": [1, 0], "rank": [2, 1]})
    assert rankgold.evaluate(table, measures=["rr"])["rr"] == 0.5


def test_rows_with_the_same_score_are_ordered_by_their_place_as_in_arrays():
    # Eleven rows of one score, the second is relevant. Descending, the last row is first: rank 10. Ascending: rank 2.
    grades, scores = [0, 1, *[0] * 9], [1.0] * 11
    table = pl.DataFrame({"qid": [1] * 11, "label": grades, "score": scores})
    for policy, rank in (("ties=descending", 10), ("ties=ascending", 2), ("ties=input", 2)):
        assert rankgold.evaluate(table, measures=["rr"], policy=policy)["rr"] == 1 / rank
        assert rankgold.evaluate(rankgold.from_arrays([grades], [scores], policy=policy), ["rr"])["rr"] == 1 / rank


def test_several_runs_in_such_a_table_are_told_apart():
    # Both rank a (relevant) and b; old has b first.
    table = pl.DataFrame(
        {
            "system": ["old", "old", "new", "new"],
            "qid": [1] * 4,
            "doc": ["a", "b", "a", "b"],
            "label": [1, 0, 1, 0],
            "score": [1.0, 2.0, 2.0, 1.0],
        }
    )
    assert rankgold.evaluate(table, measures=["rr"])["rr"] == {"old": 0.5, "new": 1.0}
    with pytest.raises(rankgold.DataError, match="a table of several runs needs a column of documents"):
        rankgold.evaluate(table.drop("doc"), measures=["rr"])


BAD = {
    "no scores": (pl.DataFrame({"qid": [1], "label": [1]}), "no run given, so the table needs grades and scores: cannot tell which column holds the score"),
    "no queries": (pl.DataFrame({"label": [1], "score": [1.0]}), "which column holds the query"),
    "a dict": ({"q": {"d": 1}}, "no run given. Usage: evaluate(qrels, run, measures)"),
    "None": (None, "no run given"),
    "a missing grade": (pl.DataFrame({"qid": [1, 1], "label": [1, None], "score": [1.0, 2.0]}), "row 2: the grade is missing"),
    "a missing score": (pl.DataFrame({"qid": [1, 1], "label": [1, 0], "score": [1.0, None]}), "row 2: the score is missing"),
    "a document twice": (pl.DataFrame({"qid": [1, 1], "doc": ["a", "a"], "label": [1, 0], "score": [1.0, 2.0]}), "document 'a' twice"),
    "a matrix": (np.ones((2, 2)), "this ndarray is not a table with grades and scores"),
}  # fmt: skip


@for_each("case", BAD)
def test_a_table_that_lacks_something_is_an_error(case):
    table, message = BAD[case]
    with pytest.raises(rankgold.DataError) as caught:
        rankgold.evaluate(table, measures=["rr"])
    assert message in str(caught.value)


def test_judgements_alone_at_the_shell_are_an_error(tmp_path):
    (tmp_path / "qrels.txt").write_text("q1 0 d1 1\n")
    (tmp_path / "q.json").write_text('{"q1": {"d1": 1}}')
    for name in ("qrels.txt", "q.json"):
        done = shell("evaluate", name, cwd=tmp_path)
        assert done.returncode == 2
        assert f"{name}: no run given." in done.stderr
        assert done.stderr.count("\n") == 1


def test_a_file_with_grades_and_scores_is_evaluated_and_explained_at_the_shell(tmp_path):
    path = tmp_path / "predictions.csv"
    pl.DataFrame(COLUMNS).write_csv(path)
    assert printed("evaluate", str(path), "-m", "rr") == "run              rr\npredictions  0.7500\n"
    assert printed("explain", str(path), "-m", "rr", "--query", "1").startswith("rr of query 1 in predictions: 0.5000")


def test_measures_in_place_of_the_run_get_an_error_that_names_the_form():
    with pytest.raises(rankgold.DataError, match=r"Or leave the run out, .*: evaluate\(table, measures=\.\.\.\)"):
        rankgold.evaluate(pl.DataFrame(COLUMNS), ["rr"])


def test_a_table_of_a_database_needs_no_run_if_it_has_documents():
    with duckdb.connect() as connection:
        connection.register("frame", pl.DataFrame(DOCUMENTS).to_arrow())
        connection.execute("CREATE TABLE predictions AS FROM frame")
        assert rankgold.evaluate("predictions", measures=["rr"], engine=connection)["rr"] == 0.75


@pytest.mark.spark
def test_a_spark_frame_needs_no_run_if_it_has_documents(spark):
    frame = spark.createDataFrame(pd.DataFrame(DOCUMENTS))
    assert rankgold.evaluate(frame, measures=["rr"])["rr"] == 0.75
    assert rankgold.evaluate(pd.DataFrame(COLUMNS), measures=["rr"], engine=spark)["rr"] == 0.75
    with pytest.raises(rankgold.DataError, match="which column holds the document"):
        rankgold.evaluate(frame.drop("doc"), measures=["rr"])


def test_a_list_of_documents_without_grades_and_without_a_run_is_an_error(tmp_path):
    (tmp_path / "lists.jsonl").write_text('{"query": "q1", "documents": ["d1", "d2"], "scores": [2, 1]}\n')
    with pytest.raises(rankgold.DataError, match="needs grades and scores: cannot tell which column holds the grade"):
        rankgold.evaluate(tmp_path / "lists.jsonl", measures=["rr"])
