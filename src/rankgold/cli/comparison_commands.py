"""Describes compare, diff, what-if and power."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace

from rankgold.cli import shared_options
from rankgold.cli.command import add_options, add_output_options, engine_keywords, keywords, result_text
from rankgold.cli.console import write
from rankgold.cli.parser import Command, Parser, example_on_samples
from rankgold.comparison import (
    Bootstrap,
    DrawnTest,
    Interval,
    Randomization,
    Tukey,
    Units,
    compare,
    diff,
    power,
    what_if,
)
from rankgold.core.errors import ComparisonError
from rankgold.scoring import evaluate

COMPARE_USAGE = "[OPTIONS] QRELS RUN RUN..."
COMPARE_EXAMPLE = example_on_samples("rankgold compare qrels.txt titles.trec bm25.trec --baseline titles -m ndcg@10")


def add_compare_arguments(parser: Parser) -> None:
    shared_options.add_files(parser)
    add_options(parser, compare)
    add_options(parser, Interval, "level", "margin")
    add_options(parser, DrawnTest, "draws", unset=True)
    add_options(parser, Units)
    shared_options.add_slices(parser)
    add_output_options(parser, shared_options.TABLE_FORMATS)


def run_compare(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar
    from rankgold.data.texts_by_id import read_query_lines, read_query_numbers

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    interval = Interval(options.interval, options.level, margin=options.margin)
    test = options.test
    if options.draws is not None:
        interval = replace(interval, draws=options.draws)
        drawn = next((kind for kind in (Randomization, Bootstrap, Tukey) if kind.name == test), None)
        test = test if drawn is None else drawn(options.draws)
    weights = None if options.weights is None else read_query_numbers(options.weights, "its weight")
    clusters = None if options.clusters is None else read_query_lines(options.clusters, "its cluster")
    chosen = {**keywords(options, compare), "test": test, "interval": interval, "units": Units(weights, clusters)}
    by = shared_options.chosen_slices(options)
    steps = 2 + 2 * len(options.runs) + (0 if by is None else 2)
    with engine_keywords(options) as engine, progress_bar(steps, options.quiet) as progress:
        found = compare(options.qrels, options.runs or None, **chosen, **engine, by=by, progress=progress)
    write(result_text(found, format_, options), options.output)


DIFF_USAGE = "[OPTIONS] QRELS A B"
DIFF_EXAMPLE = example_on_samples("rankgold diff qrels.txt bm25.trec expanded.trec -m ndcg@10 -n 3")


def add_diff_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("a", metavar="A", help="The run before, in the same formats.")
    parser.add_input("b", metavar="B", help="The run after.")
    add_options(parser, diff)
    parser.add_argument(
        "-n",
        "--queries-shown",
        type=shared_options.whole_number_from(0),
        default=5,
        metavar="N",
        help="How many of the queries that lost most and gained most to show; default: 5. JSON and CSV have all.",
    )
    add_output_options(parser, shared_options.TABLE_FORMATS)


def run_diff(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    chosen = keywords(options, diff)
    with engine_keywords(options) as engine, progress_bar(1, options.quiet) as progress:
        progress("reading and matching", 0.0, 0)
        found = diff(options.qrels, options.a, options.b, **chosen, **engine)
    write(result_text(found, format_, options, {"most": options.queries_shown}), options.output)


WHAT_IF_USAGE = "[OPTIONS] QRELS RUN"
WHAT_IF_EXAMPLE = example_on_samples(
    "rankgold what-if qrels.txt bm25.trec --move q10 cake-01 1 -m ndcg@10,rr",
    "Documents are removed first, then moved, then added, each in the order given. All options may be repeated.",
)


def add_what_if_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("run", metavar="RUN", help="The run, in the same formats.")
    add_options(parser, what_if)
    shared_options.add_format(parser, shared_options.TABLE_FORMATS)
    shared_options.add_output(parser)


def run_what_if(options: Namespace) -> None:
    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    edits = {
        "move": _ranks(options.move),
        "add": _ranks(options.add),
        "remove": [(query, document) for query, document in options.remove or ()],
        "grade": {pair: _grade(text) for pair, text in _by_pair(options.grade).items()},
    }
    found = what_if(options.qrels, options.run, **{**keywords(options, what_if), **edits})
    write(result_text(found, format_, options), options.output)


def _ranks(given: list[list[str]] | None) -> dict[tuple[str, str], int]:
    ranks = _by_pair(given)
    try:
        return {pair: int(rank) for pair, rank in ranks.items()}
    except ValueError:
        raise ComparisonError("The rank after a query and a document must be a whole number from 1.") from None


def _by_pair(given: list[list[str]] | None) -> dict[tuple[str, str], str]:
    values: dict[tuple[str, str], str] = {}
    for query, document, value in given or ():
        if (query, document) in values:
            raise ComparisonError(f"Query {query!r} has two changes of one kind for {document!r}. Keep one of them.")
        values[query, document] = value
    return values


def _grade(text: str) -> float | None:
    try:
        return None if text == "none" else float(text)
    except ValueError:
        raise ComparisonError(
            f"The grade after a query and a document must be a number or none, not {text!r}."
        ) from None


POWER_USAGE = "[OPTIONS] QRELS RUN RUN..."
POWER_EXAMPLE = example_on_samples("rankgold power qrels.txt bm25.trec expanded.trec -m ndcg@10 --difference 0.05")


def add_power_arguments(parser: Parser) -> None:
    shared_options.add_files(parser)
    add_options(parser, power)
    add_options(parser, evaluate)
    add_output_options(parser, shared_options.TABLE_FORMATS)


def run_power(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    data = keywords(options, evaluate)
    with engine_keywords(options) as engine, progress_bar(1 + 2 * len(options.runs), options.quiet) as progress:
        scores = evaluate(options.qrels, options.runs or None, progress=progress, **data, **engine)
    write(result_text(power(scores, **keywords(options, power)), format_, options), options.output)


COMMANDS = {
    "compare": Command(COMPARE_USAGE, COMPARE_EXAMPLE, add_compare_arguments, run_compare),
    "diff": Command(DIFF_USAGE, DIFF_EXAMPLE, add_diff_arguments, run_diff),
    "what-if": Command(WHAT_IF_USAGE, WHAT_IF_EXAMPLE, add_what_if_arguments, run_what_if),
    "power": Command(POWER_USAGE, POWER_EXAMPLE, add_power_arguments, run_power),
}
