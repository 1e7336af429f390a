"""Describes judge-next, pool, agreement, merge-qrels and expect."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from rankgold.cli import shared_options
from rankgold.cli.command import add_file_format, add_options, add_output_options, file_format, keywords, result_text
from rankgold.cli.console import for_terminal, write
from rankgold.cli.parser import Command, Parser, example_on_samples
from rankgold.cli.shared_options import add_raw_ids, check_format, output_ending
from rankgold.core.errors import DataError
from rankgold.judging import agreement, expect, judge_next, merge_qrels, pool
from rankgold.present.outputs import output_names, outputs

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


JUDGE_NEXT_USAGE = "[OPTIONS] QRELS RUN... [-o SHEET]"
JUDGE_NEXT_EXAMPLE = example_on_samples(
    "rankgold judge-next qrels.txt bm25.trec titles.trec -m ndcg@10 -n 5",
    "Fill in the column of grades; rows without one are skipped when the sheet is read:",
    "  rankgold merge-qrels qrels.txt sheet.csv -o more.qrels",
)


def add_judge_next_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("runs", metavar="RUN", nargs="+", help="One or more runs, in the same formats.")
    add_options(parser, judge_next)
    add_sheet_format(parser)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser)


def run_judge_next(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar

    format_ = sheet_format(options)
    chosen = keywords(options, judge_next)
    with progress_bar(1, options.quiet) as progress:
        progress("trying documents", 0.0, 0)
        found = judge_next(options.qrels, options.runs, **chosen)
    write(sheet_text(found, format_, options), options.output)


POOL_USAGE = "[OPTIONS] RUN... [-o SHEET]"
POOL_EXAMPLE = example_on_samples("rankgold pool bm25.trec titles.trec --depth 5 --qrels qrels.txt -o /tmp/pool.csv")


def add_pool_arguments(parser: Parser) -> None:
    parser.add_input("runs", metavar="RUN", nargs="+", help="One or more runs, in any format that evaluate reads.")
    add_options(parser, pool)
    parser.add_argument("--unjudged", action="store_true", help="Only unjudged documents; needs --qrels.")
    add_sheet_format(parser)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser, "nothing about the size of the pool when it is written to FILE")


def run_pool(options: Namespace) -> None:
    format_ = sheet_format(options)
    if options.unjudged and options.qrels is None:
        raise DataError("--unjudged needs --qrels, which says what is judged.")
    found = pool(options.runs, **keywords(options, pool))
    write(sheet_text(found.without_grades() if options.unjudged else found, format_, options), options.output)
    if not options.quiet and options.output is not None:
        write(f"{found.about}\n", None)


AGREEMENT_USAGE = "[OPTIONS] QRELS QRELS..."
AGREEMENT_EXAMPLE = """Example: the sample data have one judge, compared here with itself.

  cd "$(rankgold demo --path)" && rankgold agreement qrels.txt qrels.txt"""


def add_agreement_arguments(parser: Parser) -> None:
    parser.add_input(
        "qrels", metavar="QRELS", nargs="+", help="The judgements of each judge; rows without a grade are skipped."
    )
    add_options(parser, agreement)
    shared_options.add_format(parser, shared_options.TABLE_FORMATS)
    shared_options.add_output(parser)


def run_agreement(options: Namespace) -> None:
    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    found = agreement(options.qrels, **keywords(options, agreement))
    write(result_text(found, format_, options), options.output)


MERGE_QRELS_USAGE = "[OPTIONS] QRELS... [-o FILE]"
MERGE_QRELS_EXAMPLE = example_on_samples(
    "rankgold merge-qrels qrels.txt qrels.txt --rule majority -o /tmp/merged.qrels"
)


def add_merge_qrels_arguments(parser: Parser) -> None:
    parser.add_input(
        "qrels",
        metavar="QRELS",
        nargs="+",
        help="Judgements in any format, and filled-in sheets of judge-next and pool: rows without a grade are skipped.",
    )
    add_options(parser, merge_qrels)
    add_file_format(parser)
    shared_options.add_output(parser)


def run_merge_qrels(options: Namespace) -> None:
    from rankgold.data.written_files import QRELS_WRITERS

    format_ = file_format(options)
    merged = merge_qrels(options.qrels, **keywords(options, merge_qrels))
    write(QRELS_WRITERS[format_](merged), options.output)


EXPECT_USAGE = "[OPTIONS] QRELS RUN..."
EXPECT_EXAMPLE = example_on_samples("rankgold expect qrels.txt bm25.trec -m dcg@10 -m ndcg@10 --draws 20")


def add_expect_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("runs", metavar="RUN", nargs="+", help="One or more runs, in the same formats.")
    parser.add_input(
        "--judge",
        action="append",
        metavar="QRELS",
        help="Judgements of another judge, with equal weight; may be repeated.",
    )
    add_options(parser, expect)
    add_output_options(parser, shared_options.TABLE_FORMATS, engine=None)


def run_expect(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    chosen = keywords(options, expect)
    with progress_bar(1, options.quiet) as progress:
        progress("drawing grades", 0.0, 0)
        found = expect([options.qrels, *(options.judge or ())], options.runs, **chosen)
    write(result_text(found, format_, options), options.output)


COMMANDS = {
    "judge-next": Command(JUDGE_NEXT_USAGE, JUDGE_NEXT_EXAMPLE, add_judge_next_arguments, run_judge_next),
    "pool": Command(POOL_USAGE, POOL_EXAMPLE, add_pool_arguments, run_pool),
    "agreement": Command(AGREEMENT_USAGE, AGREEMENT_EXAMPLE, add_agreement_arguments, run_agreement),
    "merge-qrels": Command(MERGE_QRELS_USAGE, MERGE_QRELS_EXAMPLE, add_merge_qrels_arguments, run_merge_qrels),
    "expect": Command(EXPECT_USAGE, EXPECT_EXAMPLE, add_expect_arguments, run_expect),
}
