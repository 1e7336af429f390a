"""How hard hypothesis tries, and one Spark session for all tests that need one."""

import atexit
import os
import signal

import pytest
from hypothesis import settings

from tests.spark import JAVA_OPTIONS

settings.register_profile("default", deadline=None, derandomize=True, database=None)
settings.register_profile("thorough", deadline=None, derandomize=False, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "default"))


os.environ.setdefault("SPARK_SUBMIT_OPTS", JAVA_OPTIONS)

# A job in the background of a script ignores Ctrl-C, and one under nohup the end of its terminal. So would all processes
# that the tests start and interrupt.
for _number, _handler in ((signal.SIGINT, signal.default_int_handler), (signal.SIGHUP, signal.SIG_DFL)):
    if signal.getsignal(_number) is signal.SIG_IGN:
        signal.signal(_number, _handler)


# Files whose tests take long together: whole engines against each other, processes, all orders of ties.
SLOW_FILES = {
    f"test_{name}.py"
    for name in (
        "chunks_of_documents", "demo", "diversity", "docs", "duckdb_engine", "duckdb_shell", "engines", "forks",
        "forms_agree", "large_runs", "listed_documents", "paths_agree", "quiet_exit", "reference", "report",
        "shell_faults", "slices", "sql", "sql_hivemall", "sql_read_only", "sql_run", "ties_averaged",
    )
}  # fmt: skip


@pytest.hookimpl(trylast=True)
def pytest_unconfigure(config):
    """Ends a worker before the interpreter's own end, where DuckDB's binding reports what lives that long as leaked."""
    if hasattr(config, "workerinput"):
        atexit._run_exitfuncs()
        os._exit(0)


@pytest.hookimpl(tryfirst=True)  # before xdist reads the groups
def pytest_collection_modifyitems(items):
    """Tests of Spark share a process and its session: a second session would take as much memory again.

    Tests that start Spark in processes of their own (`own_processes`) run beside them, one after the other. What takes
    long comes first, so that no process waits for another at the end.
    """
    for item in items:
        if item.path.name in SLOW_FILES:
            item.add_marker(pytest.mark.slow)
        if item.get_closest_marker("spark") and not item.get_closest_marker("xdist_group"):
            item.add_marker(pytest.mark.xdist_group("spark"))
    items.sort(key=lambda item: not any(map(item.get_closest_marker, ("slow", "plots", "browser"))))


@pytest.fixture(scope="session")
def spark():
    """One local Spark session for each process that runs tests."""
    from tests.spark import sessions

    return sessions()["classic"]


@pytest.fixture(scope="session")
def spark_remote(spark):
    """The address of a Spark Connect server that stands beside it."""
    return f"sc://127.0.0.1:{spark.conf.get('spark.connect.grpc.binding.port')}"
