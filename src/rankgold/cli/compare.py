"""`rankgold compare`: files of judgements and runs in; which run is better, and how certain that is, out."""

from __future__ import annotations

from argparse import Namespace
from dataclasses import replace
from typing import get_args

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_result_options, engine_keywords
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.cli.result_text import result_text
from rankgold.comparison import CorrectionName, IntervalName, TestName
from rankgold.comparison.other_names import name_here

_CHOICES = ("baseline", "test", "correction", "seed", "bounds")
USAGE = "[OPTIONS] QRELS RUN RUN..."
EXAMPLE = example_on_samples("rankgold compare qrels.txt titles.trec bm25.trec --baseline titles -m ndcg@10")


def add_arguments(parser: Parser) -> None:
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


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.comparison import Bootstrap, Interval, Randomization, Tukey, Units, compare
    from rankgold.data.query_lines import read_query_lines, read_query_numbers

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
