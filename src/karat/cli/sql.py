"""`karat sql`."""

from __future__ import annotations

from argparse import Namespace

from karat.cli.options import add_output
from karat.cli.output import check_writable, write
from karat.cli.parser import Parser
from karat.sql.script import FLAVOURS

USAGE = "--print duckdb [--flavour NAME] [-o FILE]"
EXAMPLE = "Example: karat sql --print duckdb"


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "--print",
        dest="engine",
        choices=("duckdb",),
        required=True,
        help="Print the statements that define the functions in this engine, to be run in any of its clients.",
    )
    parser.add_argument(
        "--flavour",
        choices=FLAVOURS,
        default="karat",
        help="karat: one value a row. hivemall: aggregates over rows, with the rules of Hivemall's page;"
        " hivemall-code: with average precision as in its code since 2017.",
    )
    add_output(parser)


def run(given: Namespace) -> None:
    from karat.sql.script import script

    check_writable(given.output)
    write(script(given.flavour), given.output)
