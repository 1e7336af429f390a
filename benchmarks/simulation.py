"""How often intervals hold the truth, and how often tests find what is not there: `python benchmarks/simulation.py`.

It prints the tables of docs/statistics.md, in a few minutes. Each experiment draws the differences between two runs
that are equally good, query by query. All experiments are columns of one matrix, as the pairs of a comparison are.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

import numpy as np

from rankgold.comparison.intervals import BOOTSTRAP_TESTS, INTERVALS
from rankgold.comparison.paired_values import Draws, UnitSums
from rankgold.comparison.significance_tests import FAMILY_TESTS, TESTS
from rankgold.core.segments import Floats

Generator = np.random.Generator
LEVEL, ALPHA = 0.95, 0.05


def normal(rng: Generator, shape: tuple[int, ...]) -> Floats:
    """Differences of many small causes."""
    return rng.normal(0, 0.15, shape)


def like_ndcg(rng: Generator, shape: tuple[int, ...]) -> Floats:
    """Two runs with values from 0 to 1 that share the difficulty of the query; a third of the queries are tied."""
    difficulty = rng.beta(2, 2, shape)
    first, second = (rng.beta(1 + 6 * difficulty, 1 + 6 * (1 - difficulty)) for _ in range(2))
    return np.where(rng.random(shape) < 1 / 3, 0.0, second - first)


def skewed(rng: Generator, shape: tuple[int, ...]) -> Floats:
    """A few queries gain much, and most lose a little: exponential values less their mean. Their skewness is 2."""
    return rng.exponential(0.15, shape) - 0.15


CASES: list[tuple[str, Callable[[Generator, tuple[int, ...]], Floats], int]] = [
    ("like ndcg", like_ndcg, 10),
    ("like ndcg", like_ndcg, 50),
    ("like ndcg", like_ndcg, 100),
    ("like ndcg", like_ndcg, 250),
    ("normal", normal, 10),
    ("normal", normal, 50),
    ("skewed", skewed, 30),
    ("skewed", skewed, 250),
]
# Experiments of one batch share their draws, as the pairs of one comparison do; each batch has draws of its own.
BATCH = 100


def shares(
    make: Callable[[Generator, tuple[int, ...]], Floats],
    queries: int,
    experiments: int,
    count: Callable[[UnitSums, Draws], list[float]],
    draws: int,
    seed: int,
) -> list[float]:
    """The means of what is counted in each batch of experiments."""
    found = []
    for batch in range(experiments // BATCH):
        values = make(np.random.default_rng([seed, queries, batch]), (queries, BATCH))
        found.append(count(UnitSums.of(values), Draws(draws, batch)))
    return np.mean(found, axis=0).tolist()


def coverages(units: UnitSums, draws: Draws) -> list[float]:
    """For each kind of interval, the share of experiments in which it holds the true difference, which is 0."""
    ends = [interval(units, LEVEL, draws) for interval in INTERVALS.values()]
    return [float(((low <= 0) & (high >= 0)).mean()) for low, high in ends]


def false_positives(units: UnitSums, draws: Draws) -> list[float]:
    """For each test, the share of experiments in which it finds a difference."""
    return [float((test(units, draws) < ALPHA).mean()) for test in pair_tests().values()]


def family_errors(test: str, runs: int, queries: int, experiments: int, draws: int, seed: int) -> float:
    """The share of experiments with equally good runs in which a test of all pairs finds any difference."""
    rng = np.random.default_rng(seed)
    found = 0
    for experiment in range(experiments):
        difficulty = rng.beta(2, 2, (queries, 1))
        values = rng.beta(1 + 6 * difficulty, 1 + 6 * (1 - difficulty), (queries, runs))
        p = FAMILY_TESTS[test][1](values, Draws(draws, experiment))
        found += bool(p[np.triu_indices(runs, 1)].min() < ALPHA)
    return found / experiments


def pair_tests() -> dict[str, Callable[[UnitSums, Draws], Floats]]:
    bootstraps = {f"bootstrap, {kind}": BOOTSTRAP_TESTS[kind][1] for kind in ("bca", "percentile", "studentized")}
    others = {name: TESTS[name][1] for name in ("t", "wilcoxon", "sign")}
    return {"randomization": TESTS["randomization"][1], **bootstraps, **others}


def table(header: list[str], rows: list[list[str]]) -> str:
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def pair_tables(experiments: int, draws: int, seed: int) -> list[str]:
    """How often intervals hold the truth, and how often tests find what is not there."""
    covered, wrong = [], []
    for name, make, queries in CASES:
        label = f"{name}, {queries} queries"
        for rows, count in ((covered, coverages), (wrong, false_positives)):
            rows.append([label, *map(percent, shares(make, queries, experiments, count, draws, seed))])
        print(f"{label} done", file=sys.stderr)
    return [table(["differences", *INTERVALS], covered), table(["differences", *pair_tests()], wrong)]


def family_table(experiments: int, seed: int) -> str:
    """How often tests of all pairs find any difference."""
    rows = []
    for test in FAMILY_TESTS:
        rows.append([test, *(percent(family_errors(test, runs, 50, experiments, 500, seed)) for runs in (3, 6))])
        print(f"{test} done", file=sys.stderr)
    return table(["test of all pairs", "3 runs", "6 runs"], rows)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--experiments", type=int, default=6000, help="a third of them for the tests of all pairs")
    parser.add_argument("--draws", type=int, default=5000)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    pairs = pair_tables(given.experiments, given.draws, given.seed)
    print("\n\n".join([*pairs, family_table(given.experiments // 3, given.seed)]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
