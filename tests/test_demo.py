"""`rankgold demo`, and what is different on a terminal: colour and progress."""

import io
import os
import pty
import re
import subprocess
import sys
import time

import pytest

import rankgold
from rankgold.cli import console
from rankgold.data.files import sample
from tests.shell import LONGEST, printed

RANKGOLD = [sys.executable, "-m", "rankgold"]
RUNS = ["titles", "bm25", "expanded"]
ESCAPE = "\x1b["


def on_a_terminal(*arguments, environment=None, when=None, delay=LONGEST):
    """What a command prints on a terminal of its own; `when` it has printed one text, another is typed in.

    Progress is shown after a `delay`: on a loaded machine, any command may take longer than the usual second.
    """
    leader, follower = pty.openpty()
    environment = {**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", **(environment or {})}
    code = f"from rankgold.cli import console as progress; progress._DELAY_SECONDS = {delay}; from rankgold.__main__ import main; main()"
    process = subprocess.Popen(
        [sys.executable, "-c", code, *arguments], stdout=follower, stderr=follower, stdin=follower, env=environment
    )
    os.close(follower)
    shown = b""
    try:
        while part := os.read(leader, 4096):
            shown += part
            if when is not None and when[0].encode() in shown:
                os.write(leader, when[1])
                when = None
    except OSError:  # what Linux says when the other side is closed
        pass
    os.close(leader)
    assert process.wait() == 0
    return shown.decode()


@pytest.fixture(scope="module")
def shown():
    return printed("demo")


def test_the_demo_evaluates_three_runs_and_prints_what_evaluate_gives(shown):
    scores = rankgold.evaluate(sample("qrels.txt"), [sample(f"{name}.trec") for name in RUNS], ["ndcg@10", "ap"])
    assert scores.runs == RUNS
    for name in RUNS:
        line = next(line for line in shown.splitlines() if line.startswith(f"{name} "))
        assert line.replace("*", "").split()[1:3] == [f"{scores[name]['ndcg@10']:.4f}", f"{scores[name]['ap']:.4f}"]


def test_the_demo_explains_a_number_of_its_own_table(shown):
    assert re.search(r"^ap of query (\S+) in bm25: 0\.\d{4}$", shown, re.MULTILINE)
    assert "AP = (1 / R) * sum" in shown
    assert "running sum" in shown


def test_the_commands_that_the_demo_proposes_work(shown):
    proposed = shown.partition("Try next:\n")[2].splitlines()
    assert len(proposed) == 4
    for command in proposed:
        if "YOUR_" not in command:
            done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, check=False)
            assert (done.returncode, done.stderr) == (0, ""), command
            assert done.stdout


@pytest.fixture
def program(tmp_path):
    """A folder with the program in an environment that no shell knows, as scripts/demo makes one."""
    path = tmp_path / "my env" / "bin" / "rankgold"
    path.parent.mkdir(parents=True)
    path.write_text(f"#!{sys.executable}\nfrom rankgold.__main__ import main\nmain()\n")
    path.chmod(0o755)
    return path


def first_proposal(command, cwd, search_path="/usr/bin:/bin"):
    environment = {**os.environ, "PATH": search_path}
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, check=True, env=environment)
    return done.stdout.partition("Try next:\n")[2].splitlines()[2].strip()


def test_the_demo_proposes_commands_with_the_path_if_a_shell_does_not_find_the_program(program, tmp_path):
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    assert first_proposal([program, "demo"], tmp_path) == "'my env/bin/rankgold' measures ndcg"
    assert first_proposal(["my env/bin/rankgold", "demo"], tmp_path) == "'my env/bin/rankgold' measures ndcg"
    assert first_proposal([program, "demo"], elsewhere) == f"'{program}' measures ndcg"
    assert first_proposal([program, "demo"], elsewhere, f"{program.parent}:/usr/bin:/bin") == "rankgold measures ndcg"
    assert first_proposal([*RANKGOLD, "demo"], elsewhere) == f"{sys.executable} -m rankgold measures ndcg"


def test_the_demo_says_where_its_files_are_and_they_can_be_read():
    folder = printed("demo", "--path").strip()
    assert rankgold.read_qrels(os.path.join(folder, "qrels.txt")).height > 0
    for name in RUNS:
        assert rankgold.read_run(os.path.join(folder, f"{name}.trec")).height > 0


def test_the_demo_needs_no_files_where_it_runs(tmp_path):
    done = subprocess.run([*RANKGOLD, "demo"], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert os.listdir(tmp_path) == []


def test_the_sample_files_tell_the_runs_apart():
    # A demonstration in which all runs score the same would show nothing.
    scores = rankgold.evaluate(sample("qrels.txt"), [sample(f"{name}.trec") for name in RUNS], ["ndcg@10"])
    assert len(set(scores["ndcg@10"].values())) == 3


# --- on a terminal


@pytest.fixture
def files(tmp_path):
    (tmp_path / "qrels").write_text("q1 0 d1 1\n")
    (tmp_path / "up").write_text("q1 Q0 d1 1 2 up\nq1 Q0 d2 2 1 up\n")
    (tmp_path / "down").write_text("q1 Q0 d2 1 2 down\nq1 Q0 d1 2 1 down\n")
    return [str(tmp_path / name) for name in ("qrels", "up", "down")]


def test_the_best_run_is_green_on_a_terminal(files):
    lines = on_a_terminal("evaluate", *files, "-m", "ap").splitlines()
    # up has its only relevant document at rank 1, down at rank 2.
    (up,) = (line for line in lines if line.startswith("up"))
    (down,) = (line for line in lines if line.startswith("down"))
    assert re.search(r"\x1b\[[\d;]*32m1\.0000\x1b\[0m", up)
    assert "0.5000" in down
    assert "32m" not in down


def test_there_is_no_colour_on_a_terminal_where_it_is_unwanted(files):
    assert ESCAPE not in on_a_terminal("evaluate", *files, "-m", "ap", environment={"NO_COLOR": "1"})


def test_there_is_no_colour_in_what_is_written_to_a_file_from_a_terminal(files, tmp_path):
    assert on_a_terminal("evaluate", *files, "-m", "ap", "-o", str(tmp_path / "out")) == ""
    assert ESCAPE not in (tmp_path / "out").read_text()


def test_names_cannot_steer_the_terminal(tmp_path, files):
    (tmp_path / "evil").write_text("q1 Q0 d1 1 2 a\x1b]0;owned\x07\x1b[31mb\n")
    shown = on_a_terminal("evaluate", files[0], str(tmp_path / "evil"), "-m", "ap", environment={"NO_COLOR": "1"})
    assert "\x1b]0;" not in shown
    assert "\\x1b]0;owned\\x07\\x1b[31mb" in shown


def test_progress_is_shown_on_a_terminal_while_one_waits(files):
    # Judgements are typed in, but only once the progress bar has shown up; then Ctrl-D.
    shown = on_a_terminal("evaluate", "-", files[1], "-m", "ap", when=("reading -", b"q1 0 d1 1\n\x04"), delay=0)
    assert "0%" in shown
    assert "1.0000" in shown


def test_progress_is_not_shown_where_standard_error_is_no_terminal(monkeypatch):
    monkeypatch.setattr(console, "_DELAY_SECONDS", 0.0)
    monkeypatch.setattr(sys, "stderr", io.StringIO())
    with console.progress_bar(2) as begin:
        begin("reading", 0.5)
        time.sleep(0.05)
    assert sys.stderr.getvalue() == ""
