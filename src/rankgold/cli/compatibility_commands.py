"""Describes trec_eval and sql."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace
from collections.abc import Callable, Collection
from functools import partial
from typing import Literal, get_args

from rankgold import __version__
from rankgold.cli.console import for_terminal, write
from rankgold.cli.parser import Command, Parser, example_on_samples
from rankgold.cli.shared_options import add_output, whole_number
from rankgold.core.dialects.trec import FORMATS
from rankgold.core.errors import DataError
from rankgold.engines.protocol import Flavour

TREC_EVAL_USAGE = "[OPTIONS] QRELS RUN"
TREC_EVAL_EXAMPLE = example_on_samples(
    "rankgold trec_eval -q -m ndcg_cut.5,10 -m map qrels.txt bm25.trec",
    "The options are those of trec_eval 10. -h -m NAME describes a measure, -h -R FORMAT a format.",
    "It ends with the exit codes of trec_eval: 0; 1 for arguments or measures that it does not know; 2 for a file"
    " that cannot be read, or parameters that a measure does not take; 4 for a document twice, a judged query that"
    " is not in the run, or a measure that does not fit the format; 7 for no query to evaluate; 255 for a faulty"
    " file of z-scores.",
)

TREC_EVAL_PARSER = {"usage_exit_code": 1, "help_waits": True}


def add_trec_eval_arguments(parser: Parser) -> None:
    parser.set_defaults(parser=parser)
    parser.add_input("qrels", nargs="?", metavar="QRELS", help="The judgements, in TREC's format.")
    parser.add_input("run", nargs="?", metavar="RUN", help="The run, in TREC's format; - for standard input.")
    parser.add_argument(
        "-m", "--measure", action="append", default=[], metavar="NAME[.PARAMETERS]",
        help="A measure such as map or P.5,10, or official, set, all_trec, prefs, all_prefs, qrels_jg; may be repeated."
        " Default: official.",
    )  # fmt: skip
    flags = {
        ("-q", "--query_eval_wanted"): "Print each query too.",
        ("-n", "--nosummary"): "Print no lines for all queries.",
        ("-c", "--complete_rel_info_wanted"): "Average over all judged queries, including those missing from the run.",
        ("-J", "--Judged_docs_only"): "Remove unjudged documents from the lists.",
        ("-v", "--version"): "Print the version and exit.",
        ("-o", "--Output_old_results_format"): "Has no effect, as in trec_eval.",
    }
    for names, text in flags.items():
        parser.add_argument(*names, action="store_true", help=text)
    from_0, from_1 = partial(_whole_number_from, 0), partial(_whole_number_from, 1)
    numbers: dict[tuple[str, str], tuple[Callable[[str], int], int | None, str]] = {
        ("-l", "--level_for_rel"): (from_0, 1, "The lowest relevant grade; default: 1."),
        ("-M", "--Max_retrieved_per_topic"): (from_1, None, "Keep only this many documents a query; default: all."),
        ("-N", "--Number_docs_in_coll"): (whole_number, 0, "The number of documents in the collection, for utility."),
    }
    for names, (kind, default, text) in numbers.items():
        parser.add_argument(*names, type=kind, default=default, metavar="N", help=text)
    parser.add_argument(
        "-R",
        "--Rel_info_format",
        choices=FORMATS,
        default="qrels",
        help="The format of the judgements; default: qrels.",
    )
    parser.add_argument(
        "-T", "--Results_format", choices=("trec_results",), default="trec_results", help="The format of the run."
    )
    parser.add_argument(
        "-Z", "--Zscore", metavar="FILE",
        help="Print z-scores instead of values. Lines of the file: query, measure, mean, standard deviation.",
    )  # fmt: skip
    parser.add_argument(
        "-D", "--Debug_level", default="0", metavar="N[.QUERY]",
        help="Evaluate only this query. The number has no effect: rankgold explain shows the working of a value.",
    )  # fmt: skip
    parser.add_argument("--version9", action="store_true", help="Print what trec_eval 9.0.8 prints.")


_MOST = 10**15
_LONGEST = 4000  # Python reads integers of up to 4,300 digits.


def _whole_number_from(lowest: int, text: str) -> int:
    digits = text.removeprefix("+")[:_LONGEST]
    if not (digits.isascii() and digits.isdecimal() and int(digits) >= lowest):
        raise ArgumentTypeError(f"must be a whole number from {lowest}, not {text!r}")
    return min(int(digits), _MOST)  # more documents than any file has are all of them


def run_trec_eval(options: Namespace) -> None:
    version: Literal[9, 10] = 9 if options.version9 else 10
    if options.version:
        print(f"trec_eval version {version}, by rankgold {__version__}", file=sys.stderr)
        return
    if options.help and not options.measure:
        _print_help(options, ())
        return
    from rankgold.compat.trec_eval.command import Command
    from rankgold.compat.trec_eval.measure_lines import LineSettings, parameters_by_name
    from rankgold.compat.trec_eval.printed_queries import PrintedQueries, ZScores
    from rankgold.core.policy import Policy

    settings = LineSettings(options.level_for_rel, options.Number_docs_in_coll, options.Rel_info_format, version)
    if options.help:
        _print_help(options, parameters_by_name(options.measure, settings))
        return
    if options.run is None:
        options.parser.error("name a file of judgements and a run.")
    try:
        z_scores = None if options.Zscore is None else ZScores.read(options.Zscore)
    except DataError as error:
        raise error.with_exit_code(255) from None
    command = Command(
        options.measure or ["official"],
        settings,
        Policy(
            depth=options.Max_retrieved_per_topic,
            unjudged="condensed" if options.Judged_docs_only else "nonrelevant",
            score_bits=32 if options.version9 else 64,
        ),
        PrintedQueries(options.query_eval_wanted, not options.nosummary, options.complete_rel_info_wanted, z_scores),
        options.Debug_level.partition(".")[2] or None,
    )
    for text in command.text(options.qrels, options.run):
        write(for_terminal(text), None)


def _print_help(options: Namespace, measures: Collection[str]) -> None:
    from rankgold.compat.trec_eval.help_text import help_text

    options.parser.epilog = f"{help_text(options.Rel_info_format, measures)}\n\n{TREC_EVAL_EXAMPLE}"
    options.parser.print_help()


SQL_USAGE = "[--flavour NAME] [-o FILE]"
SQL_EXAMPLE = "Example: rankgold sql"


def add_sql_arguments(parser: Parser) -> None:
    parser.add_argument(
        "--print",
        dest="engine",
        choices=("duckdb",),
        default="duckdb",
        help="The engine whose statements are printed; default: duckdb. Any of its clients can run them.",
    )
    parser.add_argument(
        "--flavour",
        choices=get_args(Flavour),
        default=get_args(Flavour)[0],
        help="rankgold: one value per row. hivemall: aggregates over rows, with the rules of Hivemall's page."
        " hivemall-code: with average precision as in its code since 2017. Default: rankgold.",
    )
    add_output(parser)


def run_sql(options: Namespace) -> None:
    from rankgold.engines.sql.macro_script import script

    write(script(options.flavour), options.output)


COMMANDS = {
    "trec_eval": Command(TREC_EVAL_USAGE, TREC_EVAL_EXAMPLE, add_trec_eval_arguments, run_trec_eval, TREC_EVAL_PARSER),
    "sql": Command(SQL_USAGE, SQL_EXAMPLE, add_sql_arguments, run_sql),
}
