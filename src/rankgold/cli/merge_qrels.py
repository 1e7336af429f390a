"""`rankgold merge-qrels`: judgements of several judges, and filled-in sheets, in; one file of judgements out."""

from __future__ import annotations

from argparse import Namespace
from typing import get_args

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.file_format import add_file_format, file_format
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.judging import Rule

USAGE = "[OPTIONS] QRELS... [-o FILE]"
EXAMPLE = example_on_samples("rankgold merge-qrels qrels.txt qrels.txt --rule majority -o /tmp/merged.qrels")


def add_arguments(parser: Parser) -> None:
    parser.add_input(
        "qrels",
        metavar="QRELS",
        nargs="+",
        help="Judgements in any format, and filled-in sheets of judge-next and pool: rows without a grade are skipped.",
    )
    parser.add_argument(
        "--rule",
        choices=get_args(Rule),
        default="majority",
        help="How to merge several grades of a document; default: majority, and the lowest grade on a tie. With a"
        " column of probabilities or weights, majority and mean count them.",
    )
    shared_options.add_columns(parser)
    add_file_format(parser)
    shared_options.add_output(parser)


def run(options: Namespace) -> None:
    from rankgold.judging import merge_qrels
    from rankgold.judging.qrels_files import WRITERS

    format_ = file_format(options)
    content = WRITERS[format_](merge_qrels(options.qrels, options.rule, columns=shared_options.named_columns(options)))
    write(content, options.output)
