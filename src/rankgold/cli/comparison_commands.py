"""Describes compare, diff, what-if and power."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import get_args

from rankgold.cli import shared_options
from rankgold.cli.console import write
from rankgold.cli.engine_options import add_result_options, engine_keywords, result_text
from rankgold.cli.parser import Command, Parser, example_on_samples
from rankgold.comparison import CorrectionName, IntervalName, TestName, name_here
from rankgold.core.errors import ComparisonError

_CHOICES = ("baseline", "test", "correction", "seed", "bounds")
COMPARE_USAGE = "[OPTIONS] QRELS RUN RUN..."
COMPARE_EXAMPLE = example_on_samples("rankgold compare qrels.txt titles.trec bm25.trec --baseline titles -m ndcg@10")


def add_compare_arguments(parser: Parser) -> None:
    shared_options.add_evaluation(parser)
    shared_options.add_baseline(parser)
    parser.add_argument(
        "--test", choices=get_args(TestName), type=name_here, default="randomization", help="Default: randomization."
    )
    parser.add_argument(
        "--correction",
        choices=get_args(CorrectionName),
        type=name_here,
        default="holm",
        help="Correction of p-values for multiple comparisons; default: holm.",
    )
    parser.add_argument(
        "--interval",
        choices=get_args(IntervalName),
        type=name_here,
        default="bca",
        help="Confidence interval; default: bca.",
    )
    parser.add_argument(
        "--level",
        type=shared_options.real_number,
        default=0.95,
        metavar="SHARE",
        help="Level of the intervals; default: 0.95.",
    )
    parser.add_argument(
        "--margin",
        type=shared_options.real_number,
        metavar="NUMBER",
        help="Also test whether the difference is within this margin on both sides (needs SciPy).",
    )
    parser.add_argument(
        "--draws",
        type=shared_options.whole_number,
        metavar="N",
        help="Random draws; default: 100,000 of signs, 10,000 of samples.",
    )
    shared_options.add_seed(parser)
    parser.add_input(
        "--weights",
        metavar="FILE",
        help="Weight of each query, such as its traffic: one line each, with the id, a tab and a number.",
    )
    parser.add_input(
        "--clusters",
        metavar="FILE",
        help="Groups of queries to sample together, such as those of a user: lines of an id, a tab and a name.",
    )
    shared_options.add_slices(parser)
    parser.add_argument(
        "--bounds", action="store_true", help="Also show whether unjudged documents could change the winner."
    )
    add_result_options(parser, shared_options.TABLE_FORMATS)


def run_compare(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar
    from rankgold.comparison import Bootstrap, Interval, Randomization, Tukey, Units, compare
    from rankgold.data.texts_by_id import read_query_lines, read_query_numbers

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    choices = {name: getattr(options, name) for name in _CHOICES}
    interval = Interval(options.interval, options.level, margin=options.margin)
    if options.draws is not None:
        interval = replace(interval, draws=options.draws)
        drawn = next((kind for kind in (Randomization, Bootstrap, Tukey) if kind.name == options.test), None)
        choices["test"] = options.test if drawn is None else drawn(options.draws)
    weights = None if options.weights is None else read_query_numbers(options.weights, "its weight")
    clusters = None if options.clusters is None else read_query_lines(options.clusters, "its cluster")
    choices |= {"interval": interval, "units": Units(weights, clusters)}
    data = shared_options.data_keywords(options)
    measures = shared_options.measure_names(options)
    by = shared_options.chosen_slices(options)
    steps = 2 + 2 * len(options.runs) + (0 if by is None else 2)
    with engine_keywords(options) as engine, progress_bar(steps, options.quiet) as progress:
        keywords = {**choices, **data, **engine, "by": by, "progress": progress}
        found = compare(options.qrels, options.runs or None, measures, **keywords)
    write(result_text(found, format_, options), options.output)


DIFF_USAGE = "[OPTIONS] QRELS A B"
DIFF_EXAMPLE = example_on_samples("rankgold diff qrels.txt bm25.trec expanded.trec -m ndcg@10 -n 3")


def add_diff_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("a", metavar="A", help="The run before, in the same formats.")
    parser.add_input("b", metavar="B", help="The run after.")
    shared_options.add_single_measure(parser)
    shared_options.add_rel(parser)
    shared_options.add_topics_and_depth(parser)
    parser.add_argument(
        "-n",
        "--queries-shown",
        type=shared_options.whole_number_from(0),
        default=5,
        metavar="N",
        help="How many of the queries that lost most and gained most to show; default: 5. JSON and CSV have all.",
    )
    shared_options.add_query_texts(parser)
    add_result_options(parser, shared_options.TABLE_FORMATS)


def run_diff(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar
    from rankgold.comparison import diff

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    data = shared_options.data_keywords(options)
    texts = shared_options.read_texts(options.queries)
    with engine_keywords(options) as engine, progress_bar(1, options.quiet) as progress:
        progress("reading and matching", 0.0, 0)
        found = diff(options.qrels, options.a, options.b, options.measure, query_texts=texts, **data, **engine)
    write(result_text(found, format_, options, {"most": options.queries_shown}), options.output)


WHAT_IF_USAGE = "[OPTIONS] QRELS RUN"
WHAT_IF_EXAMPLE = example_on_samples(
    "rankgold what-if qrels.txt bm25.trec --move q10 cake-01 1 -m ndcg@10,rr",
    "Documents are removed first, then moved, then added, each in the order given. All options may be repeated.",
)


def add_what_if_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("run", metavar="RUN", help="The run, in the same formats.")
    place = "QUERY DOCUMENT RANK"
    for name, metavar, text in (
        ("--move", place, "Move a document to a rank."),
        ("--add", place, "Add a document at a rank."),
        ("--remove", "QUERY DOCUMENT", "Remove a document from the ranking."),
        ("--grade", "QUERY DOCUMENT GRADE", "Give a document a grade; none removes its judgement."),
    ):
        parser.add_argument(name, action="append", nargs=len(metavar.split()), metavar=metavar, help=text)
    shared_options.add_measurement(parser)
    shared_options.add_format(parser, shared_options.TABLE_FORMATS)
    shared_options.add_policy_and_columns(parser)
    shared_options.add_output(parser)


def run_what_if(options: Namespace) -> None:
    from rankgold.comparison import what_if

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    data = shared_options.data_keywords(options)
    found = what_if(
        options.qrels,
        options.run,
        shared_options.measure_names(options),
        move=_ranks(options.move),
        add=_ranks(options.add),
        remove=[(query, document) for query, document in options.remove or ()],
        grade={pair: _grade(text) for pair, text in _by_pair(options.grade).items()},
        **data,
    )
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
    shared_options.add_evaluation(parser)
    parser.add_argument(
        "-d",
        "--difference",
        type=shared_options.real_number,
        metavar="NUMBER",
        help="The difference you want to detect; default: the one between the runs.",
    )
    parser.add_argument(
        "--power",
        type=shared_options.real_number,
        default=0.8,
        metavar="SHARE",
        help="The probability of detecting it; default: 0.8.",
    )
    parser.add_argument(
        "--alpha",
        type=shared_options.real_number,
        default=0.05,
        metavar="SHARE",
        help="The significance level; default: 0.05. For m comparisons, 0.05 / m.",
    )
    shared_options.add_baseline(parser)
    add_result_options(parser, shared_options.TABLE_FORMATS)


def run_power(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar
    from rankgold.comparison import power
    from rankgold.scoring import evaluate

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    data = shared_options.data_keywords(options)
    measures = shared_options.measure_names(options)
    with engine_keywords(options) as engine, progress_bar(1 + 2 * len(options.runs), options.quiet) as progress:
        scores = evaluate(options.qrels, options.runs or None, measures, progress=progress, **data, **engine)
    choices = {name: getattr(options, name) for name in ("difference", "power", "alpha", "baseline")}
    write(result_text(power(scores, **choices), format_, options), options.output)


COMMANDS = {
    "compare": Command(COMPARE_USAGE, COMPARE_EXAMPLE, add_compare_arguments, run_compare),
    "diff": Command(DIFF_USAGE, DIFF_EXAMPLE, add_diff_arguments, run_diff),
    "what-if": Command(WHAT_IF_USAGE, WHAT_IF_EXAMPLE, add_what_if_arguments, run_what_if),
    "power": Command(POWER_USAGE, POWER_EXAMPLE, add_power_arguments, run_power),
}
