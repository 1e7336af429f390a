"""`rankgold similarity`: files of two or more runs in, how alike their rankings are out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_engine, engine_keywords
from rankgold.cli.evaluate import scores_text
from rankgold.cli.explain import explanations_text
from rankgold.cli.parser import Parser
from rankgold.output.registry import TABLE_OUTPUTS

FORMATS = ("table", "json", *TABLE_OUTPUTS)
USAGE = "[OPTIONS] RUN RUN..."
EXAMPLE = """Leaderboards are compared alike: rankgold similarity scores1.json scores2.json -m tau_ap

Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold similarity bm25.trec expanded.trec -m rbo,overlap@10"""


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
    shared_options.add_topics(parser)
    shared_options.add_depth(parser)
    parser.add_argument("-q", "--per-query", action="store_true", help="Print the values of each query too.")
    parser.add_argument(
        "--explain", metavar="QUERY", help="Print how the values of this query come about, term by term."
    )
    shared_options.add_format(parser, FORMATS)
    shared_options.add_digits(parser)
    shared_options.add_policy_and_columns(parser)
    add_engine(parser, matches=False)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser, "no notes and no progress")


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.ranking_similarity import explain_similarity, similarity

    format_ = shared_options.chosen_format(options, FORMATS)
    shared_options.check_format(options, format_)
    first, *others = options.runs
    measures = shared_options.measure_names(options)
    data = shared_options.data_keywords(options, options.depth)
    with engine_keywords(options) as engine, progress_bar(1 + len(options.runs), options.quiet) as progress:
        keywords = {"progress": progress, **data, **engine}
        if options.explain is None:
            text = scores_text(similarity(first, others or None, measures, **keywords), format_, options)
        else:
            explained = explain_similarity(first, others or None, measures, options.explain, **keywords)
            text = explanations_text(explained, shared_options.format_of_explanation(options, format_), options)
    write(text, options.output)
