"""`rankgold report`: files of judgements and runs in, an HTML file out that answers the questions of a meeting."""

from __future__ import annotations

from argparse import Namespace
from typing import Any

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_engine, engine_keywords
from rankgold.cli.parser import Parser, example_on_samples

USAGE = "[OPTIONS] QRELS RUN... -o FILE"
EXAMPLE = example_on_samples("rankgold report qrels.txt *.trec --queries queries.tsv -o /tmp/report.html")


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input(
        "runs",
        metavar="RUN",
        nargs="+",
        help="One or more runs, in the same formats; or a pattern such as 'runs/*.trec'.",
    )
    shared_options.add_measures(parser)
    shared_options.add_baseline(parser)
    shared_options.add_texts(parser)
    shared_options.add_slices(parser)
    parser.add_argument("--title", help="The title of the report; default: the names of the runs.")
    parser.add_argument(
        "--top",
        type=shared_options.whole_number,
        default=20,
        metavar="N",
        help="How many ranks are shown; default: 20.",
    )
    parser.add_argument("--no-charts", action="store_true", help="Leave out the charts that need Altair.")
    parser.add_argument(
        "--megabytes",
        type=shared_options.real_number,
        default=15.0,
        metavar="N",
        help="Maximum file size in MB; the file lists what was left out. Default: 15.",
    )
    parser.add_argument(
        "--draws",
        type=shared_options.whole_number,
        metavar="N",
        help="Random draws of tests and intervals; default: as in compare.",
    )
    shared_options.add_seed(parser, "Seed of random draws")
    shared_options.add_rel(parser)
    shared_options.add_topics(parser)
    shared_options.add_policy_and_columns(parser)
    shared_options.add_exclude(parser)
    add_engine(parser, matches=False)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.comparison import Randomization
    from rankgold.html_report import Page, report

    data = shared_options.data_keywords(options)
    chosen: dict[str, Any] = {"baseline": options.baseline, "seed": options.seed}
    chosen |= {"query_texts": options.queries, "doc_texts": options.docs, "by": shared_options.chosen_slices(options)}
    chosen["page"] = Page(options.title, options.top, not options.no_charts, options.megabytes)
    if options.draws is not None:
        chosen["test"] = Randomization(options.draws)
    measures = shared_options.measure_names(options)
    with engine_keywords(options) as engine, progress_bar(7, options.quiet) as progress:
        keywords = {**chosen, **data, **engine}
        found = report(options.qrels, options.runs, measures=measures, progress=progress, **keywords)
    write(found.html, options.output)
