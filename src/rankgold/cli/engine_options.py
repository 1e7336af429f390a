"""Where the work is done: the options of commands that can have it done elsewhere."""

from __future__ import annotations

import os
from argparse import Namespace
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from rankgold.cli.parser import Parser
from rankgold.errors import DataError

ENGINES = ("local", "duckdb", "spark")

_ONLY = {
    "DuckDB": ("database", "attach", "memory_limit"),
    "Spark": ("master", "conf", "trust_ranks"),
}
"""The options that one engine alone takes."""


def add_engine(parser: Parser) -> None:
    parser.add_argument(
        "-e", "--engine", choices=ENGINES, default="local", help="Where rows are matched; here unless told."
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
    parser.add_argument("--master", metavar="URL", help="Spark: its master, such as local[4], spark://... or sc://...")
    parser.add_argument(
        "--conf", action="append", metavar="KEY=VALUE", help="Spark: a setting of the session; may be repeated."
    )
    parser.add_argument(
        "--trust-ranks",
        action="store_true",
        help="Spark: take the ranks in the run as they are, which spares its rows the way to other machines.",
    )


@contextmanager
def engine_given(given: Namespace) -> Iterator[dict[str, Any]]:
    """What to pass to `evaluate`. A connection or session that was opened for it is closed in the end."""
    for engine, options in _ONLY.items():
        for option in options:
            if given.engine != engine.lower() and getattr(given, option):
                called = option.replace("_", "-")
                raise DataError(f"--{called} is for {engine}. Add --engine {engine.lower()}, or leave it out.")
    with ExitStack() as stack:
        if given.engine == "spark":
            from rankgold.engines.spark.shell_session import quiet_session

            settings = dict(_pairs(given.conf, "--conf", "KEY=VALUE", "spark.executor.memory=4g"))
            session = stack.enter_context(quiet_session(given.master, settings))
            yield {"engine": session, "trust_ranks": given.trust_ranks, "per_query": given.per_query}
        elif given.database or given.attach:
            yield {"engine": stack.enter_context(_connected(given))}
        else:
            yield {"engine": given.engine, "memory_limit": given.memory_limit}


@contextmanager
def _connected(given: Namespace) -> Iterator[Any]:
    """A connection to the databases that were named."""
    from rankgold.engines.duckdb.database import Database, connected, literal, quoted

    if given.database and not os.path.isfile(given.database):
        raise DataError("there is no such file.", given.database)
    with connected(given.database or None, given.memory_limit or None) as connection:
        for name, path in _pairs(given.attach, "--attach", "NAME=FILE", "old=archive.duckdb"):
            Database(connection).rows(f"ATTACH {literal(path)} AS {quoted(name)} (READ_ONLY)", place=path)
        yield connection


def _pairs(options: list[str] | None, called: str, form: str, example: str) -> Iterator[tuple[str, str]]:
    """What stands on both sides of the first = of each option."""
    for option in options or ():
        name, told, value = option.partition("=")
        if not (name.strip() and told and value):
            raise DataError(f"{called} is written as {form}, such as {example}, not {option!r}.")
        yield name.strip(), value
