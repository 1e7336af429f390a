"""`rankgold plan`: the arguments of the shell in, the plan of an engine out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli.destination import check_writable, write
from rankgold.cli.engine_options import add_engine, engine_keywords
from rankgold.cli.parser import Parser
from rankgold.cli.shared_options import (
    add_measures,
    add_output,
    add_policy_and_columns,
    add_qrels,
    add_runs,
    data_keywords,
    measure_names,
)

USAGE = "[OPTIONS] QRELS RUN..."
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold plan qrels.txt bm25.trec -m ndcg@10"""


def add_arguments(parser: Parser) -> None:
    add_qrels(parser)
    add_runs(parser)
    add_measures(parser)
    parser.add_argument("-q", "--per-query", action="store_true", help="The plan for the values of every query.")
    add_policy_and_columns(parser)
    add_engine(parser)
    add_output(parser)


def run(options: Namespace) -> None:
    from rankgold.evaluation import plan

    check_writable(options.output, (options.qrels, *options.runs))
    data = data_keywords(options)
    with engine_keywords(options) as engine:
        text = plan(options.qrels, options.runs, measure_names(options), **data, **engine)
    write(text.rstrip("\n") + "\n", options.output)
