"""The command line when something goes wrong around it: full disks, signals, streams of other encodings."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.shell import INTERRUPTIBLE, LONGEST, prepared, shell

QRELS = "q1 0 d1 1\nq2 0 d1 1\n"
RUN = "q1 Q0 d1 1 2 up\nq2 Q0 d1 1 2 up\nq1 Q0 d2 2 1 up\n"  # q1 is in two places, so its rows go to files
RANKGOLD = f"{sys.executable} -m rankgold"

# A run that is too large for memory, until its rows are on disk; then `wait` is called.
SPILLING = """
import sys, time
from rankgold.data import chunks, chunks as disk_partitions, inputs
inputs.SMALL, chunks.LARGE, chunks.ROWS_AT_ONCE, chunks.ROWS_IN_MEMORY = -1, 1, 1, 0
def wait(self):
    print("waiting", flush=True)
    time.sleep(600)
    yield
disk_partitions.DiskPartitions.read = wait
from rankgold.__main__ import main
main()
"""
# The output is complete, and about to replace the file.
REPLACING = """
import os, time
def wait(*_):
    print("waiting", flush=True)
    time.sleep(600)
os.replace = wait
from rankgold.__main__ import main
main()
"""
# Interrupted, and busy with the clean-up.
CLEANING = """
import time
from rankgold.cli import app
from rankgold.data import temporary_files
def interrupt(_):
    raise KeyboardInterrupt
def wait():
    print("waiting", flush=True)
    time.sleep(0.5)
app.run, temporary_files.remove_existing = interrupt, wait
from rankgold.__main__ import main
main()
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "qrels").write_text(QRELS)
    (tmp_path / "run").write_text(RUN)
    (tmp_path / "tmp").mkdir()
    return tmp_path


@pytest.fixture
def start(folder):
    """Starts a command as a process of its own. All of them have ended after the test."""
    processes = []

    def start_process(command, *arguments):
        processes.append(
            subprocess.Popen(
                prepared(INTERRUPTIBLE, sys.executable, *command, "evaluate", *arguments),
                cwd=folder,
                env={**os.environ, "TMPDIR": str(folder / "tmp")},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
        )
        return processes[-1]

    yield start_process
    for process in processes:
        process.kill()
        process.communicate()


@pytest.fixture
def start_waiting(start):
    """Starts code that prints that it is waiting."""

    def start_code(code, *arguments):
        process = start(["-c", code], "qrels", "run", *arguments)
        if process.stdout.readline() != b"waiting\n":
            pytest.fail(f"ended with {process.wait(timeout=LONGEST)}: {process.stderr.read().decode()}")
        return process

    return start_code


def temporary(folder):
    return sorted(path.name for path in folder.rglob("*") if "rankgold-" in path.name and "lock" not in path.name)


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
@pytest.mark.parametrize(("code", "arguments"), [(SPILLING, []), (REPLACING, ["-o", "out"])], ids=["rows", "output"])
def test_a_signal_removes_temporary_files(folder, start_waiting, code, arguments, number):
    process = start_waiting(code, *arguments)
    assert len(temporary(folder)) == 1
    process.send_signal(number)
    assert process.communicate(timeout=LONGEST) == (b"", b"")
    assert process.returncode == 128 + number
    assert temporary(folder) == []


def test_a_signal_that_is_ignored_stays_ignored(start_waiting):
    code = f"import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)\n{SPILLING}"
    process = start_waiting(code)
    process.send_signal(signal.SIGHUP)
    with pytest.raises(subprocess.TimeoutExpired):
        process.wait(timeout=0.5)
    process.send_signal(signal.SIGTERM)
    assert process.wait(timeout=LONGEST) == 143


def test_a_second_ctrl_c_does_not_interrupt_the_clean_up(start_waiting):
    process = start_waiting(CLEANING)
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=LONGEST) == (b"", b"")
    assert process.returncode == 130


def test_what_a_killed_process_left_is_removed_by_a_later_one(folder, start_waiting):
    killed, alive = start_waiting(SPILLING), start_waiting(SPILLING)
    before = temporary(folder)
    assert len(before) == 2
    killed.kill()
    killed.wait()
    assert temporary(folder) == before
    done = shell("evaluate", "-e", "duckdb", "qrels", "run", cwd=folder, env={"TMPDIR": str(folder / "tmp")})
    assert (done.returncode, done.stderr) == (0, "")
    # The folder of the process that is alive stays.
    assert len(temporary(folder)) == 1
    alive.terminate()
    assert alive.wait(timeout=LONGEST) == 143
    assert temporary(folder) == []


