"""`rankgold explain`."""

from __future__ import annotations

import argparse
from argparse import Namespace

from rankgold.cli.destination import check_writable, write
from rankgold.cli.parser import Parser
from rankgold.cli.shared_options import (
    add_measures,
    add_output,
    add_policy_and_columns,
    add_qrels,
    columns_given,
    measures_given,
)

FORMATS = ("text", "markdown", "html")
USAGE = "[OPTIONS] QRELS RUN --query QUERY"
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold explain qrels.txt bm25.trec -m ap --query q18"""


def add_arguments(parser: Parser) -> None:
    add_qrels(parser)
    parser.add_argument("run", metavar="RUN", help="The run, in the same formats.")
    parser.add_argument("--query", required=True, help="The query whose number is explained; always needed.")
    add_measures(parser)
    parser.add_argument(
        "-f", "--format", choices=FORMATS, default="text", help="How the explanation is printed; as text unless told."
    )
    parser.add_argument("--digits", type=_digits, default=4, metavar="1-17", help="Decimals shown; 4 unless told.")
    add_policy_and_columns(parser)
    add_output(parser)


def _digits(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 17:
        raise argparse.ArgumentTypeError(f"a number from 1 to 17 is needed, not {text!r}")
    return int(text)


def run(given: Namespace) -> None:
    from rankgold.cli.progress import watched
    from rankgold.evaluation import match
    from rankgold.explanation import explain
    from rankgold.measures import parse
    from rankgold.policy import Policy

    check_writable(given.output, (given.qrels, given.run))
    chosen = [parse(one) for one in measures_given(given.measure) or ["ap"]]
    with watched(1) as progress:
        progress("reading and matching", 0.0, 0)
        policy = Policy.of(*(given.policy or ()))
        hits = match(given.qrels, given.run, policy=policy, columns=columns_given(given.column))
        explanations = [explain(hits, measure=one, query=given.query) for one in chosen]
    write("\n".join(_rendered(one, given.format, given.digits) for one in explanations), given.output)


def _rendered(explanation: object, format_: str, digits: int) -> str:
    text: str = getattr(explanation, f"to_{format_}")(digits=digits)
    return text.rstrip("\n") + "\n"
