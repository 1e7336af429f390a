"""A parser in, with arguments and options added that commands share; parsed options in, keywords for Python out."""

from __future__ import annotations

import os
from argparse import ArgumentTypeError, Namespace
from typing import TYPE_CHECKING, TypedDict

from rankgold.cli.parser import Parser
from rankgold.data.formats.registry import NAMES
from rankgold.errors import DataError
from rankgold.output.registry import ENDINGS, TEXT_OUTPUTS

if TYPE_CHECKING:
    from rankgold.data.slices import Slices
    from rankgold.output.document import Document
    from rankgold.policy import Policy


_FULL_PRECISION = ("json", "csv")

RUNS_HELP = (
    "One or more runs, in the same formats; a quoted pattern such as 'runs/*.trec' is a run for each file. None if"
    " QRELS is a table that has grades and scores."
)


class DataKeywords(TypedDict):
    """Keywords of `evaluate`, `match`, `plan` and `hits_of_runs`."""

    policy: Policy
    columns: dict[str, str]
    parent: str | None
    topics: str | None


def add_qrels(parser: Parser, *, nargs: str | None = None) -> None:
    parser.add_input(
        "qrels",
        metavar="QRELS",
        nargs=nargs,
        help=f"The judgements: {', '.join(NAMES[:-1])} or {NAMES[-1]}; - for standard input.",
    )


MEASURES_HELP = "A measure such as ndcg@10, a suite such as @autocomplete, or several separated by commas: ap,p@5,10"


def add_measures(parser: Parser, what: str = MEASURES_HELP) -> None:
    parser.add_argument(
        "-m",
        "--measure",
        action="append",
        metavar="MEASURE",
        help=f"{what}; may be repeated. `rankgold measures` lists them.",
    )


def add_quiet(parser: Parser, what: str) -> None:
    parser.add_argument("--quiet", action="store_true", help=f"Print {what}.")


def add_runs(parser: Parser) -> None:
    parser.add_input("runs", metavar="RUN", nargs="*", default=[], help=RUNS_HELP)


def add_policy_and_columns(parser: Parser) -> None:
    parser.add_argument(
        "-p",
        "--policy",
        action="append",
        metavar="NAME|FIELD=CHOICE",
        help="A preset such as trec_eval, or a single choice such as duplicates=first; may be repeated.",
    )
    parser.add_argument(
        "-c",
        "--column",
        action="append",
        metavar="ROLE=NAME",
        help="Which column holds the query, document, grade, score, rank or run, if its name does not say so.",
    )
    parser.add_argument(
        "--parent",
        metavar="SEPARATOR",
        help="Documents are ranked by their best chunk: '#' if d1#3 is a chunk of d1.",
    )


def add_exclude(parser: Parser) -> None:
    parser.add_input(
        "--exclude",
        metavar="FILE",
        help="Takes documents out of the lists before ranks are counted, such as what users had: a table of queries and"
        " documents, judgements or a run.",
    )


def add_topics(parser: Parser) -> None:
    parser.add_input(
        "--topics",
        metavar="FILE|ID,...",
        help="Evaluate these queries only: ids with commas between, or a file with an id on each line or in the first"
        " column of a TSV or CSV.",
    )


def add_slices(parser: Parser) -> None:
    parser.add_input(
        "--slices",
        metavar="FILE",
        help="Divide the queries by their attributes: a table with a column of queries and one for each attribute.",
    )
    parser.add_argument(
        "--by",
        action="append",
        metavar="ATTRIBUTE",
        help="Take this attribute of --slices, or this column of QRELS or RUN; may be repeated. 'language*device'"
        " crosses two; default: each attribute of --slices.",
    )
    parser.add_argument(
        "--bins",
        type=whole_number,
        metavar="N",
        help="Cut numeric attributes with more values than N at their quantiles; default: 4.",
    )


def chosen_slices(options: Namespace) -> Slices | None:
    """The slices that the options mean; None without any."""
    from rankgold.data.slices import BINS, Slices

    if options.slices is None and not options.by:
        if options.bins is not None:
            raise DataError("--bins is for attributes of queries. Name them with --slices or --by.")
        return None
    return Slices(options.slices, options.by or (), BINS if options.bins is None else options.bins)


def add_depth(parser: Parser) -> None:
    parser.add_argument(
        "--depth",
        type=whole_number,
        metavar="N",
        help="Cut each ranking off after N documents, before anything is counted. The same as --policy depth=N.",
    )


def add_rel(parser: Parser) -> None:
    parser.add_argument(
        "--rel",
        metavar="N",
        help="The lowest relevant grade, for measures without a rel of their own; default: 1.",
    )


