"""`rankgold plan`: the arguments of the shell in, the plan of an engine out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli.destination import check_writable, write
from rankgold.cli.engine_options import add_engine, engine_given
from rankgold.cli.parser import Parser
from rankgold.cli.shared_options import (
    add_measures,
    add_output,
    add_policy_and_columns,
    add_qrels,
    columns_given,
    measures_given,
)

USAGE = "[OPTIONS] QRELS RUN..."
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold plan qrels.txt bm25.trec -m ndcg@10"""


def add_arguments(parser: Parser) -> None:
    add_qrels(parser)
    parser.add_argument("runs", metavar="RUN", nargs="+", help="One or more runs, in the same formats.")
    add_measures(parser)
    parser.add_argument("-q", "--per-query", action="store_true", help="The plan for the values of every query.")
    add_policy_and_columns(parser)
    add_engine(parser)
    add_output(parser)


def run(given: Namespace) -> None:
    from rankgold.evaluation import plan
    from rankgold.policy import Policy

    check_writable(given.output, (given.qrels, *given.runs))
    with engine_given(given) as engine:
        text = plan(
            given.qrels,
            given.runs,
            measures_given(given.measure),
            policy=Policy.of(*(given.policy or ())),
            columns=columns_given(given.column),
            **engine,
        )
    write(text.rstrip("\n") + "\n", given.output)
