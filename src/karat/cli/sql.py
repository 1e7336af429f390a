"""`karat sql`."""

from __future__ import annotations

from argparse import Namespace

from karat.cli.options import add_output
from karat.cli.output import check_writable, write
from karat.cli.parser import Parser

USAGE = "--print duckdb [-o FILE]"
EXAMPLE = "Example: karat sql --print duckdb"


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "--print",
        dest="engine",
        choices=("duckdb",),
        required=True,
        help="Print the statements that define the functions in this engine, to be run in any of its clients.",
    )
    add_output(parser)


def run(given: Namespace) -> None:
    from karat.sql import script

    check_writable(given.output)
    write(script(), given.output)
