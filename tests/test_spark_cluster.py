"""A cluster for real: executors in processes of their own, 100,000 rows, and one that is killed in the middle.

The master and the two workers of `local-cluster` live in the process of the driver, which spares three more of Java.
"""

import contextlib
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import polars as pl
import pyspark
import pytest

import rankgold
from tests.spark import own_processes

pytestmark = [pytest.mark.spark, own_processes]

FIVE = ["ap", "ndcg@10", "p@5", "rr", "err"]
QUERIES, DEPTH, FILES = 2_000, 50, 8
# For the whole test, and far more than it takes: each wait ends as soon as its condition holds or a process has died.
SECONDS_AT_MOST = 1800

DRIVER = """
import json, os, sys, time
import rankgold
from pyspark import TaskContext
from pyspark.sql import SparkSession
qrels, run, events, result, gate = sys.argv[1:6]

def held_back(batches):
    number = TaskContext.get().partitionId()
    if number >= 4:
        open(gate + "-" + str(number), "w").close()
        while not os.path.exists(gate):
            time.sleep(0.1)
    yield from batches

settings = {
    "spark.eventLog.enabled": "true", "spark.eventLog.dir": "file://" + events, "spark.eventLog.compress": "false",
    "spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1", "spark.executor.memory": "600m", "spark.executor.cores": "1",
    "spark.driver.memory": "600m", "spark.sql.files.maxPartitionBytes": "2m",
    "spark.sql.shuffle.partitions": "8", "spark.sql.adaptive.coalescePartitions.enabled": "false",
    "spark.executor.heartbeatInterval": "2s", "spark.executor.extraJavaOptions": os.environ["SPARK_SUBMIT_OPTS"],
}
builder = SparkSession.builder.master("local-cluster[2,1,700]")
for name, value in settings.items():
    builder = builder.config(name, value)
session = builder.getOrCreate()
rows = session.read.parquet(run)
rows = rows.mapInArrow(held_back, rows.schema)
scores = rankgold.evaluate(session.read.parquet(qrels), rows, sys.argv[6].split(","))
json.dump(scores.to_dict(), open(result, "w"), default=str)
session.stop()
"""


def made(folder):
    """Judgements and a run of 100,000 rows, the same each time: every 25th document is judged."""
    random = np.random.default_rng(7)
    query = np.repeat(np.arange(QUERIES), DEPTH)
    document = np.tile(np.arange(DEPTH), QUERIES) * 13 + query
    run = pl.DataFrame({"query": query, "document": document, "score": random.integers(0, 200, len(query)) / 8})
    judged = run.gather_every(25).select("query", "document")
    qrels = judged.with_columns(grade=pl.Series(random.integers(-1, 4, judged.height)))
    (folder / "run").mkdir()
    shuffled = run.sample(fraction=1.0, shuffle=True, seed=3)
    for number in range(FILES):
        shuffled[number::FILES].write_parquet(folder / "run" / f"{number}.parquet")
    qrels.write_parquet(folder / "qrels.parquet")
    return folder / "qrels.parquet", folder / "run", qrels, run


class Cluster:
    """The process of a driver and those of its executors, which all end, whatever happens."""

    def __init__(self, folder):
        self.folder, self.log, self.driver = folder, folder / "driver.log", None
        self.end = time.monotonic() + SECONDS_AT_MOST
        # Workers make the folders of their executors in Spark's own.
        (folder / "spark").mkdir()
        for part in Path(pyspark.__file__).parent.iterdir():
            (folder / "spark" / part.name).symlink_to(part)

    def start(self, *arguments):
        with self.log.open("w") as log:
            self.driver = subprocess.Popen(
                [sys.executable, "-W", "ignore", "-c", DRIVER, *map(str, arguments)],
                stdout=log, stderr=subprocess.STDOUT, start_new_session=True, cwd=self.folder,
                env={
                    **os.environ,
                    "PYSPARK_PYTHON": sys.executable,
                    "SPARK_HOME": str(self.folder / "spark"),
                    "SPARK_LOCAL_IP": "127.0.0.1",
                },
            )  # fmt: skip

    def wait_for(self, what, condition):
        while not condition():
            assert self.driver.poll() is None, f"waiting for {what}: the driver has ended\n{self.text()}"
            assert time.monotonic() < self.end, f"waited {SECONDS_AT_MOST} seconds in vain for {what}"
            time.sleep(0.2)

    def text(self):
        return self.log.read_text(errors="replace")

    def stop(self):
        if self.driver is None:
            return
        if self.driver.poll() is None:
            os.killpg(self.driver.pid, signal.SIGKILL)
        self.driver.wait()
        for pid in executors(self.folder):
            with contextlib.suppress(ProcessLookupError):  # it ends by itself when its driver has ended
                os.kill(pid, signal.SIGKILL)


@pytest.fixture
def cluster(tmp_path):
    started = Cluster(tmp_path)
    try:
        yield started
    finally:
        started.stop()


def executors(folder):
    """The processes of executors that work in this folder."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            command = (entry / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
            here = os.readlink(entry / "cwd").startswith(str(folder))
        except OSError:
            continue
        if here and "CoarseGrainedExecutorBackend" in command:
            found.append(int(entry.name))
    return found


def events(folder):
    lines = []
    for file in sorted(folder.rglob("*")):
        if file.is_file() and not file.name.endswith(".crc"):
            for line in file.read_text(errors="replace").splitlines():
                if line.startswith("{"):
                    with contextlib.suppress(json.JSONDecodeError):  # the last line, while it is being written
                        lines.append(json.loads(line))
    return lines


def tasks_ended(folder):
    return [
        e
        for e in events(folder)
        if e["Event"] == "SparkListenerTaskEnd" and e["Task End Reason"]["Reason"] == "Success"
    ]


def test_scores_are_the_same_when_an_executor_is_killed_in_the_middle(cluster, tmp_path):
    qrels_path, run_path, qrels, run = made(tmp_path)
    log = tmp_path / "events"
    log.mkdir()
    result, gate = tmp_path / "scores.json", tmp_path / "gate"
    cluster.start(qrels_path, run_path, log, result, gate, ",".join(FIVE))
    # In the middle: an executor has one core, so when both are at the gate, the tasks before it have written their rows
    # for the shuffle.
    cluster.wait_for("two executors", lambda: len(executors(tmp_path)) == 2)
    cluster.wait_for("a task of each at the gate", lambda: len(list(tmp_path.glob("gate-*"))) == 2)
    os.kill(executors(tmp_path)[0], signal.SIGKILL)
    gate.touch()

    assert cluster.driver.wait(cluster.end - time.monotonic()) == 0, cluster.text()
    removed = [event for event in events(log) if event["Event"] == "SparkListenerExecutorRemoved"]
    assert any(re.search("lost|exit|kill|worker", event["Removed Reason"], re.IGNORECASE) for event in removed), removed
    assert sum(map(shuffled, tasks_ended(log))) >= len(run)

    theirs = rankgold.evaluate(qrels, run, FIVE).to_dict()
    ours = json.loads(result.read_text())
    assert ours["runs"]["run"]["means"] == theirs["runs"]["run"]["means"]
    expected = {str(query): values for query, values in theirs["runs"]["run"]["per_query"].items()}
    assert ours["runs"]["run"]["per_query"] == expected
    assert len(expected) == QUERIES


def shuffled(event):
    """How many rows a task wrote to be sent to others."""
    return event.get("Task Metrics", {}).get("Shuffle Write Metrics", {}).get("Shuffle Records Written", 0)
