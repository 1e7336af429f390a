"""`rankgold power`: files of judgements and runs in; how many queries would show a difference out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_result_options, engine_keywords
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.cli.result_text import result_text

USAGE = "[OPTIONS] QRELS RUN RUN..."
EXAMPLE = example_on_samples("rankgold power qrels.txt bm25.trec expanded.trec -m ndcg@10 --difference 0.05")


def add_arguments(parser: Parser) -> None:
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


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.comparison import power
    from rankgold.scoring import evaluate

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    data = shared_options.data_keywords(options)
    measures = shared_options.measure_names(options)
    with engine_keywords(options) as engine, progress_bar(1 + 2 * len(options.runs), options.quiet) as progress:
        scores = evaluate(options.qrels, options.runs or None, measures, progress=progress, **data, **engine)
    choices = {name: getattr(options, name) for name in ("difference", "power", "alpha", "baseline")}
    write(result_text(power(scores, **choices), format_, options), options.output)
