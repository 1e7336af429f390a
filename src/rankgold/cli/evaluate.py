"""`rankgold evaluate`."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from rankgold.cli.destination import check_writable, in_colour, write
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

if TYPE_CHECKING:
    from rankgold.scoring.scores import Scores

FORMATS = ("table", "json", "csv", "markdown", "latex", "trec_eval")
USAGE = "[OPTIONS] QRELS RUN..."
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold evaluate qrels.txt bm25.trec -m ndcg@10 -m ap"""


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
    from rankgold.cli.progress import watched
    from rankgold.evaluation import evaluate
    from rankgold.policy import Policy

    check_writable(given.output, (given.qrels, *given.runs))
    chosen = Policy.of(*(given.policy or ()))
    with engine_given(given) as engine, watched(1 + 2 * len(given.runs)) as progress:
        scores = evaluate(
            given.qrels,
            given.runs,
            measures_given(given.measure),
            policy=chosen,
            columns=columns_given(given.column),
            progress=progress,
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
            from rankgold.output.terminal import table

            return table(scores, per_query)
        case _:
            from rankgold.output.rendering import text_with_notes

            return text_with_notes(scores, per_query)
