"""`karat evaluate`."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from karat.cli.engine import add_engine, engine_given
from karat.cli.options import (
    add_measures,
    add_output,
    add_policy_and_columns,
    add_qrels,
    columns_given,
    measures_given,
)
from karat.cli.output import check_writable, in_colour, write
from karat.cli.parser import Parser

if TYPE_CHECKING:
    from karat.scores import Scores

FORMATS = ("table", "json", "csv", "markdown", "latex", "trec_eval")
USAGE = "[OPTIONS] QRELS RUN..."
EXAMPLE = """Example, on the sample data that come with karat:

  cd "$(karat demo --path)" && karat evaluate qrels.txt bm25.trec -m ndcg@10 -m ap"""


def add_arguments(parser: Parser) -> None:
    add_qrels(parser)
    parser.add_argument("runs", metavar="RUN", nargs="+", help="One or more runs, in the same formats.")
    add_measures(parser)
    parser.add_argument("-q", "--per-query", action="store_true", help="Every query's values too.")
    parser.add_argument(
        "-f", "--format", choices=FORMATS, default="table", help="How the scores are printed; a table unless told."
    )
    add_policy_and_columns(parser)
    add_engine(parser)
    add_output(parser)


def run(given: Namespace) -> None:
    from karat.cli.progress import watched
    from karat.evaluation import evaluate
    from karat.policy import Policy

    check_writable(given.output, (given.qrels, *given.runs))
    chosen = Policy.of(*(given.policy or ()))
    with watched(1 + 2 * len(given.runs)) as progress, engine_given(given) as engine:
        scores = evaluate(
            given.qrels,
            given.runs,
            measures_given(given.measure),
            policy=chosen,
            columns=columns_given(given.column),
            progress=progress,
            per_query=given.per_query or given.engine != "spark",
            **engine,
        )
    colour = given.output is None and in_colour()
    write(rendered(scores, given.format, given.per_query, colour=colour), given.output)


def rendered(scores: Scores, format_: str, per_query: bool, *, colour: bool = False) -> str:
    """The scores in one of the formats."""
    match format_:
        case "json":
            return scores.to_json(per_query=per_query) + "\n"
        case "csv":
            return scores.to_csv(per_query=per_query)
        case "markdown":
            return scores.to_markdown(per_query=per_query)
        case "latex":
            return scores.to_latex(per_query=per_query)
        case "trec_eval":
            return scores.to_trec_eval(per_query=per_query)
        case _ if colour:
            from karat.terminal import table

            return table(scores, per_query)
        case _:
            from karat.rendering import text_with_notes

            return text_with_notes(scores, per_query)
