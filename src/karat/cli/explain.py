"""`karat explain`."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

import typer

from karat.cli.options import Columns, Measures, Output, PolicyOption, Qrels, columns_given, measures_given
from karat.cli.output import check_writable, write


class Format(StrEnum):
    """How an explanation is printed."""

    text = "text"
    markdown = "markdown"
    html = "html"


def command(
    qrels: Qrels,
    run: Annotated[str, typer.Argument(metavar="RUN", help="The run, in the same formats.")],
    query: Annotated[str, typer.Option("--query", help="The query whose number is explained.")],
    measure: Measures = None,
    format_: Annotated[Format, typer.Option("--format", "-f", help="How the explanation is printed.")] = Format.text,
    digits: Annotated[int, typer.Option(min=1, max=17, help="Decimals shown.")] = 4,
    policy: PolicyOption = None,
    column: Columns = None,
    output: Output = None,
) -> None:
    """Shows the working behind a measure of one query: every term, the sum, the norm.

    Example, on the sample data that come with karat:

    \b
    cd "$(karat demo --path)" && karat explain qrels.txt bm25.trec -m ap --query q18
    """
    from karat.cli.progress import watched
    from karat.explanation import explain
    from karat.names import parse
    from karat.pipeline import match
    from karat.policy import Policy

    check_writable(output, (qrels, run))
    chosen = [parse(one) for one in measures_given(measure) or ["ap"]]
    with watched(1) as progress:
        progress("reading and matching", 0.0, 0)
        hits = match(qrels, run, policy=Policy.of(*(policy or ())), columns=columns_given(column))
        explanations = [explain(hits, measure=one, query=query) for one in chosen]
    write("\n".join(_rendered(one, format_, digits) for one in explanations), output)


def _rendered(explanation: object, format_: Format, digits: int) -> str:
    text: str = getattr(explanation, f"to_{format_.value}")(digits=digits)
    return text.rstrip("\n") + "\n"
