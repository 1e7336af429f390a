"""The Spark session, and what Spark says when something goes wrong, said as an error of ours."""

from __future__ import annotations

import os
import re
import shutil
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from rankgold.errors import DataError, MissingDependency, RankgoldError

_APPLICATION = "rankgold"
_SETTINGS = {
    # Batches are cut by their rows, of which there are many in one. Spark would cut them by bytes too, and add these up
    # anew for every row.
    "spark.sql.execution.arrow.maxRecordsPerBatch": "50000",
    "spark.sql.execution.arrow.maxBytesPerBatch": str(2**31 - 1),
    # So that a few cores have more than a few tasks to share, each of about a million rows.
    "spark.sql.adaptive.advisoryPartitionSizeInBytes": "16m",
}
_JAVA = "Spark needs Java 17 or later, and none was found. Install one, or name its folder in JAVA_HOME."
NOT_STARTED = "Spark could not be started, and Java says why: it is Java 17 or later that Spark needs."
_NOT_THERE = (
    "Spark's workers have no {}. Install rankgold[spark] in the Python that they use, or send it along with --archives."
    " On this machine alone, start the session with os.environ['PYSPARK_PYTHON'] = sys.executable."
)


def session_for(session: Any, sources: list[Any]) -> Any:
    """The session to use: the one given, that of the first frame, or the one that is running or can be started."""
    require_spark()
    if session is not None:
        return session
    for source in sources:
        if is_frame(source):
            return source.sparkSession
    return started()


def require_spark() -> None:
    try:
        import pyspark.sql  # noqa: F401
    except ImportError:
        raise MissingDependency("PySpark", "'pyspark[connect]'") from None


def started(master: str | None = None, settings: Mapping[str, str] | None = None) -> Any:
    """The session that is running, or a new one."""
    require_spark()
    from pyspark.sql import SparkSession

    # Spark's own choice is the python3 on the PATH, which need not be the one that runs here.
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    builder: Any = SparkSession.builder
    builder = builder.appName(_APPLICATION)
    for name, value in (settings or {}).items():
        builder = builder.config(name, value)
    if master is not None:
        builder = builder.remote(master) if master.startswith("sc://") else builder.master(master)
    with faults_told():
        return builder.getOrCreate()


def is_frame(source: Any) -> bool:
    """Whether this is a frame of Spark's, classic or Connect."""
    return type(source).__module__.startswith("pyspark.sql") and hasattr(source, "sparkSession")


@contextmanager
def settings_for_queries(session: Any) -> Iterator[None]:
    """Settings under which rows get to Python fast, in so far as the session has none of its own; taken back after."""
    changed = [name for name in _SETTINGS if session.conf.get(name, None) is None]
    for name in changed:
        session.conf.set(name, _SETTINGS[name])
    try:
        yield
    finally:
        for name in changed:
            session.conf.unset(name)


@contextmanager
def faults_told() -> Iterator[None]:
    """What Spark raises, in one line and without its stack; and its warning about pandas, which is not used here."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

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
        return NOT_STARTED if _has_java() else _JAVA
    if missing := re.search(r"PATH_NOT_FOUND\] Path does not exist: (?:file:)?(\S+?)\.? SQLSTATE", text):
        return f"{missing[1]}: there is no such file or folder."
    if missing := re.search(r"ModuleNotFoundError: No module named '(\w+)'", text):
        return _NOT_THERE.format(missing[1])
    if "Traceback (most recent call last)" in text:
        lines = [line for line in text.splitlines() if line and not line.startswith((" ", "\t"))]
        named = [line for line in lines if re.match(r"[\w.]+(Error|Exception)\b", line)]
        text = (named or lines)[-1]
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    told = re.sub(r"^\[[\w.]+\] | SQLSTATE: \w+$", "", lines[0] if lines else type(error).__name__)
    return f"Spark could not do this: {told}"


def _has_java() -> bool:
    home = os.environ.get("JAVA_HOME")
    return shutil.which("java", path=os.path.join(home, "bin") if home else None) is not None
