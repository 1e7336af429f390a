"""`rankgold plan`: the arguments of the shell in, the plan of an engine out."""

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_engine, engine_keywords
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.output.text import plain

USAGE = "[OPTIONS] QRELS [RUN...]"
EXAMPLE = example_on_samples("rankgold plan qrels.txt bm25.trec -m ndcg@10")


def add_arguments(parser: Parser) -> None:
    shared_options.add_evaluation(parser)
    parser.add_argument("-q", "--per-query", action="store_true", help="Plan for the values of every query.")
    shared_options.add_policy_and_columns(parser)
    shared_options.add_exclude(parser)
    add_engine(parser)
    shared_options.add_output(parser)


def run(options: Namespace) -> None:
    from rankgold.scoring import plan

    data = shared_options.data_keywords(options)
    with engine_keywords(options) as engine:
        measures = shared_options.measure_names(options)
        text = plan(options.qrels, options.runs or None, measures, **data, **engine)
    write("\n".join(map(plain, text.rstrip("\n").split("\n"))) + "\n", options.output)
