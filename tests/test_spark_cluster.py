"""A cluster for real: a master and two workers, 400,000 rows, and an executor that is killed in the middle."""

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
from tests.spark import JAVA_OPTIONS, free_port, own_processes

pytestmark = [pytest.mark.spark, own_processes]

CLASS = str(Path(pyspark.__file__).parent / "bin" / "spark-class")
FIVE = ["ap", "ndcg@10", "p@5", "rr", "err"]
QUERIES, DEPTH, FILES = 2_000, 200, 8
# For the whole test, and far more than it takes: each wait ends as soon as its condition holds or a process has died.
SECONDS_AT_MOST = 1800

DRIVER = """
import json, os, sys, time
import rankgold
from pyspark import TaskContext
from pyspark.sql import SparkSession
qrels, run, master, events, result, gate = sys.argv[1:7]

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
    "spark.executor.heartbeatInterval": "2s", "spark.executor.extraJavaOptions": os.environ["SPARK_DAEMON_JAVA_OPTS"],
}
builder = SparkSession.builder.master(master)
for name, value in settings.items():
    builder = builder.config(name, value)
session = builder.getOrCreate()
rows = session.read.parquet(run)
rows = rows.mapInArrow(held_back, rows.schema)
scores = rankgold.evaluate(session.read.parquet(qrels), rows, sys.argv[7].split(","))
json.dump(scores.to_dict(), open(result, "w"), default=str)
session.stop()
"""


def made(folder):
    """Judgements and a run of 400,000 rows, the same each time: every 25th document is judged."""
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
    """Processes that are started and all ended, whatever happens."""

    def __init__(self, folder):
        self.folder, self.processes, self.logs = folder, {}, []
        self.end = time.monotonic() + SECONDS_AT_MOST

    def start(self, name, *command):
        log = open(self.folder / f"{name}.log", "w")  # noqa: SIM115  # closed with all else
        environment = {
            **os.environ,
            "PYSPARK_PYTHON": sys.executable,
            "SPARK_LOCAL_IP": "127.0.0.1",
            "SPARK_DAEMON_MEMORY": "256m",
            "SPARK_DAEMON_JAVA_OPTS": JAVA_OPTIONS,
            "SPARK_WORKER_DIR": str(self.folder / "work"),
            "SPARK_NO_DAEMONIZE": "1",
        }
        process = subprocess.Popen(
            command, stdout=log, stderr=subprocess.STDOUT, env=environment, start_new_session=True, cwd=self.folder
        )
        self.processes[name] = process
        self.logs.append(log)
        return process

    def wait_for(self, what, condition):
        while not condition():
            for name, process in self.processes.items():
                assert process.poll() is None, f"waiting for {what}: {name} has ended\n{self.text(name)}"
            assert time.monotonic() < self.end, f"waited {SECONDS_AT_MOST} seconds in vain for {what}"
            time.sleep(0.4)

    def text(self, name):
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def stop(self):
        for process in reversed(self.processes.values()):
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for pid in executors(self.folder):
            with contextlib.suppress(ProcessLookupError):  # it ends by itself when its worker has ended
                os.kill(pid, signal.SIGKILL)
        for log in self.logs:
            log.close()


@pytest.fixture
def cluster(tmp_path):
    started = Cluster(tmp_path)
    try:
        yield started
    finally:
        started.stop()


def executors(folder):
    """The processes of executors of workers in this folder."""
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
    port, ui = free_port(), free_port()
    master = f"spark://127.0.0.1:{port}"
    cluster.start("master", CLASS, "org.apache.spark.deploy.master.Master", "--host", "127.0.0.1", "--port", str(port),
                  "--webui-port", str(ui))  # fmt: skip
    for number in (1, 2):
        cluster.start(
            f"worker{number}", CLASS, "org.apache.spark.deploy.worker.Worker", "--host", "127.0.0.1", "--cores", "1",
            "--memory", "700m", "--webui-port", str(free_port()), "--work-dir", str(tmp_path / f"work{number}"), master,
        )  # fmt: skip
    cluster.wait_for("both workers", lambda: cluster.text("master").count("Registering worker") == 2)

    result, gate = tmp_path / "scores.json", tmp_path / "gate"
    driver = cluster.start(
        "driver", sys.executable, "-W", "ignore", "-c", DRIVER,
        *map(str, (qrels_path, run_path, master, log, result, gate)), ",".join(FIVE),
    )  # fmt: skip
    # In the middle: an executor has one core, so when both are at the gate, the tasks before it have written their rows
    # for the shuffle.
    cluster.wait_for("two executors", lambda: len(executors(tmp_path)) == 2)
    cluster.wait_for("a task of each at the gate", lambda: len(list(tmp_path.glob("gate-*"))) == 2)
    os.kill(executors(tmp_path)[0], signal.SIGKILL)
    gate.touch()

    assert driver.wait(cluster.end - time.monotonic()) == 0, cluster.text("driver")
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
