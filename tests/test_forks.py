"""Processes that are forked after an evaluation: a number, or an error that says what to do, but never a wait."""

import json
import subprocess
import sys

import pytest

# Calls by name. Each is made in a child of its own; it prints the number, or the error.
CASES = """
import numpy, os, sys, time, json, multiprocessing
import rankgold
qrels, run = {"q": {"a": 1, "b": 0}, "p": {"a": 1}}, {"q": {"a": 0.5, "b": 0.5}, "p": {"b": 2.0, "a": 1.0}}
judged, tied = ({f"d{i}": 1 for i in range(rows)} for rows in (200, 5000))
def frame(table, number):
    import pandas
    rows = [(query, document, value) for query, row in table.items() for document, value in row.items()]
    return pandas.DataFrame(rows, columns=["query", "document", number])
def ap(*arguments, **options):
    return rankgold.evaluate(*arguments, ["ap"], **options)["ap"]
def large(*arguments, **options):
    from rankgold.data import inputs
    small, inputs.SMALL = inputs.SMALL, -1
    try:
        return ap(*arguments, **options)
    finally:
        inputs.SMALL = small
def polars_frame(table, number):
    import polars
    return polars.DataFrame({name: list(column) for name, column in frame(table, number).items()})
def accumulated():
    accumulator = rankgold.Accumulator(["ap"])
    accumulator.update(qrels, run)
    return accumulator.scores()["ap"]
def in_sql(table):
    import duckdb
    query = "select count(*) from t"
    return float(rankgold.sql.run(query, duckdb.connect(), {"t": table}, dialect="duckdb").fetchall()[0][0])
def beside_threads(name):
    import threading
    for _ in range(64):
        threading.Thread(target=time.sleep, args=(600,), daemon=True).start()
    return calls[name]()
calls = {
    "frames beside threads": lambda: beside_threads("frames"),
    "dicts": lambda: ap(qrels, run),
    "dicts, all ties": lambda: [ap(qrels, run, policy=f"ties={rule}") for rule in ("ascending", "input", "average")][1],
    "dicts of integers": lambda: ap({1: {1: 1, 2: 0}, 2: {1: 1}}, {1: {1: 0.5, 2: 0.5}, 2: {2: 2.0, 1: 1.0}}),
    "dicts of many": lambda: ap({str(q): {str(d): 1 for d in range(50)} for q in range(2000)},
                                {str(q): {str(d): 1.0 for d in range(50)} for q in range(2000)}),
    "lists": lambda: ap(rankgold.from_lists([["b", "a"], ["b", "a"]], [["a"], ["a"]])),
    "labels": lambda: ap(rankgold.from_labels([[0, 1], [0, 1]])),
    "arrays": lambda: ap(rankgold.from_arrays(numpy.array([[0, 1], [0, 1]]), numpy.array([[2.0, 1.0], [2.0, 1.0]]))),
    "accumulator": accumulated,
    "small files": lambda: ap("qrels", "run"),
    "small files, duplicates": lambda: ap("qrels", "twice", policy="duplicates=first"),
    "small files, many ties": lambda: ap("judged", "tied"),
    "dicts, many ties": lambda: ap({"q": judged}, {"q": tied}),
    "per_query": lambda: float(rankgold.evaluate(qrels, {"x": run, "y": run}, ["ap"]).per_query["ap"].sum()),
    "json": lambda: float(len(rankgold.evaluate(qrels, run, ["ap"]).to_json())),
    "explain": lambda: rankgold.explain(qrels, run, "ap", "p").value,
    "large files": lambda: large("qrels", "run"),
    "csv": lambda: ap("qrels.csv", "run.csv"),
    "frames": lambda: ap(frame(qrels, "grade"), frame(run, "score")),
    "Polars frames": lambda: ap(polars_frame(qrels, "grade"), polars_frame(run, "score")),
    "a dict and a frame": lambda: ap(qrels, frame(run, "score")),
    "records": lambda: ap(qrels, frame(run, "score").to_dict("records")),
    "read_run": lambda: float(rankgold.read_run("run").height),
    "duckdb": lambda: ap("qrels", "run", engine="duckdb"),
    "duckdb, dicts": lambda: ap(qrels, run, engine="duckdb"),
    "sql, dicts": lambda: in_sql(frame(run, "score").to_dict("records")),
    "sql, pandas": lambda: in_sql(frame(run, "score")),
    "sql, Polars": lambda: in_sql(polars_frame(run, "score").lazy()),
}
def outcome(name):
    try:
        return calls[name]()
    except rankgold.RankgoldError as error:
        return str(error)
def forked(name):
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.write(writing, json.dumps(outcome(name)).encode())
        os._exit(0)
    end = time.monotonic() + 200
    while not os.waitpid(child, os.WNOHANG)[0]:
        if time.monotonic() > end:
            os.kill(child, 9)
            os.waitpid(child, 0)
            return "waits for ever"
        time.sleep(0.01)
    return json.loads(os.read(reading, 100000))
"""
NEEDS_POLARS = {
    "large files", "csv", "frames", "Polars frames", "a dict and a frame", "records", "read_run", "duckdb",
    "sql, dicts", "sql, Polars", "small files, duplicates", "frames beside threads",
}  # fmt: skip
ADVICE = "Start processes with multiprocessing.get_context('spawn') or 'forkserver'."


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels").write_text("q 0 a 1\nq 0 b 0\np 0 a 1\n")
    (tmp_path / "run").write_text("q Q0 a 1 0.5 x\nq Q0 b 2 0.5 x\np Q0 b 1 2 x\np Q0 a 2 1 x\n")
    (tmp_path / "twice").write_text("q Q0 a 1 0.5 x\nq Q0 b 2 0.5 x\np Q0 b 1 2 x\np Q0 a 2 1 x\np Q0 a 3 0.5 x\n")
    (tmp_path / "judged").write_text("".join(f"q 0 d{i} 1\n" for i in range(200)))
    (tmp_path / "tied").write_text("".join(f"q Q0 d{i} 1 1 x\n" for i in range(5000)))
    (tmp_path / "qrels.csv").write_text("query,document,grade\nq,a,1\nq,b,0\np,a,1\n")
    (tmp_path / "run.csv").write_text("query,document,score\nq,a,0.5\nq,b,0.5\np,b,2\np,a,1\n")
    return tmp_path


