"""Runs two evaluations, prints the files of the package that each one passes through; `--check` fails above the limits.

Counted are the files with at least one function that is called during the second of two equal evaluations: what
happens once, at import, is no part of the walk. Threads are counted too.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from unittest.mock import patch

import rankgold
from rankgold.__main__ import main as run_command
from rankgold.data.files import sample

PACKAGE = f"{Path(rankgold.__file__).parent}{os.sep}"
ARGUMENTS = ["evaluate", str(sample("qrels.txt")), str(sample("bm25.trec")), "-m", "ndcg@10", "-m", "ap"]
LIMITS = {"evaluate(dict, dict)": 17, "rankgold evaluate QRELS RUN": 33}


def evaluate_dicts() -> None:
    qrels = {"q1": {"d1": 1, "d3": 1}, "q2": {"d2": 2, "d4": 0}}
    run = {"q1": {"d1": 0.9, "d2": 0.8, "d3": 0.7}, "q2": {"d4": 0.6, "d2": 0.6, "d5": 0.1}}
    rankgold.evaluate(qrels, run, ["ndcg@10"])


def evaluate_files() -> None:
    """The example in the command's help."""
    # The command ends its process without the interpreter's own end, which would end this script.
    with (
        patch.object(sys, "argv", ["rankgold", *ARGUMENTS]),
        patch.object(os, "_exit", sys.exit),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.suppress(SystemExit),
    ):
        run_command()


def files_passed(evaluation: Callable[[], None]) -> list[str]:
    """The files of the package with a function that the evaluation calls, by the first call, after all imports."""
    evaluation()
    passed: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: object) -> None:
        file = frame.f_code.co_filename
        if event == "call" and file.startswith(PACKAGE):
            passed[file.removeprefix(PACKAGE)] = None

    threading.setprofile(note)
    sys.setprofile(note)
    try:
        evaluation()
    finally:
        sys.setprofile(None)
        threading.setprofile(None)
    return list(passed)


def main() -> int:
    is_within = True
    for (name, limit), evaluation in zip(LIMITS.items(), (evaluate_dicts, evaluate_files), strict=True):
        passed = files_passed(evaluation)
        is_within &= len(passed) <= limit
        print(f"{name}: {len(passed)} files, at most {limit}", *passed, sep="\n  ")
    return 0 if is_within or "--check" not in sys.argv else 1


if __name__ == "__main__":
    sys.exit(main())
