"""Collections of any size, the same each time: TREC files, and the dicts that a tool parses them into."""

from __future__ import annotations

from pathlib import Path

import numpy as np

DATA = Path(__file__).parent / ".data"


def trec_files(queries: int, depth: int, judged: int = 50) -> tuple[Path, Path]:
    """Judgements and a run: half of each query's judged documents are retrieved, at random ranks."""
    DATA.mkdir(exist_ok=True)
    qrels, run = DATA / f"qrels-{queries}x{depth}.txt", DATA / f"run-{queries}x{depth}.trec"
    if qrels.exists() and run.exists():
        return qrels, run
    random = np.random.default_rng(queries * 1_000_003 + depth)
    with (
        open(qrels.with_suffix(".part"), "w", encoding="ascii") as judgements,
        open(run.with_suffix(".part"), "w", encoding="ascii") as ranking,
    ):
        for query in range(queries):
            documents = random.choice(8_000_000, depth + judged, replace=False)
            scores = np.sort(random.random(depth) * 20)[::-1]
            for rank in range(depth):
                ranking.write(f"q{query} Q0 doc{documents[rank]:08d} {rank + 1} {scores[rank]:.6f} sample\n")
            found = random.choice(documents[:depth], min(judged // 2, depth), replace=False)
            for document in (*found, *documents[depth : depth + judged - len(found)]):
                judgements.write(f"q{query} 0 doc{document:08d} {random.integers(0, 4)}\n")
    qrels.with_suffix(".part").rename(qrels)
    run.with_suffix(".part").rename(run)
    return qrels, run
