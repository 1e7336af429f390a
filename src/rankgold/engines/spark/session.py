"""Finds or starts a session, and shortens Spark's errors."""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from rankgold.core.errors import DataError, MissingDependency, RankgoldError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


_APPLICATION = "rankgold"
_SETTINGS = {
    # Batches are limited by rows. With a limit by bytes too, Spark would add up the bytes of a batch for every row.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "50000",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(2**31 - 1),
    # Small partitions, of about a million rows each, give a few cores more than a few tasks to share.
    "spark.sql.adaptive.advisoryPartitionSizeInBytes": "16m",
}
_JAVA = "Spark needs Java 17 or later, and none was found. Install one, or name its folder in JAVA_HOME."
NOT_STARTED = "Spark could not be started; Java has printed the reason. Spark needs Java 17 or later."
_NOT_ON_WORKERS = (
    "Spark's workers have no {}. Install rankgold and PySpark in their Python, or send both along with --archives."
    " On this machine alone, start the session with os.environ['PYSPARK_PYTHON'] = sys.executable."
)


def session_for(session: SparkSession | None, sources: list[Any]) -> SparkSession:
    """The session to use: the one given, that of the first frame, or the one that is running or can be started."""
    if session is not None:
        return session
    for source in sources:
        if is_spark_frame(source):
            return source.sparkSession
    return current_session()


def current_session(master: str | None = None, settings: Mapping[str, str] | None = None) -> SparkSession:
    """The session that is running, or a new one."""
    with spark_errors():
        from pyspark.sql import SparkSession

        # Spark's default is the python3 on the PATH, which need not be this one.
        os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
        builder = SparkSession.builder.appName(_APPLICATION).config(map=dict(settings or {}))
        if master is not None:
            builder = builder.remote(master) if master.startswith("sc://") else builder.master(master)
        return builder.getOrCreate()


def is_spark_frame(source: object) -> bool:
    """Whether this is a Spark DataFrame, classic or of Spark Connect."""
    return type(source).__module__.startswith("pyspark.sql") and hasattr(type(source), "sparkSession")


@contextmanager
def arrow_settings(session: SparkSession) -> Iterator[None]:
    """Settings for a fast transfer of rows to Python, unless the session has its own. They are undone afterwards."""
    changed = [name for name in _SETTINGS if session.conf.get(name, None) is None]
    for name in changed:
        session.conf.set(name, _SETTINGS[name])
    try:
        yield
    finally:
        for name in changed:
            session.conf.unset(name)


@contextmanager
def spark_errors() -> Iterator[None]:
    """Raises Spark's errors as DataError of one line, without the stack; hides its warning about pandas."""
    try:
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException
    except ImportError:
        raise MissingDependency("PySpark", "'pyspark[connect]'") from None

    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="PySpark does not yet fully support pandas", category=FutureWarning)
        try:
            yield
        except RankgoldError:
            raise
        except (PySparkException, Py4JError) as error:
            raise DataError(_in_one_line(error)) from None


def _in_one_line(error: Exception) -> str:
    text = str(error)
    if "JAVA_GATEWAY_EXITED" in text:
        home = os.environ.get("JAVA_HOME")
        return NOT_STARTED if shutil.which("java", path=os.path.join(home, "bin") if home else None) else _JAVA
    if missing := re.search(r"PATH_NOT_FOUND\] Path does not exist: (?:file:)?(\S+?)\.? SQLSTATE", text):
        return f"{missing[1]}: there is no such file or folder, and no such table."
    if missing := re.search(r"ModuleNotFoundError: No module named '(\w+)'", text):
        return _NOT_ON_WORKERS.format(missing[1])
    if "Traceback (most recent call last)" in text:
        lines = [line for line in text.splitlines() if line and not line.startswith((" ", "\t"))]
        named = [line for line in lines if re.match(r"[\w.]+(Error|Exception)\b", line)]
        text = (named or lines)[-1]
    elif text.startswith("An error occurred while calling"):
        # The last cause is what went wrong; the others say in which task.
        causes = re.findall(r"^(?:Caused by)?: [\w.$]+: (.+)$", text, re.MULTILINE)
        text = causes[-1] if causes else text
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    message = re.sub(r"^\[[\w.]+\] | SQLSTATE: \w+$", "", lines[0] if lines else type(error).__name__)
    return f"Spark reports an error: {message}"


_SHELL_SETTINGS = {"spark.ui.enabled": "false", "spark.ui.showConsoleProgress": "false", "spark.log.level": "ERROR"}


@contextmanager
def quiet_session(master: str | None, settings: Mapping[str, str]) -> Iterator[SparkSession]:
    """A session that is stopped at the end. What Java and Spark print goes to a temporary file."""
    with tempfile.TemporaryFile() as log:
        try:
            with _output_to(log.fileno()):
                is_remote = (master or os.environ.get("SPARK_REMOTE", "")).startswith("sc://")
                session = current_session(master, settings if is_remote else {**_SHELL_SETTINGS, **settings})
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
