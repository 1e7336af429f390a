"""The engine DuckDB at the shell: databases, tables and files by name, and what is said of mistakes."""

import subprocess
import sys

import duckdb
import pytest

from tests.cases import for_each
from tests.shell import LONGEST, completed
from tests.test_duckdb_engine import QRELS, RUN
from tests.test_paths_agree import frame


@pytest.fixture
def folder(tmp_path):
    """A database with judgements and a run, and the same as Parquet files."""
    with duckdb.connect(str(tmp_path / "results.duckdb")) as database:
        database.register("given_qrels", frame(QRELS, "grade").to_arrow())
        database.register("given_run", frame(RUN, "score").to_arrow())
        database.execute("CREATE TABLE qrels AS FROM given_qrels; CREATE TABLE bm25 AS FROM given_run")
        database.execute(f"COPY qrels TO '{tmp_path}/qrels.parquet'; COPY bm25 TO '{tmp_path}/bm25.parquet'")
    return tmp_path


SHOWN = "run       rr\nbm25  0.2778\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ["--database", "results.duckdb", "qrels", "bm25"],
        ["--attach", "old=results.duckdb", "old.qrels", "old.bm25", "--memory-limit", "300MB"],
        ["qrels.parquet", "bm25.parquet", "--memory-limit", "300MB"],
        ["--database", "results.duckdb", "qrels.parquet", "bm25"],
    ],
)
def test_the_engine_at_the_shell(folder, arguments):
    done = completed("evaluate", "--engine", "duckdb", "-m", "rr", *arguments, cwd=folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(SHOWN)
    assert done.stderr == ""
    assert [path.name for path in folder.iterdir() if path.suffix == ".wal"] == []


def test_explain_and_plot_take_an_engine(folder):
    source = ["--engine", "duckdb", "--database", "results.duckdb"]
    done = completed("explain", "qrels", "bm25", "-m", "rr", "--query", "q1", *source, cwd=folder)
    assert done.stdout.startswith("rr of query q1 in bm25: 0.3333")
    assert done.stderr == ""
    done = completed("plot", "grid", "qrels", "bm25", "-o", "grid.html", *source, cwd=folder)
    assert done.stderr == ""
    assert (folder / "grid.html").stat().st_size > 0


@for_each(
    ("arguments", "reported"),
    [
        (
            ["--database", "results.duckdb", "qrels", "bm25"],
            "error: --database is for DuckDB. Add --engine duckdb, or leave it out.",
        ),
        (["--engine", "duckdb", "--database", "none.duckdb", "qrels", "bm25"], "none.duckdb: there is no such file."),
        (["--engine", "duckdb", "--database", "qrels.parquet", "qrels", "bm25"], "qrels.parquet: DuckDB says: "),
        (
            ["--engine", "duckdb", "--attach", "results.duckdb", "qrels", "bm25"],
            "error: --attach must be written as NAME=FILE",
        ),
        (
            ["--engine", "duckdb", "--attach", "a=sqlite:old.db", "a.qrels", "a.bm25"],
            "sqlite:old.db: DuckDB says: its extension sqlite_scanner is not installed.",
        ),
        (
            ["--engine", "duckdb", "--database", "results.duckdb", "qrels", "bm52"],
            "bm52: there is neither such a table nor such a file. Did you mean 'bm25'?",
        ),
        (
            ["--engine", "duckdb", "--memory-limit", "much", "qrels.parquet", "bm25.parquet"],
            "error: 'much' is not a memory",
        ),
    ],
)
def test_mistakes_at_the_shell(folder, arguments, reported):
    done = completed("evaluate", *arguments, cwd=folder, env={"HOME": str(folder)})
    assert done.returncode == 2
    assert done.stderr.startswith(reported)
    assert "Traceback" not in done.stderr


def test_standard_input_is_read_here(folder):
    lines = "q1 Q0 b 1 3 tag\nq1 Q0 a 2 2 tag\n"
    command = [sys.executable, "-m", "rankgold", "evaluate", "-e", "duckdb", "-m", "rr", "qrels.parquet", "-"]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=True, cwd=folder)
    # 1/2 of one query in three.
    assert done.stdout.startswith("run      rr\ntag  0.1667\n")


