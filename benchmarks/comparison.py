"""The randomisation test against ranx, and against one matrix product: `python benchmarks/comparison.py`.

The ratios are what counts. `scripts/bench --only compar` sets up ranx and measures the same rows.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from timing import Row, Warm, measured


def comparison_rows(quick: bool = False) -> Iterator[Row]:
    queries, permutations = (200, 1000) if quick else (1000, 1000)
    size: dict[str, Any] = {"runs": 10, "queries": queries, "depth": 100, "permutations": permutations}
    yield Row(
        "comparison",
        f"all pairs of 10 runs x {queries:,} x 100, five measures, {permutations:,} permutations",
        Warm("rankgold", "comparing", size),
        Warm("peers", "ranx_comparing", size),
        "ranx",
        10,
        3,
    )
    drawn: dict[str, Any] = {"columns": 45 * 5, "queries": queries, "permutations": 10_000 if quick else 100_000}
    yield Row(
        "comparison",
        f"{drawn['permutations']:,} permutations of 45 pairs x 5 measures x {queries:,} queries",
        Warm("rankgold", "permuting", drawn),
        Warm("rankgold", "matrix_product", drawn),
        "one NumPy matrix product of that size",
        1 / 3,
        5,
    )


def main() -> int:
    holds = True
    for row in comparison_rows("--quick" in sys.argv):
        result = measured(row)
        if result is None:
            print("ranx is not installed: run scripts/bench --only compar", file=sys.stderr)
            return 2
        print(
            f"{row.work}: {result.ours:.2f} s, {row.peer} {result.theirs:.2f} s: {result.ratio:.2f} x"
            f" ({result.lowest:.2f} to {result.highest:.2f})"
        )
        holds &= result.holds
    return 0 if holds else 1


if __name__ == "__main__":
    sys.exit(main())