def results(folder, code):
    command = [sys.executable, "-W", "ignore", "-c", f"{CASES}\n{code}"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=1800)
    return json.loads(done.stdout)


def test_a_process_that_was_forked_after_polars_was_used_gives_a_number_or_an_error(folder):
    code = 'used = outcome("frames"), outcome("duckdb"), outcome("large files")\n'
    found = results(folder, f"{code}print(json.dumps({{name: forked(name) for name in calls}}))")
    assert {name for name, result in found.items() if ADVICE in str(result)} == NEEDS_POLARS
    numbers = {name: result for name, result in found.items() if name not in NEEDS_POLARS}
    assert {name for name, result in numbers.items() if not isinstance(result, float)} == set()
    # b before a by the default rule of ties, and where b has the higher score: 1/2 each; a first in the order of input.
    for name in (
        "dicts",
        "duckdb, dicts",
        "dicts of integers",
        "lists",
        "labels",
        "arrays",
        "accumulator",
        "small files",
    ):
        assert numbers[name] == 1 / 2, name
    assert numbers["dicts, all ties"] == 3 / 4
    assert numbers["dicts of many"] == 1


@pytest.mark.parametrize("before", ["import polars; polars.DataFrame({'a': [1]})", "outcome('dicts')"])
def test_a_process_that_was_forked_before_polars_was_used_does_all(folder, before):
    names = ["frames", "csv", "duckdb", "large files", "frames beside threads"]
    assert results(folder, f"{before}\nprint(json.dumps([forked(name) for name in {names}]))") == [1 / 2] * 5


def test_polars_used_by_others_counts_too(folder):
    used = "import polars; polars.DataFrame({'a': [2, 1]}).lazy().sort('a').collect()"
    assert ADVICE in results(folder, f"{used}\nprint(json.dumps(forked('frames')))")


def test_a_pool_gets_the_error_and_spawned_processes_work(folder):
    code = """
from concurrent.futures import ProcessPoolExecutor
outcome("frames")
raised = ""
with multiprocessing.get_context("fork").Pool(1) as pool:
    try:
        pool.apply_async(rankgold.evaluate, ("qrels.csv", "run.csv", ["ap"])).get(timeout=600)
    except rankgold.RankgoldError as error:
        raised = str(error)
with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
    print(json.dumps([raised, pool.submit(rankgold.evaluate, "qrels.csv", "run.csv", ["ap"]).result(timeout=600)["ap"]]))
"""
    raised, value = results(folder, code)
    assert ADVICE in raised
    assert value == 1 / 2
