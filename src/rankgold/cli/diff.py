"""`rankgold diff`: files of judgements and two runs in; the queries and documents that make them differ out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_result_options, engine_keywords
from rankgold.cli.parser import Parser
from rankgold.cli.result_text import FORMATS, result_text
from rankgold.cli.text_files import FORM, read_texts

USAGE = "[OPTIONS] QRELS A B"
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold diff qrels.txt bm25.trec expanded.trec -m ndcg@10 -n 3"""


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("a", metavar="A", help="The run before, in the same formats.")
    parser.add_input("b", metavar="B", help="The run after.")
    parser.add_argument("-m", "--measure", default="ndcg@10", metavar="MEASURE", help="Default: ndcg@10.")
    shared_options.add_rel(parser)
    shared_options.add_topics(parser)
    shared_options.add_depth(parser)
    parser.add_argument(
        "-n",
        "--queries-shown",
        type=shared_options.count_from_zero,
        default=5,
        metavar="N",
        help="Queries shown that lost most and that gained most; default: 5. JSON and CSV have all.",
    )
    parser.add_input("--queries", metavar="FILE", help=f"The text of queries: {FORM}.")
    add_result_options(parser, FORMATS)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.comparison.run_diff import diff

    format_ = shared_options.chosen_format(options, FORMATS)
    shared_options.check_format(options, format_)
    data = shared_options.data_keywords(options, options.depth)
    queries = None if options.queries is None else read_texts(options.queries)
    with engine_keywords(options) as engine, progress_bar(1, options.quiet) as progress:
        progress("reading and matching", 0.0, 0)
        keywords = {**data, **engine, "queries": queries, "rel": options.rel, "exclude": options.exclude}
        found = diff(options.qrels, options.a, options.b, options.measure, **keywords)
    choices = {} if format_ == "json" else {"most": options.queries_shown}
    write(result_text(found, format_, options, **choices), options.output)
