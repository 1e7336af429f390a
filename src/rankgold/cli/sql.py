"""`rankgold sql`."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli.destination import check_writable, write
from rankgold.cli.parser import Parser
from rankgold.cli.shared_options import add_output
from rankgold.sql.script import FLAVOURS

USAGE = "--print duckdb [--flavour NAME] [-o FILE]"
EXAMPLE = "Example: rankgold sql --print duckdb"


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
        default="rankgold",
        help="rankgold: one value a row. hivemall: aggregates over rows, with the rules of Hivemall's page;"
        " hivemall-code: with average precision as in its code since 2017.",
    )
    add_output(parser)


def run(given: Namespace) -> None:
    from rankgold.sql.script import script

    check_writable(given.output)
    write(script(given.flavour), given.output)
