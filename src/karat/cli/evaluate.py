"""`karat evaluate`."""

from __future__ import annotations

from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from karat.cli.options import Columns, Measures, Output, PolicyOption, Qrels, columns_given, measures_given
from karat.cli.output import check_writable, in_colour, write

if TYPE_CHECKING:
    from karat.scores import Scores


class Format(StrEnum):
    """How scores are printed."""

    table = "table"
    json = "json"
    csv = "csv"
    markdown = "markdown"
    latex = "latex"
    trec_eval = "trec_eval"


def command(
    qrels: Qrels,
    runs: Annotated[list[str], typer.Argument(metavar="RUN...", help="One or more runs, in the same formats.")],
    measure: Measures = None,
    per_query: Annotated[bool, typer.Option("--per-query", "-q", help="Every query's values too.")] = False,
    format_: Annotated[Format, typer.Option("--format", "-f", help="How the scores are printed.")] = Format.table,
    policy: PolicyOption = None,
    column: Columns = None,
    output: Output = None,
) -> None:
    """Evaluates one or more runs against judgements.

    Example, on the sample data that come with karat:

    \b
    cd "$(karat demo --path)" && karat evaluate qrels.txt bm25.trec -m ndcg@10 -m ap
    """
    from karat.cli.progress import watched
    from karat.evaluation import evaluate
    from karat.policy import Policy

    check_writable(output, (qrels, *runs))
    chosen = Policy.of(*(policy or ()))
    with watched(1 + 2 * len(runs)) as progress:
        scores = evaluate(
            qrels, runs, measures_given(measure), policy=chosen, columns=columns_given(column), progress=progress
        )
    write(rendered(scores, format_, per_query, colour=output is None and in_colour()), output)


def rendered(scores: Scores, format_: Format, per_query: bool, *, colour: bool = False) -> str:
    """The scores in one of the formats."""
    match format_:
        case Format.json:
            return scores.to_json(per_query=per_query) + "\n"
        case Format.csv:
            return scores.to_csv(per_query=per_query)
        case Format.markdown:
            return scores.to_markdown(per_query=per_query)
        case Format.latex:
            return scores.to_latex(per_query=per_query)
        case Format.trec_eval:
            return scores.to_trec_eval(per_query=per_query)
        case Format.table:
            from karat.terminal import table

            return table(scores, per_query, colour=colour)
