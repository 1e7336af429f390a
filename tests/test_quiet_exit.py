"""What a process prints when it ends: its own messages, and no report of DuckDB about objects that are still in use."""

import signal
import subprocess
import sys
import time

import pytest

from tests.shell import shell

TABLES = """
import duckdb
import rankgold
connection = duckdb.connect()
qrels = connection.sql("select 'q1' as query, 'd1' as document, 1 as grade")
run = connection.sql("select 'q1' as query, 'd1' as document, 2.5 as score")
qrels.create("judged")
run.create("ranked")
"""

# Every way in which an object of DuckDB is passed to rankgold, and from there to Polars.
USES = """
rankgold.evaluate(qrels, run, ["rr"])
rankgold.evaluate(qrels, run, ["rr"], engine=connection)
rankgold.evaluate("judged", "ranked", ["rr"], engine=connection)
rankgold.evaluate("q*.txt", "r*.txt", ["rr"], engine="duckdb")
hits = rankgold.match("judged", "ranked", engine=connection)
print(rankgold.explain(qrels, run, "rr", "q1", engine=connection))
read = rankgold.read_qrels(qrels), rankgold.read_run(run)
rankgold.sql.install(connection)
assert connection.sql("select mrr([1, 2], [2]), rr([1, 2], [2])").fetchall() == [(0.5, 0.5)]
result = rankgold.sql.run("select mrr(array(1), array(1)) from t", connection, {"t": run})
"""
FAULTS = {
    "rankgold.evaluate(connection, duckdb, ['rr'])": "rankgold.core.errors.DataError: this DuckDBPyConnection is not judgements.",
    "rankgold.evaluate('q*.txt', 'faulty*.txt', ['rr'], engine='duckdb')": "rankgold.core.errors.DataError: faulty*.txt:1: DuckDB says: q1",
    "rankgold.evaluate(qrels, run, ['rr']); raise ValueError(qrels, connection)": "ValueError: (",
}


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "q.txt").write_text("q1 0 d1 1\n")
    (tmp_path / "r.txt").write_text("q1 Q0 d1 1 2.5 system\n")
    (tmp_path / "faulty.txt").write_text("q1 Q0 d1\n")
    return tmp_path


def script(code, folder):
    return subprocess.run(
        [sys.executable, "-c", TABLES + code], cwd=folder, capture_output=True, text=True, check=False
    )


def test_a_script_prints_nothing_at_its_end(folder):
    done = script(USES, folder)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.parametrize("code", FAULTS)
def test_a_script_that_fails_prints_nothing_after_its_traceback(folder, code):
    done = script(code, folder)
    assert done.returncode == 1
    assert f"\n{FAULTS[code]}" in done.stderr
    assert "leaked" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["q*.txt", "r*.txt"], ""),
        (["q*.txt", "faulty*.txt"], "faulty*.txt:1: DuckDB says: "),
        (["q*.txt", "none*.txt"], "none*.txt: there is neither"),
    ],
)
def test_a_command_prints_its_message_alone(folder, arguments, told):
    done = shell("evaluate", "--engine", "duckdb", *arguments, "-m", "rr", cwd=folder)
    assert done.stderr.startswith(told)
    assert done.stderr.count("\n") == bool(told)


def test_a_command_after_which_python_cleans_up_prints_its_message_alone(folder):
    # As it ends once PySpark is loaded.
    code = "import sys; sys.modules['pyspark'] = sys; from rankgold.__main__ import main; main()"
    for name, told in (("r*.txt", ""), ("faulty*.txt", "faulty*.txt:1: DuckDB says: ")):
        words = [sys.executable, "-c", code, "evaluate", "--engine", "duckdb", "q*.txt", name, "-m", "rr"]
        done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=False)
        assert done.stderr.startswith(told)
        assert done.stderr.count("\n") == bool(told)


INTERRUPTED = """
rankgold.evaluate(qrels, run, ["rr"])
print("started", flush=True)
run = connection.sql("select i::text as query, j::text as document, random() as score from range(3000) a(i), range(100000) b(j)")
rankgold.evaluate(qrels, run, ["rr"], engine=connection)
"""


def test_ctrl_c_prints_no_more_than_its_traceback(folder):
    process = subprocess.Popen(
        [sys.executable, "-c", TABLES + INTERRUPTED],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "started\n"
    time.sleep(0.5)
    process.send_signal(signal.SIGINT)
    stderr = process.communicate(timeout=60)[1]
    assert stderr.rstrip().endswith("KeyboardInterrupt")
