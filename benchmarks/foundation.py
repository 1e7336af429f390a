"""What must hold from the start, as ratios within one run: `python benchmarks/foundation.py`.

Both sides of a row are run in turn, several times over, and their medians compared; first it is checked that their
numbers agree. A row whose bound is not met ends the program with exit code 1. `--large` adds 10 million rows, which
takes a few minutes.
"""

from __future__ import annotations

import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytrec_eval

import karat
from made_data import trec_files

OURS = ["ap", "ndcg", "p@10", "rr", "r@100"]
POLICY = "trec_eval, score_bits=32"  # pytrec_eval's
THEIRS = {"map": "ap", "ndcg": "ndcg", "P_10": "p@10", "recip_rank": "rr", "recall_100": "r@100"}


def medians(ours: Callable[[], object], peer: Callable[[], object], repeats: int) -> tuple[float, float]:
    """The median seconds of each side, run in turn."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(repeats):
        for side, work in zip(times, (ours, peer), strict=True):
            start = time.perf_counter()
            work()
            side.append(time.perf_counter() - start)
    return statistics.median(times[0]), statistics.median(times[1])


def importing(module: str) -> Callable[[], object]:
    return lambda: subprocess.run([sys.executable, "-c", f"import {module}"], check=True)


def evaluated_files(qrels: Path, run: Path) -> dict[str, dict[str, float]]:
    with open(qrels) as judgements, open(run) as ranking:
        parsed = pytrec_eval.parse_qrel(judgements), pytrec_eval.parse_run(ranking)
    return evaluated_dicts(*parsed)


def evaluated_dicts(qrels: dict[str, dict[str, int]], run: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    return dict(pytrec_eval.RelevanceEvaluator(qrels, set(THEIRS)).evaluate(run))


def check_agreement(scores: karat.Scores, theirs: dict[str, dict[str, float]]) -> None:
    for their_name, our_name in THEIRS.items():
        mean = statistics.fmean(values[their_name] for values in theirs.values())
        if abs(mean - scores[our_name]) > 1e-9:
            raise SystemExit(f"{our_name} is {scores[our_name]}, and pytrec_eval's {their_name} is {mean}")


def main() -> int:
    qrels, run = trec_files(1000, 1000)
    with open(qrels) as judgements, open(run) as ranking:
        qrels_dict, run_dict = pytrec_eval.parse_qrel(judgements), pytrec_eval.parse_run(ranking)
    check_agreement(karat.evaluate(qrels, run, OURS, policy=POLICY), evaluated_files(qrels, run))
    check_agreement(karat.evaluate(qrels_dict, run_dict, OURS, policy=POLICY), evaluated_dicts(qrels_dict, run_dict))
    rows = [
        ("import karat / import numpy", 1.3, medians(importing("karat"), importing("numpy"), 15)),
        (
            "1,000 x 1,000 TREC files, five measures / pytrec_eval parsing and evaluating",
            0.5,
            medians(lambda: karat.evaluate(qrels, run, OURS, policy=POLICY), lambda: evaluated_files(qrels, run), 5),
        ),
        (
            "1,000 x 1,000 dicts, five measures / pytrec_eval evaluating",
            0.5,
            medians(
                lambda: karat.evaluate(qrels_dict, run_dict, OURS, policy=POLICY),
                lambda: evaluated_dicts(qrels_dict, run_dict),
                5,
            ),
        ),
    ]
    if "--large" in sys.argv:
        large = trec_files(10_000, 1000)
        check_agreement(karat.evaluate(*large, OURS, policy=POLICY), evaluated_files(*large))
        rows.append(
            (
                "10,000 x 1,000 TREC files, five measures / pytrec_eval parsing and evaluating",
                0.5,
                medians(lambda: karat.evaluate(*large, OURS, policy=POLICY), lambda: evaluated_files(*large), 3),
            )
        )
    print(f"Python {platform.python_version()}, {platform.machine()}, karat {karat.__version__}\n")
    print("| work | karat, s | peer, s | ratio | at most |\n|---|---:|---:|---:|---:|")
    for work, bound, (ours, peer) in rows:
        print(f"| {work} | {ours:.3f} | {peer:.3f} | {ours / peer:.2f} | {bound} |")
    return int(any(ours > bound * peer for _, bound, (ours, peer) in rows))


if __name__ == "__main__":
    sys.exit(main())
