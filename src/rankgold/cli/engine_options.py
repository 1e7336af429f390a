"""The options that choose an engine at the shell in; the keywords of `evaluate`, `plan` and `hits_of_runs` out."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rankgold.cli.parser import Parser
from rankgold.engines.registry import ENGINES
from rankgold.errors import DataError

_ONLY = {
    "DuckDB": ("database", "attach", "memory_limit"),
    "Spark": ("master", "conf", "trust_ranks"),
}
"""The options that only one engine takes."""


def add_engine(parser: Parser) -> None:
    parser.add_argument(
        "-e", "--engine", choices=tuple(ENGINES), default="local", help="Where rows are matched; default: local."
    )
    parser.add_argument(
        "--database",
        metavar="FILE",
        help="DuckDB: a database file, opened read-only. QRELS and RUN may name its tables or views.",
    )
    parser.add_argument(
        "--attach",
        action="append",
        metavar="NAME=FILE",
        help="DuckDB: another database, whose tables are then called NAME.TABLE. sqlite:FILE and postgres:CONNECTION"
        " work too, if DuckDB's extension is installed. May be repeated.",
    )
    parser.add_argument("--memory-limit", metavar="SIZE", help="DuckDB: how much memory it may use, such as 512MB.")
    parser.add_argument("--master", metavar="URL", help="Spark: the master, such as local[4], spark://... or sc://...")
    parser.add_argument(
        "--conf", action="append", metavar="KEY=VALUE", help="Spark: a setting of the session; may be repeated."
    )
    parser.add_argument(
        "--trust-ranks",
        action="store_true",
        help="Spark: take the ranks in the run as they are, which avoids shuffling the run.",
    )


@contextmanager
def engine_given(given: Namespace) -> Iterator[dict[str, Any]]:
    """The keywords. A connection or session that was opened for them is closed at the end."""
    for engine, options in _ONLY.items():
        for option in options:
            if given.engine != engine.lower() and getattr(given, option):
                flag = option.replace("_", "-")
                raise DataError(f"--{flag} is for {engine}. Add --engine {engine.lower()}, or leave it out.")
    if given.engine == "spark":
        from rankgold.engines.spark.shell_session import quiet_session

        settings = dict(_pairs(given.conf, "--conf", "KEY=VALUE", "spark.executor.memory=4g"))
        per_query = {"per_query": given.per_query} if "per_query" in given else {}
        with quiet_session(given.master, settings) as session:
            yield {"engine": session, "trust_ranks": given.trust_ranks, **per_query}
    elif given.database or given.attach:
        with _connection(given) as connection:
            yield {"engine": connection}
    else:
        yield {"engine": given.engine, "memory_limit": given.memory_limit}


@contextmanager
def _connection(given: Namespace) -> Iterator[Any]:
    """A connection to the databases that were named."""
    from rankgold.engines.duckdb.database import Database, literal, new_connection, quoted

    if given.database and not os.path.isfile(given.database):
        raise DataError("there is no such file.", given.database)
    with new_connection(given.database or None, given.memory_limit or None) as connection:
        for name, path in _pairs(given.attach, "--attach", "NAME=FILE", "old=archive.duckdb"):
            Database(connection).rows(f"ATTACH {literal(path)} AS {quoted(name)} (READ_ONLY)", place=path)
        yield connection


def _pairs(options: list[str] | None, flag: str, form: str, example: str) -> Iterator[tuple[str, str]]:
    """The texts before and after the first = of each option."""
    for option in options or ():
        name, sign, value = option.partition("=")
        if not (name.strip() and sign and value):
            raise DataError(f"{flag} is written as {form}, such as {example}, not {option!r}.")
        yield name.strip(), value
