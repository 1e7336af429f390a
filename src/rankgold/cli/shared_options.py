"""Declares the options of the shell alone: files, formats, output."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from rankgold.cli.parser import Parser
from rankgold.core.errors import DataError
from rankgold.data.formats.registry import NAMES
from rankgold.present.outputs import find_output, output_names, outputs
from rankgold.present.outputs.text import shown_document

if TYPE_CHECKING:
    from rankgold.core.document import Document
    from rankgold.data.slices import Slices


TABLE_FORMATS = ("table", *(known.name for known in outputs()[1:]))
"""The formats of results that are tables, such as scores. The first output is text."""
TEXT_FORMATS = tuple(known.name for made_of in ("document", "dict") for known in outputs() if known.made_of == made_of)
"""The formats of results with text around their tables, such as explanations: those that write the text."""

_ENDINGS_OF_COMMANDS = {"xml": "junit"}  # formats that only one command has


# What is read and measured.


def add_files(parser: Parser) -> None:
    """Adds judgements and runs."""
    add_qrels(parser)
    add_runs(parser)


def add_qrels(parser: Parser, *, nargs: str | None = None) -> None:
    parser.add_input(
        "qrels",
        metavar="QRELS",
        nargs=nargs,
        help=f"The judgements: {', '.join(NAMES[:-1])} or {NAMES[-1]}; - for standard input.",
    )


def add_runs(parser: Parser) -> None:
    parser.add_input(
        "runs",
        metavar="RUN",
        nargs="*",
        default=[],
        help="One or more runs, in the same formats; a quoted pattern such as 'runs/*.trec' makes each file a run."
        " None if QRELS is a table that has grades and scores.",
    )


def add_slices(parser: Parser) -> None:
    parser.add_input(
        "--slices",
        metavar="FILE",
        help="Slice the queries by their attributes: a table with a column of queries and one per attribute.",
    )
    parser.add_argument(
        "--by",
        action="append",
        metavar="ATTRIBUTE",
        help="Slice by this attribute of --slices, or this column of QRELS or RUN; may be repeated. 'language*device'"
        " crosses two; default: each attribute of --slices.",
    )
    parser.add_argument(
        "--bins",
        type=whole_number,
        metavar="N",
        help="Cut numeric attributes with more than N values at their quantiles; default: 4.",
    )


# How it is compared and shown.


def add_per_query(parser: Parser, unit: str = "query") -> None:
    parser.add_argument("-q", "--per-query", action="store_true", help=f"Also print the values of each {unit}.")


def add_sort(parser: Parser) -> None:
    parser.add_argument("--sort", metavar="MEASURE", help="Sort the runs by this measure, best first.")


def add_format(parser: Parser, formats: tuple[str, ...], *, digits: bool = True) -> None:
    """Adds --format with these formats, of which the first is the default; --raw-ids for CSV; and --digits."""

    def full_name(text: str) -> str:
        return _format_called(text.lower(), formats) or text.lower()

    short = [known.endings[0] for known in outputs() if known.name in formats[1:] and known.endings[0] != known.name]
    parser.add_argument(
        "-f",
        "--format",
        choices=formats,
        type=full_name,
        help=f"Output format; default: the ending of --output, else {formats[0]}. Short names: {', '.join(short)}.",
    )
    if any(known.made_of == "table" and known.name in formats for known in outputs()):
        add_raw_ids(parser)
    if digits:
        parser.add_argument("--digits", type=_digits, metavar="0-17", help="Decimals of numbers; default: 4.")


def add_raw_ids(parser: Parser) -> None:
    parser.add_argument(
        "--raw-ids",
        action="store_true",
        help="CSV: leave ids unchanged, even if a spreadsheet would read them as formulas.",
    )


def add_output(parser: Parser) -> None:
    parser.add_argument("-o", "--output", metavar="FILE", help="Write to FILE (atomically) instead of printing.")


def add_quiet(parser: Parser, what: str = "no progress") -> None:
    parser.add_argument("--quiet", action="store_true", help=f"Print {what}.")


# The values of options.


def whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ArgumentTypeError(f"must be a whole number, not {text!r}") from None


def whole_number_from(lowest: int) -> Callable[[str], int]:
    """A function that reads a whole number that is not below the lowest one."""

    def read(text: str) -> int:
        number = whole_number(text)
        if number < lowest:
            raise ArgumentTypeError(f"must be a whole number from {lowest}, not {text!r}")
        return number

    return read


def real_number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ArgumentTypeError(f"must be a number, not {text!r}") from None


def number_pair(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ArgumentTypeError(f"must be two numbers, such as 0,3, not {text!r}") from None
    return low, high


def _digits(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or not 0 <= int(text[:4]) <= 17:
        raise ArgumentTypeError(f"must be a number from 0 to 17, not {text!r}")
    return int(text)


def named_values(texts: list[str] | None, option: str, form: str, example: str) -> Iterator[tuple[str, str]]:
    """The name and the value of each text: what is before and after its first =."""
    for text in texts or ():
        name, equals, value = text.partition("=")
        if not (name.strip() and equals and value):
            raise DataError(f"{option} must be written as {form}, such as {example}, not {text!r}.")
        yield name.strip(), value


# Keywords made of options.


def column_names(texts: list[str] | None) -> dict[str, str]:
    """Role -> column, of texts such as `query=user`."""
    return dict(named_values(texts, "--column", "ROLE=NAME", "query=user"))


def measure_names(given: list[str] | None) -> list[str] | None:
    """The measures, one by one; None if none was named."""
    from rankgold.scoring.scorer import single_measures

    return single_measures(given) if given else None


def chosen_slices(options: Namespace) -> Slices | None:
    """The slices that the options ask for, or None."""
    from rankgold.data.slices import BINS, Slices

    if options.slices is None and not options.by:
        if options.bins is not None:
            raise DataError("--bins is for attributes of queries. Name them with --slices or --by.")
        return None
    return Slices(options.slices, options.by or (), BINS if options.bins is None else options.bins)


def read_texts(path: str | None) -> dict[str, str] | None:
    """Id -> text, from the file of an option that `add_texts` added; None without the option."""
    from rankgold.data.texts_by_id import texts_by_id

    return None if path is None else texts_by_id(path)


# The format of a result, and its text.


def result_format(options: Namespace, formats: tuple[str, ...]) -> str:
    """The format of a result; an error if an option was given that the format does not have."""
    format_ = chosen_format(options, formats)
    check_format(options, format_)
    return format_


def chosen_format(options: Namespace, formats: tuple[str, ...]) -> str:
    """The format that was named; else the one that the output file's ending means; else the first."""
    if options.format is not None:
        return str(options.format)
    name = _format_called(output_ending(options), formats) or formats[0]
    if name not in formats:
        message = f"{name} is not a format of this command. Choose one with --format: {', '.join(formats)}."
        raise DataError(message, options.output)
    return name


