"""Spark for the tests: one session a process, with a server for Spark Connect in it."""

import os
import socket
import sys
from functools import cache

import polars as pl
import pytest

from tests.collections import rows

# A session of a few seconds ends before Java's second compiler has repaid its work.
JAVA_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
own_processes = pytest.mark.xdist_group("spark_processes")

SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.memory": "1g",
    "spark.driver.host": "127.0.0.1",
    "spark.driver.bindAddress": "127.0.0.1",
    "spark.sql.shuffle.partitions": "2",
    # Most queries run once, on few rows: to compile code for them would take longer than to run them without.
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",
    "spark.plugins": "org.apache.spark.sql.connect.SparkConnectPlugin",
}


def free_port():
    with socket.socket() as opened:
        opened.bind(("127.0.0.1", 0))
        return opened.getsockname()[1]


@cache
def sessions():
    """The session of the classic API, and one of Connect to the same Spark."""
    from pyspark.sql import SparkSession
    from pyspark.sql.connect.session import SparkSession as ConnectedSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    port = free_port()
    builder = SparkSession.builder.master("local[2]").config("spark.connect.grpc.binding.port", str(port))
    for name, value in SETTINGS.items():
        builder = builder.config(name, value)
    classic = builder.getOrCreate()
    classic.sparkContext.setLogLevel("OFF")
    connected = ConnectedSession.builder.remote(f"sc://127.0.0.1:{port}").create()
    return {"classic": classic, "connect": connected}


def frame(session, tables, number, as_integers=False):
    """A dict of dicts as a frame of Spark's."""
    kind = int if as_integers else str
    listed = [(kind(query), kind(document), float(value)) for query, document, value in rows(tables)]
    ids = pl.Int64 if as_integers else pl.String
    table = pl.DataFrame(
        listed, schema={"query": ids, "document": ids, number: pl.Float64}, orient="row"
    )  # fmt: skip
    return session.createDataFrame(table.to_arrow(compat_level=pl.CompatLevel.oldest()))
