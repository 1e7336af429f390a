"""`rankgold diff`: files of judgements and two runs in; the queries and documents that make them differ out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_result_options, engine_keywords
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.cli.result_text import result_text

USAGE = "[OPTIONS] QRELS A B"
EXAMPLE = example_on_samples("rankgold diff qrels.txt bm25.trec expanded.trec -m ndcg@10 -n 3")


def add_arguments(parser: Parser) -> None:
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


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.comparison import diff

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    data = shared_options.data_keywords(options)
    texts = shared_options.read_texts(options.queries)
    with engine_keywords(options) as engine, progress_bar(1, options.quiet) as progress:
        progress("reading and matching", 0.0, 0)
        found = diff(options.qrels, options.a, options.b, options.measure, query_texts=texts, **data, **engine)
    write(result_text(found, format_, options, {"most": options.queries_shown}), options.output)
