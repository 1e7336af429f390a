"""evaluate --watch and --sparkline."""

import os
import signal
import subprocess
import sys
import time

import numpy as np

from rankgold.data.files import sample
from rankgold.scoring.score_document import sparkline
from tests.shell import printed, refused


def test_a_sparkline_has_the_values_from_the_lowest_to_the_highest():
    # Eighths of the span: 0 to 1/8 is the lowest column, 7/8 and above the highest.
    assert sparkline(np.array([1.0, 0.0, 0.5]), 0, 1) == "▁▅█"
    assert sparkline(np.array([0.0, 0.1, 0.9, 1.0]), 0, 1, width=2) == "▁█"
    assert sparkline(np.array([np.nan, 3.0]), 0, 6) == "▅"
    assert sparkline(np.array([np.nan]), 0, 1) == "–"
    assert sparkline(np.array([2.0, 2.0]), 2, 2) == "▁▁"
    assert len(sparkline(np.linspace(0, 1, 500), 0, 1)) == 20


def test_evaluate_shows_sparklines_below_its_table():
    shown = printed(
        "evaluate", str(sample("qrels.txt")), str(sample("bm25.trec")), "-m", "rr,mr", "--sparkline", "--quiet"
    )
    *_, caption, header, line = shown.splitlines()
    assert caption == "The values of the queries, from the lowest to the highest:"
    assert header.split() == ["run", "rr", "mr"]
    name, reciprocal_ranks, mean_ranks = line.split()
    assert (name, len(reciprocal_ranks), len(mean_ranks)) == ("bm25", 20, 20)
    assert reciprocal_ranks.endswith("██████")


def test_watch_evaluates_again_when_a_file_changes_and_after_an_error(tmp_path):
    qrels, run = tmp_path / "qrels", tmp_path / "run"
    qrels.write_text("q1 0 d1 1\n")
    run.write_text("q1 Q0 d1 1 2 a\nq1 Q0 d2 2 1 a\n")
    command = [sys.executable, "-m", "rankgold", "evaluate", "qrels", "run", "-m", "rr", "--watch"]
    with subprocess.Popen(
        command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=os.environ
    ) as process:
        seen = [process.stdout.readline() for _ in range(2)]
        time.sleep(0.1)  # so that the time of the file differs, on any file system
        run.write_text("broken\n")
        assert "run:1" in process.stderr.readline()
        run.write_text("q1 Q0 d2 1 2 a\nq1 Q0 d1 2 1 a\n")
        while "0.5000" not in seen[-1]:
            seen.append(process.stdout.readline())
            assert seen[-1]
        process.send_signal(signal.SIGINT)
        process.communicate()
    assert seen[1].split() == ["a", "1.0000"]
    assert seen[-1].split() == ["a", "0.5000"]
    assert process.returncode == 0


def test_standard_input_cannot_be_watched():
    assert refused("evaluate", "-", str(sample("bm25.trec")), "--watch") == (
        "--watch cannot watch standard input. Name a file."
    )
