"""`rankgold sql`: an engine and a flavour in, the statements that define the functions out."""

from argparse import Namespace

from rankgold.cli.destination import write
from rankgold.cli.parser import Parser
from rankgold.cli.shared_options import add_output
from rankgold.sql.macro_script import FLAVOURS, script

USAGE = "[--flavour NAME] [-o FILE]"
EXAMPLE = "Example: rankgold sql"


def add_arguments(parser: Parser) -> None:
    parser.add_argument(
        "--print",
        dest="engine",
        choices=("duckdb",),
        default="duckdb",
        help="The engine whose statements are printed; default: duckdb. Any of its clients can run them.",
    )
    parser.add_argument(
        "--flavour",
        choices=FLAVOURS,
        default="rankgold",
        help="rankgold: one value per row. hivemall: aggregates over rows, with the rules of Hivemall's page."
        " hivemall-code: with average precision as in its code since 2017. Default: rankgold.",
    )
    add_output(parser)


def run(options: Namespace) -> None:
    write(script(options.flavour), options.output)
