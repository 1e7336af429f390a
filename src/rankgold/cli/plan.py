"""`rankgold plan`: the arguments of the shell in, the plan of an engine out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import check_writable, write
from rankgold.cli.engine_options import add_engine, engine_given
from rankgold.cli.parser import Parser

USAGE = "[OPTIONS] QRELS RUN..."
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold plan qrels.txt bm25.trec -m ndcg@10"""


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_argument("runs", metavar="RUN", nargs="+", help="One or more runs, in the same formats.")
    shared_options.add_measures(parser)
    parser.add_argument("-q", "--per-query", action="store_true", help="The plan for the values of every query.")
    shared_options.add_policy_and_columns(parser)
    add_engine(parser)
    shared_options.add_output(parser)


def run(given: Namespace) -> None:
    from rankgold.evaluation import plan

    check_writable(given.output, (given.qrels, *given.runs))
    measures, matching = shared_options.measures_given(given.measure), shared_options.matching_given(given)
    with engine_given(given) as engine:
        text = plan(given.qrels, given.runs, measures, **matching, **engine)
    write(text.rstrip("\n") + "\n", given.output)
