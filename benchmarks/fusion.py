"""Reciprocal rank fusion of five runs against ranx, warm, each side in its own process: `python benchmarks/fusion.py`.

The ratio of the two times is what counts. `scripts/bench --only fusion` sets up ranx and measures the same row.
"""

from __future__ import annotations

import sys
from typing import Any

from timing import Row, Warm, measured


def fusion_row(queries: int = 1000) -> Row:
    size: dict[str, Any] = {"runs": 5, "queries": queries, "depth": 1000}
    return Row(
        "fusion",
        f"RRF of 5 runs x {queries:,} x 1,000",
        Warm("rankgold", "fusing", size),
        Warm("peers", "ranx_fusing", size),
        "ranx",
        5,
    )


def main() -> int:
    row = fusion_row(*map(int, sys.argv[1:]))
    result = measured(row)
    if result is None:
        print("ranx is not installed: run scripts/bench --only fusion", file=sys.stderr)
        return 2
    print(
        f"{row.work}: {result.ours:.2f} s, {row.peer} {result.theirs:.2f} s: {result.ratio:.1f} x"
        f" ({result.lowest:.1f} to {result.highest:.1f})"
    )
    return 0 if result.holds else 1


if __name__ == "__main__":
    sys.exit(main())
