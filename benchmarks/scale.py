"""How long an evaluation takes as it grows, and on Spark how much is shuffled, by Spark's own count.

    python benchmarks/scale.py --engine spark --millions 1 10 100 --master 'local[2]'

Queries rank 1,000 documents each and have 50 judgements; five measures. The time is that of the second of two
evaluations, when Java is warm; with --once that of the first.
"""

from __future__ import annotations

import argparse
import json
import resource
import tempfile
import time
from pathlib import Path
from typing import Any

import made_data
import rankgold

FIVE = ["ap", "ndcg", "p@10", "rr", "r@100"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engine", choices=("local", "duckdb", "spark"), default="spark")
    parser.add_argument("--millions", type=int, nargs="+", default=[1, 10], help="of rows in the run")
    parser.add_argument("--master", default="local[2]")
    parser.add_argument("--trust-ranks", action="store_true", help="add a column of ranks, and trust it (Spark)")
    parser.add_argument("--once", action="store_true")
    given = parser.parse_args()
    for millions in given.millions:
        qrels, run = map(str, made_data.parquet_files(millions * 1000, 1000))
        rows = millions * 1_000_000
        measured = on_spark(qrels, run, given) if given.engine == "spark" else here(qrels, run, given)
        print(json.dumps({"engine": given.engine, "rows": rows, **measured}), flush=True)


def here(qrels: str, run: str, given: argparse.Namespace) -> dict[str, Any]:
    engine = {} if given.engine == "local" else {"engine": given.engine}
    seconds = [_timed(lambda: rankgold.evaluate(qrels, run, FIVE, **engine)) for _ in range(1 if given.once else 2)]
    return {"seconds": round(seconds[-1], 2), "memory": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024}


def on_spark(qrels: str, run: str, given: argparse.Namespace) -> dict[str, Any]:
    from spark_sessions import session

    with tempfile.TemporaryDirectory() as events:
        log = {"spark.eventLog.enabled": "true", "spark.eventLog.dir": f"file://{events}"}
        spark = session(given.master, **log, **{"spark.eventLog.compress": "false"})
        judged, ranked = spark.read.parquet(qrels), spark.read.parquet(run)
        if given.trust_ranks:
            # The rows of a query are in order in the file, and the row's place is its rank.
            ranked = ranked.selectExpr("*", "cast(_metadata.row_index % 1000 + 1 as int) as rank")

        engine = rankgold.Spark(spark, trust_ranks=given.trust_ranks)

        def work() -> None:
            rankgold.evaluate(judged, ranked, FIVE, per_query=False, engine=engine)

        seconds = [_timed(work) for _ in range(1 if given.once else 2)]
        spark.stop()
        return {"seconds": round(seconds[-1], 2), **_shuffled(Path(events), len(seconds))}


def _timed(work: Any) -> float:
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def _shuffled(events: Path, times: int) -> dict[str, Any]:
    """What one evaluation wrote for others to read, and the processor time of its tasks in Java."""
    total = {"shuffled_bytes": 0, "shuffled_rows": 0, "java_seconds": 0.0}
    for file in events.rglob("events_*"):
        for line in file.read_text().splitlines():
            event = json.loads(line)
            if event["Event"] == "SparkListenerTaskEnd":
                metrics = event["Task Metrics"]
                total["shuffled_bytes"] += metrics["Shuffle Write Metrics"]["Shuffle Bytes Written"]
                total["shuffled_rows"] += metrics["Shuffle Write Metrics"]["Shuffle Records Written"]
                total["java_seconds"] += metrics["Executor CPU Time"] / 1e9
    return {name: round(value / times, 1) for name, value in total.items()}


if __name__ == "__main__":
    main()