@for_each("engine", ["local", "duckdb"])
@for_each("command", ["{} <(cat q.txt) <(cat r.txt)", "mkfifo p; cat r.txt > p & {} q.txt p", "cat r.txt | {} q.txt -"])
def test_pipes_are_read_once_whatever_the_engine(tmp_path, engine, command):
    (tmp_path / "q.txt").write_text("q1 0 d1 1\n")
    (tmp_path / "r.txt").write_text("q1 Q0 d2 1 2 piped\nq1 Q0 d1 2 1 piped\n")
    # A file of this name is not standard input.
    (tmp_path / "-").write_text("q1 Q0 d1 1 2 file\n")
    words = f"{sys.executable} -m rankgold evaluate --engine {engine} -m rr"
    done = subprocess.run(
        ["bash", "-c", command.format(words)],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=LONGEST,
        check=False,
    )
    assert (done.stdout.split()[:4], done.stderr) == (["run", "rr", "piped", "0.5000"], ""), done.stderr


@for_each("engine", ["local", "duckdb"])
@for_each("name", ["star*.txt", "q?.txt", "b[1].txt", "~home.txt", "it's.txt", "back\\slash.txt"])
def test_a_name_that_exists_is_that_file(tmp_path, engine, name):
    for other in ("starX.txt", "qX.txt", "b1.txt"):
        (tmp_path / other).write_text("q1 Q0 d9 1 1 other\n")
    (tmp_path / name).write_text("q1 Q0 d1 1 1 mine\n")
    (tmp_path / f"j{name}").write_text("q1 0 d1 1\n")
    done = completed("evaluate", "--engine", engine, "-m", "rr", f"j{name}", name, cwd=tmp_path)
    assert (done.stdout, done.stderr) == ("run       rr\nmine  1.0000\n", "")


def test_a_faulty_file_that_a_pattern_matches_is_one_line(tmp_path):
    (tmp_path / "a1.txt").write_text("q1 0 d1 1\nq1 0 d2\n")
    (tmp_path / "b.txt").write_text("q1 0 d1 1\n")
    (tmp_path / "r.txt").write_text("q1 Q0 d1 1 1 mine\nq1 Q0 d2\n")
    done = completed("evaluate", "--engine", "duckdb", "a*.txt", "r.txt", "-m", "rr", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(
        "a1.txt:2: a line of judgements must have 4 fields, 'query 0 document grade', and this one"
    )
    assert done.stderr.count("\n") == 1
    done = completed("evaluate", "--engine", "duckdb", "b.txt", "r*.txt", "-m", "rr", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("r*.txt:2: DuckDB says: q1 Q0 d2 Expected Number of Columns: 6")
    assert done.stderr.count("\n") == 1


@for_each(
    ("name", "content"),
    [
        ("blanks.run", "q1  Q0 d2 1 2 t\nq1 Q0\td1 2 1 t\n"),
        ("tabs.run", "q1 Q0 d2 1 2 t\nq1 Q0 d1\t2 1 t\n"),
        ("comments.run", "# a b c d e\nq1 Q0 d2 1 2 t\n#\nq1 Q0 d1 2 1 t\n"),
        ("five.run", "q1 Q0 d2 1 2 t\nq1 Q0 d1 2 1\n"),
        ("long.csv", "query,doc,score\nq1,d2,2\nq1,d1,1,7\n"),
        ("digits.csv", "query,doc,score\n1,2,2\n1,3,1,7\n"),
        ("short.csv", "query,doc,score\nq1,d2\nq1,d1,1\n"),
        ("blank.csv", "query,doc,score\n\nq1,d2,2\n\nq1,d1,1\n"),
        ("bom.csv", "\ufeffquery,doc,score\nq1,d2,2\nq1,d1,1\n"),
        ("return.tsv", "query\tdoc\tscore\nq1\td1\r\t0.25\t1\t2\n"),
    ],
)
def test_a_single_file_is_read_and_refused_as_by_the_local_engine(tmp_path, name, content):
    (tmp_path / "q.txt").write_text("q1 0 d1 1\n")
    (tmp_path / name).write_bytes(content.encode())
    local, other = (completed("evaluate", "--engine", engine, "q.txt", name, "-m", "rr", cwd=tmp_path) for engine in ("local", "duckdb"))  # fmt: skip
    assert (other.returncode, other.stdout, other.stderr) == (local.returncode, local.stdout, local.stderr)
    assert "0.5000" in local.stdout or local.stderr.startswith(f"{name}:")