def add_format(parser: Parser, formats: tuple[str, ...]) -> None:
    """Adds --format with these formats, of which the first is the default; and what is only for one of them."""

    def full_name(text: str) -> str:
        name = ENDINGS.get(text.lower(), text.lower())
        return formats[0] if name == "text" else name

    short = [name for name in ("md", "tex") if ENDINGS[name] in formats]
    parser.add_argument(
        "-f",
        "--format",
        choices=formats,
        type=full_name,
        help=f"Output format; default: as FILE of --output ends, else {formats[0]}. Short names: {', '.join(short)}.",
    )
    if "csv" in formats:
        add_raw_ids(parser)


def chosen_format(options: Namespace, formats: tuple[str, ...]) -> str:
    """The format that was named; else the one that the output file's ending means; else the first."""
    if options.format is not None:
        return str(options.format)
    name = ENDINGS.get(os.path.splitext(options.output or "")[1].lower().lstrip("."), "text")
    if name == "text":
        return formats[0]
    if name not in formats:
        message = f"{name} is not a format of this command. Choose one with --format: {', '.join(formats)}."
        raise DataError(message, options.output)
    return name


def add_raw_ids(parser: Parser) -> None:
    parser.add_argument(
        "--raw-ids",
        action="store_true",
        help="CSV: leave ids unchanged, even if a spreadsheet would take them for formulas.",
    )


def check_format(options: Namespace, format_: str) -> None:
    """Raises an error if an option was given that the format of a result does not have."""
    if getattr(options, "raw_ids", False) and format_ != "csv":
        raise DataError("--raw-ids is for CSV. Add --format csv, or leave it out.")
    if getattr(options, "digits", None) is not None and format_ in _FULL_PRECISION:
        raise DataError(f"--digits is for formats that people read; {format_} has all digits. Leave it out.")


def format_of_explanation(options: Namespace, format_: str) -> str:
    """The format of what `--explain` prints, which is text around a table; an error for an option that does not fit."""
    if options.per_query:
        raise DataError("--per-query does not go with --explain, which prints one query. Leave one of them out.")
    if format_ == "table":
        return "text"
    if format_ not in (*TEXT_OUTPUTS, "json"):
        formats = ", ".join(["table", *list(TEXT_OUTPUTS)[1:], "json"])
        raise DataError(f"--explain has no format {format_}. Its formats are {formats}.")
    return format_


def add_digits(parser: Parser) -> None:
    parser.add_argument("--digits", type=_digits, metavar="0-17", help="Decimals of numbers; default: 4.")


def whole_number(text: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise ArgumentTypeError(f"a whole number is needed, not {text!r}") from None


def real_number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        raise ArgumentTypeError(f"a number is needed, not {text!r}") from None


def count_from_zero(text: str) -> int:
    number = whole_number(text)
    if number < 0:
        raise ArgumentTypeError(f"a whole number from 0 is needed, not {text!r}")
    return number


def _digits(text: str) -> int:
    if not (text.isascii() and text.isdecimal()) or not 0 <= int(text[:4]) <= 17:
        raise ArgumentTypeError(f"a number from 0 to 17 is needed, not {text!r}")
    return int(text)


def add_output(parser: Parser) -> None:
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="Write to FILE, completely or not at all, instead of printing."
    )


def document_text(document: Document, format_: str, options: Namespace) -> str:
    """A document in one of the formats for text; for a terminal, if it goes to one."""
    from rankgold.output.registry import TEXT_OUTPUTS
    from rankgold.output.text import shown_document

    to_terminal = format_ == "text" and options.output is None
    return shown_document(document) if to_terminal else TEXT_OUTPUTS[format_](document)


def measure_names(options: Namespace) -> list[str] | None:
    """The measures, one by one; None if none was named."""
    from rankgold.scoring.values import single_measures

    return single_measures(options.measure) if options.measure else None


def data_keywords(options: Namespace, depth: int | None = None) -> DataKeywords:
    """The policy and the columns, from options such as `--policy ties=average` and `--column query=user`."""
    from rankgold.policy import Policy

    columns = named_columns(options)
    topics = options.topics if "topics" in options else None
    policy = Policy.of(*(options.policy or ()), None if depth is None else f"depth={depth}")
    return DataKeywords(policy=policy, columns=columns, parent=options.parent, topics=topics)


def named_columns(options: Namespace) -> dict[str, str]:
    """The columns that options such as `--column query=user` name."""
    columns = {}
    for option in options.column or ():
        role, equals, name = option.partition("=")
        if not equals or not name:
            raise DataError(f"--column is written as ROLE=NAME, such as query=user, not {option!r}.")
        columns[role.strip()] = name
    return columns
