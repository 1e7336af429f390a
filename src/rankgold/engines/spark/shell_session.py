"""A master and settings in, a Spark session out that prints nothing: for the command line."""

from __future__ import annotations

import contextlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rankgold.engines.spark.session import NOT_STARTED, current_session
from rankgold.errors import DataError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SETTINGS = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}


@contextmanager
def quiet_session(master: str | None, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """A session that is stopped at the end. What Java and Spark print goes to a temporary file."""
    with tempfile.TemporaryFile() as log:
        try:
            with _output_to(log.fileno()):
                session = current_session(master, settings if _is_remote(master) else {**_SETTINGS, **settings})
        except DataError as error:
            if str(error) != NOT_STARTED:
                raise
            log.seek(0)
            raise DataError(f"Spark could not be started: {_reason(log.read().decode(errors='replace'))}") from None
        try:
            yield session
        finally:
            with _output_to(log.fileno()):
                session.stop()


def _reason(log: str) -> str:
    """What Java printed before it ended, without the stack."""
    lines = [line.strip() for line in log.splitlines() if line.strip() and not line.startswith(("\t", " "))]
    faults = [line for line in lines if re.search(r"(Exception|Error)\b", line)]
    reason = (faults or lines or ["no reason was given."])[0]
    return re.sub(r"^(Exception in thread \S+ )?[\w.$]+(Exception|Error): ", "", reason)


def _is_remote(master: str | None) -> bool:
    return (master or os.environ.get("SPARK_REMOTE", "")).startswith("sc://")


@contextmanager
def _output_to(file: int) -> Iterator[None]:
    """Sends standard output and error to a file. Processes that are started in the block keep writing to it."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    originals = {}
    try:
        for number in (1, 2):
            with contextlib.suppress(OSError):  # The stream may be closed.
                originals[number] = os.dup(number)
                os.dup2(file, number)
        yield
    finally:
        for number, original in originals.items():
            os.dup2(original, number)
            os.close(original)
