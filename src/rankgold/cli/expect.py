"""`rankgold expect`: files of judgements with uncertain grades and of runs in, expected values of measures out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.parser import Parser
from rankgold.cli.result_text import FORMATS, result_text

USAGE = "[OPTIONS] QRELS RUN..."
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold expect qrels.txt bm25.trec -m dcg@10 -m ndcg@10 --draws 20"""


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("runs", metavar="RUN", nargs="+", help="One or more runs, in the same formats.")
    parser.add_input(
        "--judge",
        action="append",
        metavar="QRELS",
        help="The judgements of one more judge, who counts as much; may be repeated.",
    )
    shared_options.add_measures(parser)
    shared_options.add_rel(parser)
    parser.add_argument(
        "--draws", type=shared_options.whole_number, default=1000, metavar="N", help="Random draws; default: 1000."
    )
    parser.add_argument(
        "--seed", type=shared_options.whole_number, default=0, metavar="N", help="Seed of the draws; default: 0."
    )
    shared_options.add_topics(parser)
    shared_options.add_depth(parser)
    shared_options.add_format(parser, FORMATS)
    shared_options.add_digits(parser)
    shared_options.add_policy_and_columns(parser)
    shared_options.add_exclude(parser)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser, "no progress")


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.judging.expectation import expect

    format_ = shared_options.chosen_format(options, FORMATS)
    shared_options.check_format(options, format_)
    data = shared_options.data_keywords(options, options.depth)
    with progress_bar(1, options.quiet) as progress:
        progress("drawing grades", 0.0, 0)
        found = expect(
            [options.qrels, *(options.judge or ())],
            options.runs,
            shared_options.measure_names(options),
            draws=options.draws,
            seed=options.seed,
            rel=options.rel,
            exclude=options.exclude,
            **data,
        )
    write(result_text(found, format_, options), options.output)
