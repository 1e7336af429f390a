"""The command line never writes over what it reads: under no name of the file, by no option, in no command."""

import os
import subprocess
import sys

import duckdb
import pytest

from rankgold.cli.app import COMMANDS, _parser
from rankgold.cli.console import OUTPUTS
from tests.cases import for_each
from tests.shell import completed

QRELS = "q1 0 d1 1\n"
RUN = "q1 Q0 d1 1 2 up\nq1 Q0 d2 2 1 up\n"
REFUSED = "this is also an input file. Name another file to write to."


@pytest.fixture
def trec_files(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "up.trec").write_text(RUN)
    return tmp_path


@pytest.fixture
def folder(trec_files, tmp_path):
    """TREC files, a database with a table, and a database whose view reads files by a pattern."""
    os.mkdir(tmp_path / "runs")
    with duckdb.connect(str(tmp_path / "results.duckdb")) as database:
        database.execute("CREATE TABLE qrels AS SELECT 'q1' AS query, 'd1' AS document, 1 AS grade")
        database.execute("CREATE TABLE run AS SELECT 'q1' AS query, 'd1' AS document, 1.0 AS score")
        database.execute(f"COPY (SELECT query, 'd2' AS document, 2.0 AS score FROM run) TO '{tmp_path}/runs/b.parquet'")
        database.execute(f"COPY run TO '{tmp_path}/runs/a.parquet'")
    with duckdb.connect(str(tmp_path / "views.duckdb")) as database:
        database.execute(f"CREATE VIEW seen AS FROM '{tmp_path}/runs/*.parquet'")
        database.execute(f"CREATE MACRO all_runs() AS TABLE FROM read_parquet('{tmp_path}/runs/*.parquet')")
        database.execute("CREATE VIEW through_macro AS FROM all_runs()")
    return tmp_path


def contents(folder):
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def refused(folder, output, *arguments, **options):
    before = contents(folder)
    done = completed(*arguments, "-o", output, cwd=folder, **options)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", f"{output}: {REFUSED}\n")
    assert contents(folder) == before


@pytest.mark.parametrize(
    ("output", "arguments"),
    [
        ("results.duckdb", ["qrels", "run", "--database", "results.duckdb"]),
        ("results.duckdb", ["qrels", "up.trec", "--database", "results.duckdb"]),
        ("results.duckdb.wal", ["qrels", "run", "--database", "results.duckdb"]),
        ("results.duckdb", ["old.qrels", "old.run", "--attach", "old=results.duckdb"]),
        ("results.duckdb", ["qrels", "up.trec", "--attach", "old=duckdb:results.duckdb"]),
        ("runs/a.parquet", ["qrels", "runs/*.parquet"]),
        ("runs/b.parquet", ["qrels", "**/*.parquet"]),
        ("runs/b.parquet", ["qrels", "runs/[ab].parquet"]),
        ("runs/b.parquet", ["qrels", "views.seen", "--database", "views.duckdb"]),
        ("runs/b.parquet", ["qrels", "through_macro", "--database", "views.duckdb"]),
        ("./runs/../qrels", ["qrels", "runs/*.parquet"]),
    ],
)
def test_databases_patterns_and_files_of_views_are_not_overwritten(folder, output, arguments):
    refused(folder, output, "evaluate", "-e", "duckdb", "-m", "rr", *arguments)


@pytest.mark.parametrize(
    "typed", ["runs/{a,c}.parquet", "runs/{x,{b,a}}.parquet", "runs", "file:{folder}/runs/a.parquet", "file://{folder}/runs"]
)  # fmt: skip
def test_folders_choices_and_addresses_that_spark_reads_are_not_overwritten(folder, typed):
    refused(folder, "runs/a.parquet", "evaluate", "-e", "spark", "qrels", typed.replace("{folder}", str(folder)))


