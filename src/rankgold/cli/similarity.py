"""`rankgold similarity`: files of two or more runs in, how alike their rankings are out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_result_options, engine_keywords
from rankgold.cli.evaluate import scores_text
from rankgold.cli.explain import list_explanations_text
from rankgold.cli.parser import Parser, example_on_samples

USAGE = "[OPTIONS] RUN RUN..."
EXAMPLE = example_on_samples(
    "rankgold similarity bm25.trec expanded.trec -m rbo,overlap@10",
    "Leaderboards work too: rankgold similarity scores1.json scores2.json -m tau_ap",
)


def add_arguments(parser: Parser) -> None:
    parser.add_input(
        "runs",
        metavar="RUN",
        nargs="+",
        help="Two or more runs, in the formats of `rankgold evaluate`: all are compared with the first. Or leaderboards"
        " that `rankgold evaluate -o FILE` wrote as JSON or CSV; of one, the measures are compared.",
    )
    shared_options.add_measures(
        parser, "A measure such as rbo or overlap@10, or several separated by commas: rbo,tau_ap"
    )
    shared_options.add_topics_and_depth(parser)
    shared_options.add_per_query(parser)
    parser.add_argument(
        "--explain", metavar="QUERY", help="Print how the values of this query are computed, term by term."
    )
    add_result_options(parser, shared_options.TABLE_FORMATS, engine="reads", quiet="no notes and no progress")


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.engines.request import Request
    from rankgold.ranking_similarity import scored_pairs

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    first, *others = options.runs
    measures = shared_options.measure_names(options)
    data = shared_options.data_keywords(options)
    with engine_keywords(options) as engine, progress_bar(1 + len(options.runs), options.quiet) as progress:
        request = Request.of({"first": first, "second": others or None}, progress=progress, **data, **engine)
        scores = scored_pairs(request, measures)
    if options.explain is None:
        text = scores_text(scores, format_, options)
    else:
        text = list_explanations_text(scores, options.explain, format_, options)
    write(text, options.output)
