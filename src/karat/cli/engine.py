"""Where the work is done: the options of commands that take an engine."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from karat.cli.parser import Parser
from karat.errors import DataError

_FOR_DUCKDB = {"database": "--database", "attach": "--attach", "memory_limit": "--memory-limit"}


def add_engine(parser: Parser) -> None:
    parser.add_argument(
        "--engine", choices=("local", "duckdb"), help="Where runs are matched; here and with Polars unless told."
    )
    parser.add_argument(
        "--database",
        metavar="FILE",
        help="DuckDB: a database, of which QRELS and RUN may be tables or views. It is only read.",
    )
    parser.add_argument(
        "--attach",
        action="append",
        metavar="NAME=FILE",
        help="DuckDB: another database whose tables are NAME.TABLE; sqlite:FILE and postgres:CONNECTION work too, where"
        " DuckDB's extension is installed. May be repeated.",
    )
    parser.add_argument("--memory-limit", metavar="SIZE", help="DuckDB: how much memory it may use, such as 512MB.")


@contextmanager
def engine_given(given: Namespace) -> Iterator[dict[str, Any]]:
    """The engine and its options, as `evaluate` takes them."""
    asked = [option for name, option in _FOR_DUCKDB.items() if getattr(given, name)]
    if given.engine != "duckdb":
        if asked:
            raise DataError(f"{asked[0]} is an option of DuckDB. Add --engine duckdb.")
        yield {"engine": given.engine}
    elif given.database is None and given.attach is None:
        yield {"engine": "duckdb", "memory_limit": given.memory_limit}
    else:
        with _connected(given) as connection:
            yield {"engine": connection}


@contextmanager
def _connected(given: Namespace) -> Iterator[Any]:
    """A connection to the databases that were named."""
    import tempfile

    from karat.engines.duckdb.database import Database, connect, limit, literal, quoted

    if given.database is not None and not os.path.isfile(given.database):
        raise DataError("there is no such file.", given.database)
    read_only = given.database is not None
    with (
        tempfile.TemporaryDirectory(prefix="karat-") as folder,
        connect(given.database or ":memory:", read_only=read_only, temp_directory=folder) as connection,
    ):
        if given.memory_limit is not None:
            limit(connection, given.memory_limit)
        for option in given.attach or ():
            name, told, path = option.partition("=")
            if not (name and told and path):
                raise DataError(f"--attach is written as NAME=FILE, such as old=archive.duckdb, not {option!r}.")
            Database(connection).rows(f"ATTACH {literal(path)} AS {quoted(name)} (READ_ONLY)", place=path)
        yield connection
