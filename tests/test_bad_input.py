"""Bad files and objects: each is an error of rankgold that says what is wrong, where, and what to do; never a traceback."""

import datetime
import gzip
import io
import json
import os
import subprocess
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest
import zstandard

import rankgold
from rankgold.__main__ import main
from tests.cases import for_each

NAN = float("nan")
QRELS, RUN = "q1 0 d1 1\nq1 0 d2 0\n", "q1 Q0 d1 1 0.9 t\nq1 Q0 d2 2 0.8 t\n"
LONG = "".join(f"q1 Q0 d{i} {i} {9000 - i} t\n" for i in range(5000)).encode()
FRAME = pl.DataFrame(
    {"query": ["q1"] * 90, "doc": [f"d{i}" for i in range(90)], "score": [float(i) for i in range(90)]}
)


def saved(write):
    out = io.BytesIO()
    getattr(FRAME, write)(out)
    return out.getvalue()


PARQUET, ARROW = saved("write_parquet"), saved("write_ipc")
ZSTD = zstandard.ZstdCompressor().compress
HEADER = "query,doc,score\nq1,d1,1\n"
RECORD = '{"query": "q1", "doc": "d1", "score": 1}\n'

# The file's name (q... are judgements, r... runs), what is in it, and parts of the message; FILE is the path.
FILES = {
    "3 fields in judgements": ("q", "q1 0 d1 1\nq1 0 d2\n", "FILE:2: ", "4 fields", "this one has 3"),
    "3 fields at first": ("q", "q1 d1 1\n", "FILE:1: ", "4 fields", "this one has 3"),
    "3 fields, two spaces": ("q", "q1  d1 1\n", "FILE:1: ", "this one has 3"),
    "5 fields in judgements": ("q", "q1 0 d1 1\nq1 0 d2 1 x\n", "FILE:2: ", "4 fields", "this one has 5"),
    "5 fields in a run": ("r", "# c\n\nq1 Q0 d1 1 0.9 t\nq1 Q0 d2 2 0.8\n", "FILE:4: ", "6 fields", "this one has 5"),
    "5 fields, two spaces": ("r", "q1  Q0 d1 1 0.9\n", "FILE:1: ", "this one has 5"),
    "7 fields in a run": ("r", RUN + "q1 Q0 d3 2 0.8 t x\n", "FILE:3: ", "6 fields", "this one has 7"),
    "a run as judgements": ("q", RUN, "FILE:1: ", "4 fields", "this one has 6"),
    "judgements as a run": ("r", QRELS, "FILE:1: ", "6 fields", "this one has 4"),
    "text as a grade": ("q", "q1 0 d1 1\nq1 0 d2 yes\n", "FILE:2: the grade must be a finite number, not 'yes'"),
    "text as a score": ("r", RUN + "q1 Q0 d3 3 high t\n", "FILE:3: the score must be a finite number, not 'high'"),
    "NaN as a score": ("r", "\r\n# c\r\nq1 Q0 d1 1 nan t\r\n", "FILE:3: ", "not 'nan'"),
    "infinity as a score": ("r", "q1 Q0 d1 1 -inf t\n", "FILE:1: ", "not '-inf'"),
    "NaN as a grade": ("q", "q1 0 d1 NaN\n", "FILE:1: ", "not 'NaN'"),
    "a grade out of range": ("q", "q1 0 d1 1e999\n", "FILE:1: ", "not '1e999'"),
    "a document twice in a run": (
        "r", "# c\nq1 Q0 d1 1 3 t\n\nq1 Q0 d2 2 2 t\nq1 Q0 d1 3 1 t\n",
        "FILE:5: query 'q1' ranks document 'd1' twice (first at line 2)", "duplicates=first"),
    "two documents twice in a run": (
        "r", "q1 Q0 d1 1 9 t\nq1 Q0 d2 2 8 t\nq1 Q0 d1 3 7 t\nq1 Q0 d2 4 6 t\n",
        "FILE:3: query 'q1' ranks document 'd1' twice (first at line 1)"),
    "a document twice in judgements": (
        "q", "q1 0 d1 1\nq1 0 d2 1\nq1 0 d1 0\n", "FILE:3: query 'q1' judges document 'd1' twice (first at line 1)"),
    "an empty file": ("q", "", "FILE: the file is empty"),
    "an empty run": ("r.csv", "", "FILE: the file is empty"),
    "only comments": ("q", "# a\n# b\n", "FILE: the file is empty", "query 0 document grade"),
    "only comments in a run": ("r", "# a\n", "FILE: the file is empty", "query Q0 document rank score tag"),
    "only blanks": ("q", "\n \t\n", "FILE: the file is empty"),
    "only a header": ("r.csv", "query,doc,score\n", "FILE: there is a header and no row"),
    "a directory": ("r", None, "FILE: this is a directory"),
    "a missing file": ("r", False, "FILE: there is no such file"),
    "bytes with NUL": ("q", bytes(range(256)), "FILE: this is a binary file", "Parquet"),
    "a picture": ("r", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", "FILE: this is a binary file"),
    "bytes without NUL": ("r", bytes(range(128, 256)), "FILE:1: this is not UTF-8 text"),
    "Latin-1": ("r", RUN.encode() + "q1 Q0 é 3 1 t\n".encode("latin-1"), "FILE:3: this is not UTF-8", "0xe9", "Convert"),
    "UTF-16": ("q", QRELS.encode("utf-16"), "FILE: this is UTF-16 text"),
    "Latin-1 in CSV": ("r.csv", (HEADER + "q1,é,2\n").encode("latin-1"), "FILE:3: this is not UTF-8 text"),
    "Latin-1 in JSON": ("r.json", '{"q1":\n{"é": 1}}'.encode("latin-1"), "FILE:2: this is not UTF-8 text"),
    "Latin-1 in JSON lines": ("r.jsonl", (RECORD + '{"a": "é"}').encode("latin-1"), "FILE:2: this is not UTF-8 text"),
    "gzip cut off": ("r.gz", gzip.compress(LONG)[:-500], "FILE: ", "gzip", "cut off"),
    "gzip without its end": ("r.gz", gzip.compress(RUN.encode())[:-4], "FILE: ", "gzip", "cut off"),
    "gzip of garbage": ("r.gz", b"\x1f\x8b" + b"garbage" * 9, "FILE: ", "gzip", "damaged"),
    "CSV in gzip cut off": ("r.csv.gz", gzip.compress(HEADER.encode() * 99)[:-9], "FILE: ", "gzip", "cut off"),
    "zstd cut off": ("r.zst", ZSTD(LONG)[:-500], "FILE: ", "zstd", "cut off"),
    "JSON in zstd cut off": ("r.json.zst", ZSTD(json.dumps({"q1": dict.fromkeys(range(999), 1)}).encode())[:-9], "zstd"),
    "Parquet cut off": ("r.parquet", PARQUET[:-40], "FILE: this file is damaged or cut off"),
    "Parquet with holes": ("r.parquet", PARQUET[:60] + b"\xff" * 99 + PARQUET[159:], "FILE: this file is damaged or cut off"),
    "text as Parquet": ("r.parquet", RUN, "FILE: this is not a .parquet file"),
    "Arrow cut off": ("r.arrow", ARROW[:-40], "FILE: this file is damaged or cut off"),
    "unknown columns": ("r.csv", "frage,antwort,wert\nq1,d1,1\n", "FILE: cannot tell which column holds the query",
                        "'frage', 'antwort', 'wert'", "--column query=NAME"),
    "CSV without a header": ("r.csv", "q1,d1,3\nq1,d2,7\n", "FILE: no header?", "may hold ranks or scores", "Add a first line: 'query,document,rank'"),
    "TSV without a header": ("r.tsv", "q1\td1\t3\nq1\td2\t7\n", "FILE: no header?"),
    "a column short": ("r.csv", "query,doc\nq1,d1\n", "FILE: cannot tell which column holds the score", "'query', 'doc'"),
    "semicolons and commas in numbers": ("r.csv", "query;doc;score\nq1;d1;1,5\n", "FILE:2: the score must be a finite number, not '1,5'"),
    "text in CSV": ("r.csv", HEADER + "q1,d2,x\n", "FILE:3: the score must be a finite number, not 'x'"),
    "no score in CSV": ("r.csv", HEADER + "q1,d2,\n", "FILE:3: the score is missing"),
    "no document in CSV": ("r.csv", HEADER + "q1,,2\n", "FILE:3: the document is missing"),
    "a short row in CSV": ("r.csv", HEADER + "q1,d2\n", "FILE:3: the score is missing"),
    "a long row in CSV": ("r.csv", HEADER + "q1,d2,3,4\n", "FILE:3: "),
    "NaN in CSV": ("r.csv", HEADER + "q1,d2,nan\n", "FILE:3: the score", "nan"),
    "a document twice in CSV": ("r.csv", HEADER + "q1,d2,2\nq1,d1,2\n", "FILE:4: ", "'d1' twice (first at line 2)"),
    "no query in common": ("r", "x1 Q0 d1 1 0.9 t\n", "no query in common", "'q1'", "'x1'", "same collection"),
    "JSON with a mistake": ("r.json", '{"q1": {"d1": 1,\n"d2": 2,\n"d3" 3}}', "FILE:3: this is not JSON"),
    "JSON of numbers": ("r.json", "[1, 2, 3]", "FILE: this JSON is not {query: {document: number}}"),
    "JSON of nothing": ("r.json", "null", "FILE: this JSON is not"),
    "JSON of an empty object": ("r.json", "{}", "FILE: there is no query"),
    "JSON of an empty list": ("q.json", "[]", "FILE: this JSON is not"),
    "JSON of text": ("q.json", '{"q1": "d1"}', "FILE: query 'q1' has 'd1'"),
    "JSON of runs with text": ("r.json", '{"kind": "x", "a": {"q1": {"d1": 1}}}', "FILE: the run 'kind' has 'x'. Several runs"),
    "an answer of Elasticsearch": ("r.json", '{"took": 3, "hits": {"hits": [{"_id": "d1"}]}}', "FILE: the run 'took' has 3."),
    "JSON with NaN": ("r.json", '{"q1": {"d1": NaN}}', "FILE: query 'q1', document 'd1': the score must be", "nan"),
    "JSON with null": ("q.json", '{"q1": {"d1": null}}', "FILE: query 'q1', document 'd1': the grade must be"),
    "JSON too deep": ("r.json", "[" * 100_000, "FILE: this is nested too deeply"),
    "JSON with a document twice": ("r.json", '{"q1": {"d1": 1, "d1": 2}}', "FILE", "'d1' twice"),
    "JSON with a query twice": ("r.json", '{"q1": {"d1": 1}, "q1": {"d2": 2}}', "FILE", "'q1' twice"),
    "JSON list with a document twice": ("r.json", '{"q1": ["d1", "d2", "d1"]}', "FILE: ", "twice, at places 1 and 3"),
    "a record short": ("r.json", '[{"query": "q1", "doc": "d1", "score": null}]', "FILE, row 1: the score is missing"),
    "a record with a name twice": ("r.json", '[{"query": "q1", "doc": "d1", "score": 1, "doc": "d2"}]', "FILE: 'doc' twice"),
    "a JSON line with a name twice": (
        "r.jsonl", RECORD + '\n{"query": "q1", "doc": "d2", "score": 1, "score": 2}\n', "FILE:3: 'score' twice", "Remove one"),
    "a score of 351 digits in JSON": ("r.json", f'{{"q1": {{"d1": {10**350}}}}}', "FILE: query 'q1'", "too large"),
    "a score of 351 digits in JSON lines": (
        "r.jsonl", RECORD.replace("1}", f"{10**350}}}"), "FILE:1: the score must be a finite number", "too large"),
    "5,000 digits in JSON": ("r.json", f'{{"q1": {{"d1": 1{"0" * 5000}}}}}', "FILE: a number has thousands of digits"),
    "5,000 digits in JSON lines": (
        "r.jsonl", RECORD + f'{{"query": "q1", "doc": 1{"0" * 5000}}}', "FILE:2: a number has thousands of digits"),
    "half of a character in JSON": ("r.json", r'{"q1": {"a\ud83d": 1}}', r"FILE: \ud83d is half of a character"),
    "half of a character in JSON lines": (
        "r.jsonl", RECORD + r'{"query": "\udc00", "doc": "d", "score": 1}', r"FILE:2: \udc00 is half of a character"),
    "a bad JSON line": ("r.jsonl", RECORD + '\n{"query": "q1", "doc"\n', "FILE:3: this line is not JSON"),
    "a list as JSON line": ("r.jsonl", RECORD + "[1]\n", "FILE:2: a line must be an object such as"),
    "a JSON line short": ("r.jsonl", RECORD + '\n{"query": "q1", "doc": "d2"}\n', "FILE:3: the score is missing"),
    "a document twice in JSON lines": ("r.jsonl", RECORD + "\n" + RECORD, "FILE:3: ", "twice (first at line 1)"),
}  # fmt: skip


def written(fault, tmp_path):
    """The paths of judgements and run, one of them bad, and the parts of the message."""
    name, content, *parts = FILES[fault]
    folder = tmp_path / "data"
    folder.mkdir()
    path = folder / f"bad_{name}"
    if content is None:
        path.mkdir()
    elif content is not False:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    other = folder / "good"
    other.write_text(RUN if name[0] == "q" else QRELS)
    paths = (str(path), str(other)) if name[0] == "q" else (str(other), str(path))
    return *paths, [part.replace("FILE", str(path)) for part in parts]


@for_each("fault", FILES)
def test_a_bad_file_is_an_error_in_python(fault, tmp_path):
    qrels, run, parts = written(fault, tmp_path)
    with pytest.raises(rankgold.DataError) as caught:
        rankgold.evaluate(qrels, run, ["ap"])
    assert [part for part in parts if part not in str(caught.value)] == [], str(caught.value)


@for_each("fault", FILES)
def test_a_bad_file_is_a_line_and_exit_code_2_at_the_shell_and_leaves_the_output_alone(
    fault, tmp_path, monkeypatch, capsys
):
    qrels, run, parts = written(fault, tmp_path)
    output = tmp_path / "scores.json"
    output.write_text("before")
    monkeypatch.setattr(sys, "argv", ["rankgold", "evaluate", qrels, run, "-m", "ap", "-f", "json", "-o", str(output)])
    monkeypatch.setattr(os, "_exit", sys.exit)
    with pytest.raises(SystemExit) as ended:
        main()
    assert ended.value.code == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert [part for part in parts if part not in err] == [], err
    assert "Traceback" not in err
    assert output.read_text() == "before"
    assert sorted(os.listdir(tmp_path)) == ["data", "scores.json"]


@pytest.mark.parametrize("fault", ["7 fields in a run", "gzip cut off", "JSON with a mistake", "a missing file"])
def test_a_bad_file_ends_the_whole_program_without_a_traceback(fault, tmp_path):
    qrels, run, parts = written(fault, tmp_path)
    for command in (["evaluate", qrels, run], ["explain", qrels, run, "--query", "q1"]):
        done = subprocess.run([sys.executable, "-m", "rankgold", *command], capture_output=True, text=True, check=False)
        assert (done.returncode, done.stdout) == (2, "")
        assert [part for part in parts if part not in done.stderr] == []
        assert "Traceback" not in done.stderr


GOOD_QRELS, GOOD_RUN = {"q1": {"d1": 1, "d2": 0}}, {"q1": {"d1": 0.9, "d2": 0.8}}
CYCLE: dict = {}
CYCLE["q1"] = CYCLE


def frame(**columns):
    return pl.DataFrame({"query": ["q1", "q1"], "doc": ["d1", "d2"], "score": [1.0, 2.0], **columns}, strict=False)


OBJECTS = {
    "None": (None, "no run"),
    "an integer": (5, "this int is not a run", "a path, a dict of dicts, a frame"),
    "a list of integers": ([1, 2], "this list is not a run"),
    "an empty list": ([], "this list is not a run"),
    "a set": ({1, 2}, "this set is not a run"),
    "bytes": (b"q1", "this bytes is not a run"),
    "an array": (np.ones((2, 2)), "this ndarray is not a run"),
    "an empty dict": ({}, "the run: there is no query"),
    "a dict of numbers": ({"q1": 3}, "query 'q1' has 3", "{query: {document: score}}"),
    "a dict of None": ({"q1": None}, "query 'q1' has None"),
    "a dict of text": ({"q1": "d1"}, "d1: there is no such file"),
    "a cyclic dict": (CYCLE, "the score must be a finite number, not a dict"),
    "a dict too deep": ({"q1": {"d1": {"x": {"y": 1}}}}, "no query in common"),
    "a dict of sets": ({"q1": {"d1", "d2"}}, "query 'q1'", "order"),
    "NaN": ({"q1": {"d1": NAN}}, "query 'q1', document 'd1': the score must be a finite number, not nan"),
    "infinity": ({"q1": {"d1": float("inf")}}, "not inf"),
    "None as a score": ({"q1": {"d1": None}}, "document 'd1'", "not None"),
    "text as a score": ({"q1": {"d1": "high"}}, "not 'high'"),
    "a complex score": ({"q1": {"d1": 1j}}, "not 1j"),
    "a score too large": ({"q1": {"d1": 10**400}}, "document 'd1'"),
    "NaN in the second run": ({"a": GOOD_RUN, "b": {"q1": {"d1": NAN}}}, "b: query 'q1', document 'd1'"),
    "None as the second run": ({"a": GOOD_RUN, "b": None}, "None is not a run"),
    "None in a list": ({"q1": ["d1", None]}, "lists None as a document"),
    "a pair without a score": ({"q1": [("d1", 0.5), ("d2",)]}, "query 'q1': a list of pairs, document and score, has a tuple of 1 entries"),
    "a document among pairs": ({"q1": [("d1", 0.5), "d2"]}, "a list of pairs, document and score, has 'd2' in it"),
    "a pair among documents": ({"q1": ["d1", ("d2", 0.5)]}, "lists a tuple as a document"),
    "a pair with a word": ({"q1": [("d1", "high")]}, "document 'd1': the score must be a finite number, not 'high'"),
    "a pair in the wrong order": ({"q1": [(0.5, "d1")]}, "the float 0.5. Ids must be integers or text"),
    "a document twice in pairs": ({"q1": [("d1", 2.0), ("d1", 1.0)]}, "twice, at places 1 and 2"),
    "records without an id": ({"q1": [{"text": "x", "score": 1.0}]}, "query 'q1': the records of a list have no id", "'text', 'score'"),
    "a record without a score": ({"q1": [{"id": "a", "score": 1.0}, {"id": "b"}]}, "the record at place 2 has no 'score'"),
    "a document among records": ({"q1": [{"id": "a", "score": 1.0}, "b"]}, "a list of records has 'b' at place 2"),
    "arrays in a list": ({"q1": [np.array([1])]}, "query 'q1' lists"),
    "a document twice in a list": ({"q1": ["d1", "d2", "d1"]}, "twice, at places 1 and 3"),
    "an empty frame": (frame().clear(), "the run: there are no rows"),
    "a frame without columns": (pd.DataFrame(), "cannot tell which column"),
    "unknown columns": (pd.DataFrame({"a": [1], "b": [2]}), "'a', 'b'", "columns={'query': ...}"),
    "no query": (frame(query=["q1", None]), "the run, row 2: the query is missing"),
    "no document": (pd.DataFrame({"query": ["q1"], "doc": [None], "score": [1.0]}), "row 1: the document is missing"),
    "ids that are not whole": (frame(doc=[1.0, 1.5]), "row 2: the document 1.5 is not an id"),
    "lists as ids": (frame(doc=[["a"], ["b"]]), "the column 'doc' holds lists of documents, and 'score' holds one number a row"),
    "records as ids": (frame(doc=[{"a": 1}, {"a": 2}]), "the document column is of type Struct"),
    "booleans as scores": (frame(score=[True, False]), "the score must be a number", "Boolean"),
    "dates as scores": (frame(score=[datetime.date(2024, 1, 1)] * 2), "the score must be a number", "Date"),
    "NaN in a frame": (frame(score=[1.0, NAN]), "the run, row 2: the score is nan"),
    "no score in a frame": (frame(score=[None, 1.0]), "the run, row 1: the score is missing"),
    "text in a frame": (frame(score=["1", "high"]), "the run, row 2: the score must be a finite number, not 'high'"),
    "a document twice in a frame": (frame(doc=["d1", "d1"]), "row 2: query 'q1' ranks document 'd1' twice (first at row 1)"),
    "a column": (pl.Series([1, 2]), "this Series is not a run"),
    "a record short": ([{"query": "q1", "doc": "d1", "score": 1}, {"query": "q1", "doc": "d2"}], "row 2: the score is missing"),
    "a record of text": ([{"query": "q1", "doc": "d1", "score": "x"}], "row 1: the score must be"),
    "records and numbers": ([{"query": "q1", "doc": "d1", "score": 1}, 5], "this list is not a run"),
    "no query in common": ({"x": {"d1": 1}}, "no query in common"),
    "six other queries": ({key: {"d1": 1} for key in "uvwxyz"}, "Ranked: 'u', 'v', 'w', 'x', 'y' and 1 more."),
}  # fmt: skip


@for_each("fault", OBJECTS)
def test_a_bad_object_is_an_error(fault):
    run, *parts = OBJECTS[fault]
    with pytest.raises(rankgold.DataError) as caught:
        rankgold.evaluate(GOOD_QRELS, run, ["ap"])
    assert [part for part in parts if part not in str(caught.value)] == [], str(caught.value)


@pytest.mark.parametrize("number", ["1_000", "\u0663", b"0.7", bytearray(b"1")])
def test_text_that_is_not_a_number_in_a_file_is_not_one_in_a_dict(number):
    with pytest.raises(rankgold.DataError, match="query 'q', document 'b': the score must be a finite number"):
        rankgold.evaluate({"q": {"a": 1}}, {"q": {"a": 0.5, "b": number}}, ["ap"])


@pytest.mark.parametrize("policy", ["rankgold", "unjudged=condensed"])
@pytest.mark.parametrize("run", [{"q": {"a": 1.0, "z": float("nan")}}, {"q": {"a": 1.0}, "other": {"z": None}}])
def test_a_missing_score_is_an_error_in_any_query(run, policy):
    with pytest.raises(rankgold.DataError, match="document 'z': the score must be a finite number"):
        rankgold.evaluate({"q": {"a": 1}}, run, ["ap"], policy=policy)


@pytest.mark.parametrize("engine", ["local", "duckdb"])
def test_of_several_runs_the_one_without_a_judged_query_is_named(engine):
    runs = {"good": {"q1": {"d1": 1.0}}, "bad": {"x9": {"d1": 1.0}}}
    with pytest.raises(rankgold.MatchError, match="the run 'bad' has no query in common with the judgements"):
        rankgold.evaluate({"q1": {"d1": 1}}, runs, ["rr"], engine=engine)
