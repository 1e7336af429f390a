"""All benchmarks: `scripts/bench` sets up what they need and runs this."""

from __future__ import annotations

import argparse
import json
import math
import os
import platform
import re
import statistics
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

import made_data
import report
from comparison import comparison_rows
from fusion import fusion_row
from many_runs import many_runs_rows
from timing import HERE, PYTHON, Cold, Result, Row, Warm, WorkFailedError, measured

RANKGOLD = str(Path(sys.executable).with_name("rankgold"))
FIVE = ["ap", "ndcg", "p@10", "rr", "r@100"]
FIFTY = [
    *(f"{name}@{k}" for name in ("p", "r", "f", "hit", "ndcg", "dcg", "ap", "rr") for k in (1, 5, 10, 20, 100)),
    *("ap", "rr", "ndcg", "ndcg(gain=exp)@10", "rprec", "auc", "err(max=3)@10", "gap", "ar", "frp@100"),
]
LARGE = 10_000


def files(queries: int, depth: int, judged: int = 50) -> dict[str, Any]:
    qrels, run = made_data.trec_files(queries, depth, judged)
    return {"qrels": str(qrels), "run": str(run)}


def evaluate(qrels: str, run: str, measures: list[str], *options: str) -> list[str]:
    return [RANKGOLD, "evaluate", qrels, run, *(part for measure in measures for part in ("-m", measure)), *options]


