"""`rankgold exposure`: files of recommendations, of a catalogue and of a training set in, scores of the lists out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_result_options, engine_keywords
from rankgold.cli.evaluate import scores_text
from rankgold.cli.explain import list_explanations_text
from rankgold.cli.parser import Parser, example_on_samples

USAGE = "[OPTIONS] RUN..."
EXAMPLE = example_on_samples("rankgold exposure neighbours.csv --items dishes.csv -m coverage@10,gini@10")


def add_arguments(parser: Parser) -> None:
    parser.add_input(
        "runs",
        metavar="RUN",
        nargs="+",
        help="One or more runs, in the formats of `rankgold evaluate`: users are queries, items are documents.",
    )
    shared_options.add_measures(parser, "A measure such as gini@10, or several separated by commas: coverage@10,ild@10")
    parser.add_input(
        "--items",
        metavar="FILE",
        help="The catalogue: a table with a column of items, and perhaps of categories, a group, an embedding or"
        " numbers; or one item a line.",
    )
    parser.add_input(
        "--train",
        metavar="FILE",
        help="What users already had: a table of users and items, judgements or a run. Popularity is counted in it.",
    )
    parser.add_input("--qrels", metavar="FILE", help="What was relevant to users, for serendipity.")
    shared_options.add_per_query(parser, "user")
    parser.add_argument(
        "--explain",
        metavar="[USER]",
        nargs="?",
        const="",
        help="Print how the values of this user are computed, term by term; without USER, the values of all lists.",
    )
    shared_options.add_sort(parser)
    shared_options.add_topics_and_depth(parser)
    add_result_options(parser, shared_options.TABLE_FORMATS, engine="reads", quiet="no notes and no progress")


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.engines.request import Request
    from rankgold.exposures import EXPOSURES
    from rankgold.list_exposure import DEFAULT_MEASURES, scored_lists
    from rankgold.scoring.run_scores import label_of
    from rankgold.scoring.values import measures_by_label

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    measures = measures_by_label(shared_options.measure_names(options), EXPOSURES, DEFAULT_MEASURES)
    if options.sort is not None:
        label_of(options.sort, measures)
    known = {"run": options.runs, **{name: getattr(options, name) for name in ("items", "train", "qrels")}}
    data = shared_options.data_keywords(options)
    with engine_keywords(options) as engine, progress_bar(1 + len(options.runs), options.quiet) as progress:
        scores = scored_lists(Request.of(known, progress=progress, **data, **engine), list(measures))
    if options.explain is None:
        text = scores_text(scores.sorted_by(options.sort) if options.sort else scores, format_, options)
    else:
        text = list_explanations_text(scores, options.explain or None, format_, options)
    write(text, options.output)
