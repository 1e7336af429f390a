"""`rankgold agreement`: files of judgements by several judges in, how well they agree out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.parser import Parser
from rankgold.cli.result_text import result_text

USAGE = "[OPTIONS] QRELS QRELS..."
EXAMPLE = """Example: the sample data have one judge, compared here with itself.

  cd "$(rankgold demo --path)" && rankgold agreement qrels.txt qrels.txt"""


def add_arguments(parser: Parser) -> None:
    parser.add_input(
        "qrels", metavar="QRELS", nargs="+", help="The judgements of each judge; rows without a grade are skipped."
    )
    shared_options.add_columns(parser)
    shared_options.add_format(parser, shared_options.TABLE_FORMATS)
    shared_options.add_output(parser)


def run(options: Namespace) -> None:
    from rankgold.judging import agreement

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    found = agreement(options.qrels, columns=shared_options.named_columns(options))
    write(result_text(found, format_, options), options.output)