def test_the_output_that_a_killed_process_left_is_removed_by_a_later_one(folder, start_waiting):
    killed, alive = start_waiting(REPLACING, "-o", "out"), start_waiting(REPLACING, "-o", "out")
    killed.kill()
    killed.wait()
    assert len(temporary(folder)) == 2
    assert shell("evaluate", "qrels", "run", "-o", "other", cwd=folder).returncode == 0
    assert len(temporary(folder)) == 1
    alive.terminate()
    assert alive.wait(timeout=LONGEST) == 143
    assert sorted(os.listdir(folder)) == ["other", "qrels", "run", "tmp"]


def test_nothing_else_is_removed_with_what_was_left(folder):
    # Named like ours: a folder without a lock, links to a folder and to a file, a folder whose lock is a link, a file.
    tmp = folder / "tmp"
    (tmp / "elsewhere").mkdir()
    (tmp / "elsewhere" / ".rankgold-lock").write_text("")
    (tmp / "rankgold-notes").mkdir()
    (tmp / "rankgold-link").symlink_to("elsewhere")
    (tmp / "rankgold-linked").mkdir()
    (tmp / "rankgold-linked" / ".rankgold-lock").symlink_to("../elsewhere/.rankgold-lock")
    (tmp / "rankgold-file").write_text("")
    (folder / ".rankgold-x.part").symlink_to("run")
    (folder / ".rankgold-notes").write_text("")
    before = sorted(folder.rglob("*"))
    done = shell("evaluate", "-e", "duckdb", "qrels", "run", "-o", "run.csv", cwd=folder, env={"TMPDIR": str(tmp)})
    assert done.returncode == 0
    (folder / "run.csv").unlink()
    assert sorted(folder.rglob("*")) == before


def make_view(folder, name, rows):
    """A database with a view, both of this name: made by a process of its own, which keeps no lock."""
    code = f"import duckdb; duckdb.connect('{name}.duckdb').execute({f'CREATE VIEW {name} AS {rows}'!r})"
    subprocess.run([sys.executable, "-c", code], cwd=folder, check=True)


def test_ctrl_c_during_a_query_of_duckdb_ends_quietly(folder, start):
    rows = "SELECT 'q' || x AS query, 'd' AS document, 1.0 AS score FROM range(1000000000000) numbers(x)"
    make_view(folder, "endless", rows)
    process = start(["-m", "rankgold"], "-e", "duckdb", "--database", "endless.duckdb", "qrels", "endless")
    while not temporary(folder):
        assert process.poll() is None, process.communicate()
        time.sleep(0.01)
    time.sleep(1)
    assert process.poll() is None, process.communicate()
    process.send_signal(signal.SIGINT)
    assert process.communicate(timeout=LONGEST) == (b"", b"")
    assert process.returncode == 130
    assert temporary(folder) == []