def _format_called(name: str, formats: tuple[str, ...]) -> str | None:
    """The format that a name or the ending of a file means; text is the first format of a command, text or table."""
    known = output_names().get(name)
    if known is None:
        return _ENDINGS_OF_COMMANDS.get(name)
    return formats[0] if known is outputs()[0] else known.name


def made_of(format_: str) -> str | None:
    """The source of this output format; None if only one command has it."""
    known = output_names().get(format_)
    return None if known is None else known.made_of


def check_format(options: Namespace, format_: str) -> None:
    """Raises an error if an option was given that the format of a result does not have."""
    if getattr(options, "raw_ids", False) and made_of(format_) != "table":
        raise DataError("--raw-ids is for CSV. Add --format csv, or leave it out.")
    if getattr(options, "digits", None) is not None and made_of(format_) in ("table", "dict"):
        raise DataError(f"--digits is for formats that people read; {format_} has all digits. Leave it out.")


def output_ending(options: Namespace) -> str:
    """The ending of the output file in lower case, without its dot; empty without a file."""
    return os.path.splitext(options.output or "")[1].lower().lstrip(".")


def chosen_digits(options: Namespace) -> int:
    """The decimals of numbers."""
    digits = getattr(options, "digits", None)
    return 4 if digits is None else int(digits)


def document_text(document: Document, format_: str, options: Namespace) -> str:
    """A document in one of the formats for people; text is laid out for the terminal, if it goes to one."""
    chosen = find_output(format_)
    if chosen is outputs()[0] and options.output is None:
        return shown_document(document)
    return chosen.write(document.tables_alone if chosen.made_of == "tables" else document)