@pytest.mark.parametrize("name", ["up.trec", "hard", "soft", "../{folder}/up.trec", "~/up.trec"])
def test_a_file_is_the_same_under_all_its_names(trec_files, name):
    os.link(trec_files / "up.trec", trec_files / "hard")
    os.symlink("up.trec", trec_files / "soft")
    name = name.replace("{folder}", trec_files.name)
    refused(trec_files, "up.trec", "evaluate", "qrels", name, env={"HOME": str(trec_files)})
    if not name.startswith("~"):
        refused(trec_files, name, "evaluate", "qrels", "up.trec")


def test_standard_input_is_not_overwritten(trec_files):
    command = f"{sys.executable} -m rankgold evaluate qrels - -o up.trec < up.trec"
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False, cwd=trec_files)
    assert (done.returncode, done.stderr) == (2, f"up.trec: {REFUSED}\n")
    assert (trec_files / "up.trec").read_text() == RUN


def input_options():
    """Every argument whose help names a file, table or database that is read, of every command with an output file."""
    for command in COMMANDS:
        actions = _parser(command)._actions
        for action in actions if any(action.dest == "output" for action in actions) else ():
            if any(word in str(action.metavar) for word in ("FILE", "QRELS", "RUN")) and action.dest not in OUTPUTS:
                yield command, action


def test_arguments_that_name_files_are_known():
    found = {(command, action.dest) for command, action in input_options()}
    assert {("evaluate", "qrels"), ("explain", "run"), ("plot", "runs"), ("plan", "attach")} <= found


@for_each(("command", "action"), list(input_options()), ids=lambda value: getattr(value, "dest", value))
def test_every_input_of_every_command_is_guarded(trec_files, command, action):
    chart = "up.png" if command == "plot" else "up.trec"
    for name in (chart, "other"):
        (trec_files / name).write_text(RUN)
    given = {"qrels": "qrels", "run": "other", "runs": "other", "a": "other", "b": "other"}
    positional = {other.dest for other in _parser(command)._actions if not other.option_strings}
    given = {name: value for name, value in given.items() if name in positional}
    options = ["--query", "q1"] if command == "explain" else []
    if action.option_strings:
        has_engines = any(a.dest == "engine" for a in _parser(command)._actions)
        options += ["-e", "duckdb"] if has_engines else []
        written = str(action.metavar).partition("|")[0].replace("QRELS", "FILE")
        options += [action.option_strings[-1], written.replace("FILE", chart)]
    else:
        given[action.dest] = chart
    refused(trec_files, chart, command, *(["leaderboard"] if command == "plot" else []), *given.values(), *options)


def test_what_is_not_read_is_overwritten(folder):
    for output in ("scores.md", "runs/scores.md", "q1", "run"):
        for _ in range(2):
            done = completed("explain", "qrels", "up.trec", "--query", "q1", "-o", output, cwd=folder)
            assert (done.returncode, done.stderr) == (0, "")
            done = completed("evaluate", "-e", "duckdb", "qrels", "runs/*.parquet", "-o", output, cwd=folder)
            assert (done.returncode, done.stderr) == (0, "")


def test_a_name_that_ends_in_a_slash_is_a_directory(trec_files):
    done = completed("evaluate", "qrels", "up.trec", "-o", "new/", cwd=trec_files)
    assert (done.returncode, done.stderr) == (2, "new/: this is a directory. Name a file to write to.\n")
    assert not (trec_files / "new").exists()


@pytest.mark.parametrize("name", ["n" * 300, "n/" * 2500 + "n"])
def test_a_name_that_is_too_long_is_an_error_of_one_line(trec_files, name):
    for arguments in (["qrels", name], [name, "up.trec"], ["qrels", "up.trec", "-o", name]):
        for engine in ("local", "duckdb"):
            done = completed("evaluate", "-e", engine, *arguments, cwd=trec_files)
            assert (done.returncode, done.stdout) == (2, "")
            assert done.stderr.startswith(name)
            assert done.stderr.count("\n") == 1