def limited(command, folder, size=100, **environment):
    """A command of the shell whose files may have only so many bytes."""
    limit = f"import resource; resource.setrlimit(resource.RLIMIT_FSIZE, ({size}, {size}))"
    return subprocess.run(
        prepared(limit, "bash", "-c", command),
        cwd=folder,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


COMMANDS = [
    "evaluate qrels run -q -m ap,rr,p@1,ndcg",
    "explain qrels run --query q1",
    "plan qrels run",
    "measures",
    "measures ndcg",
    "sql --print duckdb",
    "demo",
    "plot --list",
    "--help",
    "evaluate --help",
    "--version",
    "--show-completion bash",
]


@pytest.mark.parametrize(
    ("command", "unbuffered"), [*((command, "") for command in COMMANDS), ("measures", "1"), ("--help", "1")]
)
def test_a_full_disk_is_reported(folder, command, unbuffered):
    done = limited(f"{RANKGOLD} {command} > /dev/full", folder, PYTHONUNBUFFERED=unbuffered)
    assert done.stderr == "standard output: this cannot be written: No space left on device.\n"
    assert done.returncode == 2


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_disk_that_becomes_full_is_reported(folder, unbuffered):
    done = limited(f"{RANKGOLD} sql --print duckdb > out", folder, PYTHONUNBUFFERED=unbuffered)
    assert (folder / "out").stat().st_size == 100
    assert done.stderr == "standard output: this cannot be written: File too large.\n"
    assert done.returncode == 2


def test_a_full_disk_leaves_an_existing_output_as_it_is(folder):
    (folder / "out").write_text("before")
    done = limited(f"{RANKGOLD} sql --print duckdb -o out", folder)
    assert (done.returncode, done.stderr) == (2, "out: this cannot be written: File too large.\n")
    assert (folder / "out").read_text() == "before"
    assert sorted(os.listdir(folder)) == ["out", "qrels", "run", "tmp"]


@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_a_reader_that_closes_the_pipe_is_no_error(folder, unbuffered):
    done = limited(f"{RANKGOLD} sql --print duckdb | head -c 1; exit ${{PIPESTATUS[0]}}", folder, PYTHONUNBUFFERED=unbuffered)  # fmt: skip
    assert done.stderr == ""
    assert done.returncode in (0, 141)


def test_a_full_disk_for_the_rows_of_a_large_run_is_reported(folder):
    code = SPILLING.replace("disk_partitions.DiskPartitions.read = wait", "")
    command = f"{sys.executable} -c '{code}' evaluate qrels run"
    done = limited(command, folder, TMPDIR=str(folder / "tmp"))
    assert done.returncode == 2
    assert done.stderr.startswith(f"{folder}/tmp/rankgold-")
    assert done.stderr.endswith("File too large (os error 27). Set TMPDIR to a folder with more room.\n")
    assert temporary(folder) == []


@pytest.mark.slow
def test_a_full_disk_for_the_temporary_files_of_duckdb_is_reported(folder):
    rows = "SELECT 'q' || x % 9 AS query, md5('' || x) AS document, random() AS score FROM range(3000000) numbers(x)"
    make_view(folder, "large", rows)
    command = f"{RANKGOLD} evaluate -e duckdb --database large.duckdb --memory-limit 40MB qrels large"
    done = limited(command, folder, size=1000, TMPDIR=str(folder / "tmp"))
    assert done.returncode == 2
    assert "File too large" in done.stderr
    assert done.stderr.count("\n") == 1
    assert temporary(folder) == []


def test_no_place_for_temporary_files_is_an_error_of_one_line(folder):
    code = "import tempfile; tempfile._candidate_tempdir_list = lambda: ['nowhere']\n"
    code += "from rankgold.__main__ import main; main()"
    done = limited(f'{sys.executable} -c "{code}" evaluate -e duckdb qrels run', folder)
    assert done.returncode == 2
    assert done.stderr.startswith("error: there is no place for temporary files: No usable temporary directory found")
    assert done.stderr.count("\n") == 1


IDS = "q\u00e9\u2013\U0001f35c"


@pytest.mark.parametrize(
    ("encoding", "format_"),
    [
        *(("ascii", format_) for format_ in ("table", "csv", "json", "markdown", "latex", "trec_eval")),
        *((encoding, "table") for encoding in ("latin-1", "cp1252", "utf-16")),
        ("cp1252", "latex"),
    ],
)
def test_standard_output_of_any_encoding_gets_escapes_for_what_it_does_not_have(folder, encoding, format_):
    (folder / "qrels").write_text(QRELS.replace("q1", IDS))
    done = subprocess.run(
        [*RANKGOLD.split(), "evaluate", "qrels", "run", "-q", "-m", "frp", "-f", format_],
        cwd=folder,
        env={**os.environ, "PYTHONIOENCODING": encoding},
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    shown = done.stdout.decode(encoding)
    has = {"ascii": "", "latin-1": "\u00e9", "cp1252": "\u00e9\u2013", "utf-16": IDS}[encoding]
    escapes = {"\u00e9": "\\u00e9", "\u2013": "\\u2013", "\U0001f35c": "\\ud83c\\udf5c"}
    expected = "".join(c if c in has or c == "q" else escapes[c] for c in IDS)
    if format_ == "json":
        assert IDS in json.loads(shown)["runs"]["up"]["per_query"]
    elif format_ == "latex":
        assert expected.replace("\u2013", "--").replace("\\u2013", "--") in shown
    else:
        assert expected in shown


def test_the_c_locale_is_no_traceback(folder):
    (folder / "qrels").write_text(QRELS.replace("q1", IDS))
    environment = {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"}
    for command in ("evaluate qrels run -q", "explain qrels run --query q2", "evaluate qrels run -o out -q"):
        done = limited(f"{RANKGOLD} {command}", folder, size=10**6, **environment)
        assert (done.returncode, done.stderr) == (0, "")
    assert IDS in Path(folder / "out").read_text(encoding="utf-8")