def rows(quick: bool) -> Iterator[Row]:
    small, middle = files(50, 1000), files(1000, 1000)
    yield Row(
        "cold start",
        "50 x 1,000 TREC files at the shell, first number",
        Cold(evaluate(**small, measures=FIVE), _from_table),
        Cold(
            [str(Path(PYTHON["peers"]).with_name("ir_measures")), *small.values(), "AP", "nDCG", "P@10", "RR", "R@100"],
            _from_lines,
        ),
        "ir_measures",
        None,
        9,
        1e-4,
    )
    yield Row(
        "cold start",
        "50 x 1,000 TREC files at the shell, first number",
        Cold(evaluate(**small, measures=FIVE), _from_table),
        Cold([PYTHON["peers"], "-c", _RANX.format(**small)], json.loads),
        "ranx",
        10,
        2,
        1e-4,
    )
    for queries in (50, 1000) if quick else (50, 1000, LARGE):
        work = f"{queries:,} x 1,000 TREC files, five measures"
        repeats = 9 if queries < LARGE else 3
        yield Row(
            "TREC files",
            f"{work}: read and evaluate",
            Warm("rankgold", "files", files(queries, 1000)),
            Warm("peers", "pytrec_files", files(queries, 1000)),
            "pytrec_eval",
            6 if queries > 50 else None,
            repeats,
        )
    part = "1,000 x 1,000 TREC files, five measures"
    yield Row(
        "TREC files",
        f"{part}: only read (rankgold matches too)",
        Warm("rankgold", "reading", middle),
        Warm("peers", "pytrec_reading", middle),
        "pytrec_eval",
    )
    yield Row(
        "TREC files",
        f"{part}: only evaluate what was read",
        Warm("rankgold", "evaluating", middle),
        Warm("peers", "pytrec_dicts", middle),
        "pytrec_eval",
    )
    yield Row(
        "TREC files",
        f"{part}: read and evaluate",
        Warm("rankgold", "files", middle),
        Warm("peers", "ir_measures_files", middle),
        "ir_measures",
        None,
        3,
    )
    if not quick:
        yield Row(
            "TREC files",
            "100,000 x 100 like MS MARCO, one judgement a query: read and evaluate",
            Warm("rankgold", "files", files(100_000, 100, 1)),
            Warm("peers", "pytrec_files", files(100_000, 100, 1)),
            "pytrec_eval",
            None,
            3,
        )
    yield Row(
        "in memory",
        "1,000 x 1,000 dicts of dicts, five measures: through the interface of ir_measures",
        Warm("rankgold", "ir_measures_interface", middle),
        Warm("peers", "ir_measures_dicts", middle),
        "ir_measures",
        None,
        3,
    )
    yield Row(
        "in memory",
        "1,000 x 1,000 dicts of dicts, five measures: evaluate",
        Warm("rankgold", "dicts", middle),
        Warm("peers", "pytrec_dicts", middle),
        "pytrec_eval",
        3,
        9,
    )
    yield Row(
        "in memory",
        "1,000 x 1,000 pandas frames, text ids: build and evaluate, warm",
        Warm("rankgold", "pandas_frames", middle),
        Warm("peers", "ranx_frames", middle),
        "ranx",
        10,
        5,
        1e-6,
    )
    yield Row(
        "in memory",
        "1,000 x 1,000 Polars frames, text ids: build and evaluate, warm",
        Warm("rankgold", "polars_frames", middle),
        Warm("peers", "ranx_frames", {**middle, "polars": True}),
        "ranx",
        10,
        5,
        1e-6,
    )
    for documents in (100, 1000):
        for ignore, policy, bound in ((False, "ties=average", 6), (True, "ties=descending", 2)):
            yield Row(
                "in memory",
                f"10,000 x {documents:,} arrays, ndcg@10{', ties by position' if ignore else ''}",
                Warm("rankgold", "arrays", {"queries": 10_000, "documents": documents, "policy": policy}),
                Warm("peers", "sklearn_arrays", {"queries": 10_000, "documents": documents, "ignore_ties": ignore}),
                f"scikit-learn{', ignore_ties' if ignore else ''}",
                bound,
                9 if documents == 100 else 5,
            )
    # scikit-learn computes ndcg alone here, and rankgold ap too: 3 times as long is allowed.
    yield Row(
        "in memory",
        "one query of 100,000 tied documents, ties averaged: ndcg and ap",
        Warm("rankgold", "tied_arrays", {"documents": 100_000}),
        Warm("peers", "sklearn_tied_arrays", {"documents": 100_000}),
        "scikit-learn, ndcg alone",
        1 / 3,
        9,
    )
    yield Row(
        "in memory",
        "10,000 x 100 arrays, ndcg@10",
        Warm("rankgold", "arrays", {"queries": 10_000, "documents": 100, "policy": "ties=average"}),
        Warm("torchmetrics", "torchmetrics_arrays", {"queries": 10_000, "documents": 100}),
        "torchmetrics",
        None,
        2,
        1e-5,
    )
    users = 10_000 if quick else 1_000_000
    yield Row(
        "in memory",
        f"{users:,} users x 10 items, integer ids, three measures: frames",
        Warm("rankgold", "recommending", {"users": users, "depth": 10}),
        Warm("rectools", "rectools_recommending", {"users": users, "depth": 10}),
        "RecTools",
        None,
        3,
    )
    yield from engines(quick)
    yield from against_itself(quick)
    yield fusion_row(200 if quick else 1000)
    yield from comparison_rows(quick)
    yield from many_runs_rows(200 if quick else 1000)


def engines(quick: bool) -> Iterator[Row]:
    """The other engines against the tools that their users have."""
    lists = {"lists": 10_000 if quick else 100_000, "depth": 100}
    for work, peer, bound in (
        ("python_functions", "five Python functions called per row", 20),
        ("one_python_function", "one Python function for all five", None),
    ):
        yield Row(
            "engines",
            f"{lists['lists']:,} lists of 100 integer ids in DuckDB, five SQL functions",
            Warm("rankgold", "duckdb_functions", lists),
            Warm("rankgold", work, lists),
            peer,
            bound,
            7,
        )
    queries = 1000 if quick else LARGE
    qrels, run = map(str, made_data.parquet_of_trec(queries, 1000))
    yield Row(
        "engines",
        f"{queries:,} x 1,000 as Parquet, five measures: DuckDB within 512 MB",
        Warm("rankgold", "duckdb_files", {"qrels": qrels, "run": run, "memory_limit": "512MB"}),
        Warm("peers", "pytrec_files", files(queries, 1000)),
        "pytrec_eval, from text",
        3,
        3,
    )
    qrels, run = map(str, made_data.parquet_files(queries, 1000))
    yield Row(
        "engines",
        f"{queries:,} x 1,000 Parquet on Spark local[2]: five measures against one",
        Warm("rankgold", "spark", {"qrels": qrels, "run": run}),
        Warm("spark", "spark_ranking_evaluator", {"qrels": qrels, "run": run}),
        "RankingEvaluator",
        1,
        5,
    )


