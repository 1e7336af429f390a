"""Twelve runs in one evaluation, against pytrec_eval one after the other and against one run.

`python benchmarks/many_runs.py [QUERIES]` prints both ratios. `scripts/bench --only "many runs"` sets up pytrec_eval
and measures the same rows.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import made_data
from timing import Cold, Row, Warm, measured

RUNS = 12
FIVE = "ap,ndcg,p@10,rr,r@100"
RANKGOLD = str(Path(sys.executable).with_name("rankgold"))


def many_runs_rows(queries: int = 1000) -> Iterator[Row]:
    qrels, runs = made_data.several_runs(RUNS, queries)
    files = {"qrels": str(qrels), "runs": [str(run) for run in runs]}
    yield Row(
        "many runs",
        f"{RUNS} runs x {queries:,} x 1,000 TREC files",
        Warm("rankgold", "several_files", files),
        Warm("peers", "pytrec_several_files", files),
        "pytrec_eval",
        8,
        3,
    )

    def command(count: int) -> Cold:
        return Cold([RANKGOLD, "evaluate", str(qrels), *map(str, runs[:count]), "-m", FIVE])

    yield Row(
        "many runs",
        f"{RUNS} runs x {queries:,} x 1,000 TREC files, at the shell",
        command(RUNS),
        command(1),
        "one run",
        1 / 7,
        5,
    )


def main() -> int:
    holds = True
    for row in many_runs_rows(*map(int, sys.argv[1:])):
        result = measured(row)
        if result is None:
            print(f"{row.peer} is not installed: run scripts/bench --only 'many runs'", file=sys.stderr)
            return 2
        print(
            f"{row.work}: {result.ours:.2f} s, {row.peer} {result.theirs:.2f} s: {result.ratio:.2f} x"
            f" ({result.lowest:.2f} to {result.highest:.2f})"
        )
        holds = holds and result.holds
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
