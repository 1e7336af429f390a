"""`rankgold merge-qrels`: judgements of several judges, and filled-in sheets, in; one file of judgements out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write_atomically
from rankgold.cli.parser import Parser

FORMATS = ("trec", "csv", "json", "parquet")
RULES = ("majority", "mean", "median", "max", "min", "first", "last", "error")
USAGE = "[OPTIONS] QRELS... [-o FILE]"
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold merge-qrels qrels.txt qrels.txt --rule majority -o /tmp/merged.qrels"""


def add_arguments(parser: Parser) -> None:
    parser.add_input(
        "qrels",
        metavar="QRELS",
        nargs="+",
        help="Judgements in any format, and filled-in sheets of judge-next and pool: rows without a grade are skipped.",
    )
    parser.add_argument(
        "--rule",
        choices=RULES,
        default="majority",
        help="What is made of several grades of a document; default: majority, of several the lowest grade. With a"
        " column of probabilities or weights, majority and mean count them.",
    )
    parser.add_argument(
        "-c", "--column", action="append", metavar="ROLE=NAME", help="Which column holds the query, document or grade."
    )
    parser.add_argument(
        "-f", "--format", choices=FORMATS, help="Output format; default: as FILE of --output ends, else trec."
    )
    shared_options.add_output(parser)


def run(options: Namespace) -> None:
    from rankgold.cli.destination import write
    from rankgold.cli.fuse import file_format
    from rankgold.judging.merged_grades import merge_qrels
    from rankgold.judging.qrels_files import WRITERS

    format_ = file_format(options)
    content = WRITERS[format_](merge_qrels(options.qrels, options.rule, columns=shared_options.named_columns(options)))
    if options.output is None:
        write(content.decode(), None)
    else:
        write_atomically(content, options.output)
