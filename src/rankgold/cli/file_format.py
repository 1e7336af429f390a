"""The options of a command that writes a run or judgements in, the format of its file out."""

from argparse import Namespace

from rankgold.cli.parser import Parser
from rankgold.cli.shared_options import output_ending
from rankgold.errors import DataError

FORMATS = ("trec", "csv", "json", "parquet")


def add_file_format(parser: Parser) -> None:
    parser.add_argument(
        "-f", "--format", choices=FORMATS, help="Output format; default: the ending of --output FILE, else trec."
    )


def file_format(options: Namespace) -> str:
    """The format that was named; else the one that the output file's ending means; else TREC."""
    ending = output_ending(options)
    format_ = options.format or (ending if ending in FORMATS else "trec")
    if format_ == "parquet" and options.output is None:
        raise DataError("Parquet cannot be printed. Name a file with --output.")
    return str(format_)
