"""`rankgold explain`: files of judgements and a run in, the derivation of a score out."""

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
    data_keywords,
    measure_names,
)
from rankgold.output.registry import TEXT_OUTPUTS

USAGE = "[OPTIONS] QRELS RUN --query QUERY"
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold explain qrels.txt bm25.trec -m ap --query q18"""


def add_arguments(parser: Parser) -> None:
    add_qrels(parser)
    parser.add_argument("run", metavar="RUN", help="The run, in the same formats.")
    parser.add_argument("--query", required=True, help="The query to explain (required).")
    add_measures(parser)
    parser.add_argument(
        "-f", "--format", choices=tuple(TEXT_OUTPUTS), default="text", help="Output format; default: text."
    )
    parser.add_argument("--digits", type=_digits, default=4, metavar="1-17", help="Decimals of numbers; default: 4.")
    add_policy_and_columns(parser)
    add_output(parser)


def _digits(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 17:
        raise argparse.ArgumentTypeError(f"a number from 1 to 17 is needed, not {text!r}")
    return int(text)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.evaluation import match
    from rankgold.explanation import explain
    from rankgold.explanation.document import explanation_document
    from rankgold.measures import parse

    check_writable(options.output, (options.qrels, options.run))
    measures = [parse(name) for name in measure_names(options) or ["ap"]]
    with progress_bar(1) as progress:
        progress("reading and matching", 0.0, 0)
        hits = match(options.qrels, options.run, **data_keywords(options))
        explanations = [explain(hits, measure=measure, query=options.query) for measure in measures]
    documents = [explanation_document(explanation, options.digits) for explanation in explanations]
    write("\n".join(map(TEXT_OUTPUTS[options.format], documents)), options.output)
