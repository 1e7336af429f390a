"""Where the work is done: the options of commands that can have it done elsewhere."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from karat.cli.parser import Parser
from karat.errors import DataError

ENGINES = ("local", "duckdb", "spark")


def add_engine(parser: Parser) -> None:
    parser.add_argument(
        "-e", "--engine", choices=ENGINES, default="local", help="Where rows are matched; here unless told."
    )
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
    """What to pass to `evaluate`. A Spark session that was started for it is stopped in the end."""
    only_spark = {"--master": given.master, "--conf": given.conf, "--trust-ranks": given.trust_ranks}
    if given.engine != "spark":
        for option, value in only_spark.items():
            if value:
                raise DataError(f"{option} is for Spark. Add --engine spark, or leave it out.")
        yield {} if given.engine == "local" else {"engine": given.engine}
        return
    from karat.engines.spark.quiet import quiet_session

    settings = {}
    for option in given.conf or ():
        name, there, value = option.partition("=")
        if not there or not name.strip():
            raise DataError(f"--conf is written as KEY=VALUE, such as spark.executor.memory=4g, not {option!r}.")
        settings[name.strip()] = value
    with quiet_session(given.master, settings) as session:
        yield {"engine": session, "trust_ranks": given.trust_ranks}