def against_itself(quick: bool) -> Iterator[Row]:
    """rankgold's work against its own of another kind: the second side is the simpler one."""
    middle = files(1000, 1000)
    plain = Warm("rankgold", "files", {**middle, "measures": ["ndcg"]})
    yield Row(
        "itself",
        "50 measures at once, 1,000 x 1,000 TREC files",
        Warm("rankgold", "files", {**middle, "measures": [*FIFTY, "ndcg"]}),
        plain,
        "one measure",
        1 / 1.3,
        15,
    )
    queries = 1000 if quick else 5000
    for order in ("shuffled in each query", "interleaved", "shuffled altogether", "tied", "tied, averaged"):
        qrels, run = made_data.reordered(queries, order.removesuffix(", averaged"))
        policy = "ties=average" if order == "tied, averaged" else "rankgold"
        # Ties change the numbers, so there only the time is compared; that they are right is for the tests.
        changed = order.startswith("tied")
        yield Row(
            "itself",
            f"{queries:,} x 1,000 TREC files {order}",
            Warm("rankgold", "files", {"qrels": str(qrels), "run": str(run), "policy": policy}),
            Warm("rankgold", "files", {**files(queries, 1000), "policy": policy}),
            "in order",
            1 / 2.5,
            5,
            1.0 if changed else 1e-9,
        )
    zipped = str(made_data.packed(Path(middle["run"])))
    yield Row(
        "itself",
        "1,000 x 1,000 TREC run as .gz, at the shell",
        Cold(evaluate(middle["qrels"], zipped, FIVE), _from_table),
        Cold(
            [
                "bash",
                "-c",
                f'zcat "$1" | "$2" evaluate "$3" - {"-m " + " -m ".join(FIVE)}',
                "-",
                zipped,
                RANKGOLD,
                middle["qrels"],
            ],
            _from_table,
        ),
        "zcat piped into rankgold",
        0.95,
        9,
    )
    if not quick and made_data.free_space() > 6e9:
        qrels, run = made_data.copies(LARGE, 1000, 10)
        yield Row(
            "itself",
            "100 million rows (10 x 10,000 x 1,000 TREC files) at the shell",
            Cold(evaluate(str(qrels), str(run), FIVE), _from_table),
            Cold(evaluate(**files(LARGE, 1000), measures=FIVE), _from_table),
            "10 million rows",
            1 / 11,
            2,
        )


_RANX = """
import json, warnings; warnings.filterwarnings("ignore")
from ranx import Qrels, Run, evaluate
asked = {{"map": "ap", "ndcg": "ndcg", "precision@10": "p@10", "mrr": "rr", "recall@100": "r@100"}}
qrels, run = Qrels.from_file({qrels!r}, kind="trec"), Run.from_file({run!r}, kind="trec")
print(json.dumps({{asked[name]: float(value) for name, value in evaluate(qrels, run, list(asked)).items()}}))
"""


def _from_table(printed: str) -> dict[str, float]:
    head, values = (line.split() for line in printed.splitlines()[:2])
    return dict(zip(head[1:], map(float, values[1:]), strict=True))


