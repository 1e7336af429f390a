"""`rankgold expect`: files of judgements with uncertain grades and of runs in, expected values of measures out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_result_options
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.cli.result_text import result_text

USAGE = "[OPTIONS] QRELS RUN..."
EXAMPLE = example_on_samples("rankgold expect qrels.txt bm25.trec -m dcg@10 -m ndcg@10 --draws 20")


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("runs", metavar="RUN", nargs="+", help="One or more runs, in the same formats.")
    parser.add_input(
        "--judge",
        action="append",
        metavar="QRELS",
        help="Judgements of another judge, with equal weight; may be repeated.",
    )
    shared_options.add_measures(parser)
    shared_options.add_rel(parser)
    parser.add_argument(
        "--draws", type=shared_options.whole_number, default=1000, metavar="N", help="Random draws; default: 1000."
    )
    shared_options.add_seed(parser)
    shared_options.add_topics_and_depth(parser)
    add_result_options(parser, shared_options.TABLE_FORMATS, engine=None)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.judging import expect

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    data = shared_options.data_keywords(options)
    with progress_bar(1, options.quiet) as progress:
        progress("drawing grades", 0.0, 0)
        found = expect(
            [options.qrels, *(options.judge or ())],
            options.runs,
            shared_options.measure_names(options),
            draws=options.draws,
            seed=options.seed,
            **data,
        )
    write(result_text(found, format_, options), options.output)
