"""A sheet and the options of a command in, its text in the chosen format out: CSV unless another one is named."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from rankgold.cli.destination import for_terminal
from rankgold.cli.parser import Parser
from rankgold.cli.result_text import result_text
from rankgold.cli.shared_options import add_raw_ids, check_format, output_ending
from rankgold.errors import DataError
from rankgold.output.registry import output_names, outputs

if TYPE_CHECKING:
    from rankgold.judging.sheets import Sheet

_TABLES = [known.name for known in outputs() if known.made_of == "table"]
FORMATS = (*_TABLES, "tsv", "table", *(known.name for known in outputs()[1:] if known.name not in _TABLES))
_SPREADSHEETS = ("xlsx", "xls", "ods", "numbers")


def add_sheet_format(parser: Parser) -> None:
    parser.add_argument(
        "-f", "--format", choices=FORMATS, help="Output format; default: the ending of --output FILE, else csv."
    )
    add_raw_ids(parser)


def sheet_format(options: Namespace) -> str:
    """The format that was named; else the one that the output file's ending means; else CSV."""
    ending = output_ending(options)
    if options.format is None and ending in _SPREADSHEETS:
        fault = "a sheet is written as text. Name a file that ends with .csv, which spreadsheets open."
        raise DataError(fault, options.output)
    known = output_names().get(ending)
    name = ending if known is None else known.name
    format_ = str(options.format or (name if name in FORMATS else FORMATS[0]))
    check_format(options, format_)
    return format_


def sheet_text(sheet: Sheet, format_: str, options: Namespace) -> str:
    return for_terminal(sheet.to_tsv(), options.output) if format_ == "tsv" else result_text(sheet, format_, options)