def _from_lines(printed: str) -> dict[str, float]:
    named = {"AP": "ap", "nDCG": "ndcg", "P@10": "p@10", "RR": "rr", "R@100": "r@100"}
    return {named[name]: float(value) for name, value in (line.split() for line in printed.splitlines())}


def growth() -> dict[str, Any]:
    """How the time to read and evaluate grows with the rows: seconds at four sizes, and the slope in logarithms."""
    sizes = [1250, 2500, 5000, 10_000]
    seconds: dict[str, list[float]] = {"rankgold": [], "pytrec_eval": []}
    for queries in sizes:
        for name, side in (
            ("rankgold", Warm("rankgold", "files", files(queries, 1000))),
            ("pytrec_eval", Warm("peers", "pytrec_files", files(queries, 1000))),
        ):
            worker = side.start()
            worker.once()
            seconds[name].append(statistics.median(worker.once()[0] for _ in range(3)))
            worker.close()
    slopes = {
        name: statistics.linear_regression([math.log(n) for n in sizes], [math.log(s) for s in times]).slope
        for name, times in seconds.items()
    }
    return {"rows": [1000 * n for n in sizes], "seconds": seconds, "slopes": slopes}


def machine() -> dict[str, str]:
    model = re.search(r"model name\s*: (.*)", Path("/proc/cpuinfo").read_text())
    listed = {}
    for where, python in PYTHON.items():
        if Path(python).exists():
            shown = subprocess.run(
                [python, "-m", "pip", "list", "--format=json", "--disable-pip-version-check"],
                capture_output=True,
                text=True,
                check=True,
            )
            listed[where] = {
                package["name"].lower().replace("-", "_"): package["version"] for package in json.loads(shown.stdout)
            }
    wanted = [("rankgold", name) for name in ("rankgold", "numpy", "polars", "pyspark")]
    wanted += [("peers", name) for name in ("pytrec_eval_terrier", "ranx", "ir_measures", "scikit_learn")]
    wanted += [("torchmetrics", "torchmetrics"), ("torchmetrics", "torch"), ("rectools", "rectools")]
    versions = [f"{name} {listed[where][name]}" for where, name in wanted if name in listed.get(where, {})]
    return {
        "processor": f"{model[1].strip() if model else platform.machine()}, {os.cpu_count()} cores",
        "python": platform.python_version(),
        "versions": ", ".join(versions),
    }


def wanted(row: Row, only: list[str]) -> bool:
    """Whether any of the texts after `--only` is in what the row is called."""
    return not only or any(text.lower() in f"{row.part}: {row.work}, against {row.peer}".lower() for text in only)


def main() -> int:
    parser = argparse.ArgumentParser(description="Measures rankgold against others. Run it by scripts/bench.")
    parser.add_argument("--quick", action="store_true", help="leave out what is large, and write nothing")
    parser.add_argument("--only", metavar="TEXT", action="append", default=[], help="the rows with it in their name")
    given = parser.parse_args()
    quick, only = given.quick, given.only
    results: list[Result] = []
    for row in rows(quick):
        if not wanted(row, only):
            continue
        print(f"{row.work}, against {row.peer} ...", end=" ", flush=True)
        try:
            result = measured(row)
        except WorkFailedError as error:
            print(f"left out: {error}")
            continue
        if result is None:
            print("not installed")
            continue
        results.append(result)
        print(
            f"{result.ours:.3f} s, {result.theirs:.3f} s, {result.ratio:.2f} x"
            f" ({result.lowest:.2f} to {result.highest:.2f}){'' if result.holds else '   NOT ENOUGH'}"
        )
    if not quick and not only:
        made = {"machine": machine(), "rows": [asdict(result) for result in results], "growth": growth()}
        (HERE / "results.json").write_text(json.dumps(made, indent=1) + "\n")
        report.write(made, HERE)
    missed = [result for result in results if not result.holds]
    for result in missed:
        print(f"{result.work}: {result.ratio:.2f} x of {result.peer}, and {result.at_least:.2f} x was wanted")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
