"""What trying hundreds of conventions costs, as a ratio to one evaluation: python benchmarks/conventions.py [ROUNDS]

`reconcile` looks for a number that nothing gives, so that it tries all pairs of deviations, on TREC files of 1,000
queries with 1,000 documents each. `evaluate` computes one measure of the same files. CPU time is taken.
The ratio is also given for 200 conventions: what is read and matched once, and 200 times what each convention adds. One
step is a dialect or a single deviation.
"""

from __future__ import annotations

import statistics
import sys
import time
from collections.abc import Callable

import rankgold
from made_data import trec_files

MEASURES = ("ap@10", "ndcg@10", "p@10")


def seconds(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    qrels, run = trec_files(1000, 1000)
    for measure in MEASURES:
        rankgold.evaluate(qrels, run, measure)
        tried = rankgold.reconcile(qrels, run, measure, "0.98765", exhaustive=True).tried
        few = rankgold.reconcile(qrels, run, measure, f"{rankgold.evaluate(qrels, run, measure)[measure]:.9f}").tried
        times = [
            (
                seconds(lambda measure=measure: rankgold.evaluate(qrels, run, measure)),
                seconds(lambda measure=measure: rankgold.reconcile(qrels, run, measure, "0.98765", exhaustive=True)),
            )
            for _ in range(rounds)
        ]
        one, many = (statistics.median(column) for column in zip(*times, strict=True))
        for_200 = one + (many - one) * min(200 / tried, 1)
        print(
            f"{measure:<8} one {1000 * one:7.1f} ms   {tried} conventions {1000 * many:8.1f} ms, ratio"
            f" {many / one:5.1f}   200 conventions: ratio {for_200 / one:4.1f}   (one step: {few})"
        )


if __name__ == "__main__":
    main()
