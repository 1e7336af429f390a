"""`rankgold plot`: every plot written to a file, and the messages when that fails."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from rankgold.core.errors import RankgoldError
from rankgold.data.files import sample
from rankgold.present.plots import PLOTS
from rankgold.present.plots.theme import DARK, LIGHT
from tests.cases import for_each
from tests.shell import printed

pytestmark = pytest.mark.plots

NAMES = sorted(PLOTS)
QRELS = str(sample("qrels.txt"))
RUNS = [str(sample(f"{name}.trec")) for name in ("bm25", "expanded")]


PAGE = (Path(__file__).parent.parent / "docs" / "plots.md").read_text(encoding="utf-8")
COMMANDS = {line.split()[2]: line for line in re.findall(r"^rankgold plot .*$", PAGE, re.MULTILINE)}


@for_each("name", NAMES)
def test_every_plot_has_a_command_in_the_gallery_that_writes_a_file_and_prints_nothing(name, tmp_path, monkeypatch):
    for file in ("qrels.txt", "titles.trec", "bm25.trec", "expanded.trec", "attributes.csv"):
        (tmp_path / file).write_bytes(sample(file).read_bytes())
    before = set(tmp_path.iterdir())
    monkeypatch.chdir(tmp_path)
    assert printed(*shlex.split(COMMANDS[name])[1:]) == ""
    (made,) = set(tmp_path.iterdir()) - before
    assert made.name == f"{name}.svg"
    assert made.read_text().startswith("<svg")


@pytest.mark.parametrize(
    ("ending", "start"), [("png", b"\x89PNG"), ("SVG", b"<svg"), ("pdf", b"%PDF"), ("html", b"<!DOCTYPE")]
)
def test_the_ending_decides_the_format(ending, start, tmp_path):
    out = tmp_path / f"chart.{ending}"
    printed("plot", "discount", "-o", str(out))
    assert out.read_bytes().startswith(start)


def test_themes_and_options_reach_the_chart(tmp_path):
    out = tmp_path / "chart.svg"
    printed("plot", "curve", QRELS, RUNS[0], "-m", "r@5", "--query", "q18", "--theme", "dark", "-o", str(out))
    assert DARK.background in out.read_text()
    assert "Recall at k of query q18 in bm25" in out.read_text()
    printed("plot", "discount", "--discount", "zipf(0, 1)", "--discount", "jk", "--depth", "4", "-o", str(out))
    text = out.read_text()
    assert LIGHT.background in text
    assert "zipf(0, 1)" in text
    assert "log2" not in text
    printed("plot", "scatter", QRELS, RUNS[0], "-m", "p@5,rr", "-p", "missing=skip", "-o", str(out))
    assert "Reciprocal rank against precision@5 in bm25" in out.read_text()
    printed("plot", "precision_recall", QRELS, *RUNS, "-o", str(out))
    assert "Precision against recall" in out.read_text()


def test_the_list_has_every_plot_with_what_it_needs():
    listed = printed("plot", "--list")
    for name in NAMES:
        assert f"{name} " in listed
        assert PLOTS[name].summary in listed
    assert "needs 2 runs, a query" in listed
    proposed = listed.strip().splitlines()[-1].removeprefix("Try: rankgold ").split()
    assert proposed[:2] == ["plot", "discount"]


FAULTS = {
    "no name": ([], "Name a plot. `rankgold plot --list` lists them."),
    "an unknown name": (["pie", "-o", "x.png"], "No plot is called 'pie'. "),
    "a name that is nearly one": (["curvs", "-o", "x.png"], "Did you mean 'curves'? Plots: attribution, average-precision, bump, correlation,"),
    "no file": (["discount"], "Name a file for the chart with -o, ending in .png, .svg, .pdf or .html."),
    "an unknown ending": (["discount", "-o", "x.gif"], "x.gif: unknown chart format 'gif'. Use one of .png, .svg, .pdf, .html."),
    "no ending": (["discount", "-o", "chart"], "chart: the file name has no ending. Use one of .png"),
    "no such directory": (["discount", "-o", "no/such/x.png"], "there is no directory 'no/such'"),
    "files for a plot that takes none": (["discount", QRELS, RUNS[0], "-o", "x.png"], "discount takes no files"),
    "no runs": (["grid", "-o", "x.png"], "grid needs a run: rankgold plot grid QRELS RUN... -o FILE"),
    "judgements alone": (["reciprocal-rank", QRELS, "-o", "x.png"], "qrels.txt: no run given. Usage:"),
    "one run for two": (["difference", QRELS, RUNS[0], "-o", "x.png"], "compares two runs, not 1: bm25"),
    "two runs for one": (["grid", QRELS, *RUNS, "-o", "x.png"], "grid shows a run, not 2 runs"),
    "no query": (["curve", QRELS, RUNS[0], "-o", "x.png"], "Which query? There are 30"),
    "an option that a plot does not take": (["grid", QRELS, RUNS[0], "--query", "q1", "-o", "x.png"], "grid takes no --query"),
    "a measure where there is none": (["judged", QRELS, RUNS[0], "-m", "ap", "-o", "x.png"], "judged takes no --measure"),
    "two measures for one": (["grid", QRELS, RUNS[0], "-m", "ap,rr", "-o", "x.png"], "grid shows one measure, not 2"),
    "an unknown discount": (["discount", "--discount", "cubic", "-o", "x.png"], "discount must be one of log2"),
    "a depth of 0": (["grid", QRELS, RUNS[0], "--depth", "0", "-o", "x.png"], "depth must be a whole number from 1 to 1,000,000, not 0."),
    "an unknown measure": (["grid", QRELS, RUNS[0], "-m", "ndgc", "-o", "x.png"], "Did you mean 'ndcg'?"),
}  # fmt: skip


@for_each("fault", FAULTS)
def test_a_mistake_says_what_to_do_and_leaves_no_file(fault, tmp_path, monkeypatch):
    arguments, message = FAULTS[fault]
    monkeypatch.chdir(tmp_path)
    with pytest.raises(RankgoldError) as caught:
        printed("plot", *arguments)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value) or "ndgc" in arguments
    assert list(tmp_path.iterdir()) == []


def test_a_mistake_ends_with_exit_code_2_and_no_traceback(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "rankgold", "plot", "discount", "-o", "x.bmp"],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "error: x.bmp: unknown chart format 'bmp'. Use one of .png, .svg, .pdf, .html.\n"


def test_a_file_that_is_there_stays_when_the_chart_cannot_be_drawn(tmp_path):
    out = tmp_path / "chart.png"
    out.write_text("before")
    with pytest.raises(RankgoldError):
        printed("plot", "curve", QRELS, RUNS[0], "--query", "q99", "-o", str(out))
    assert out.read_text() == "before"


def test_a_chart_does_not_replace_what_it_is_made_of(tmp_path):
    qrels = tmp_path / "qrels.svg"
    qrels.write_bytes(sample("qrels.txt").read_bytes())
    with pytest.raises(RankgoldError, match="this is also an input file"):
        printed("plot", "grid", str(qrels), RUNS[0], "-o", str(qrels))
