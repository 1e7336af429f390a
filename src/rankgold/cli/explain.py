"""`rankgold explain`: files of judgements and a run in, the derivation of a score out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from typing import TYPE_CHECKING

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_result_options, engine_keywords
from rankgold.cli.parser import Parser
from rankgold.output.registry import TEXT_OUTPUTS, written_documents
from rankgold.output.text import shown_document

if TYPE_CHECKING:
    from rankgold.output.result_forms import Printable

FORMATS = (*TEXT_OUTPUTS, "json")
USAGE = "[OPTIONS] QRELS [RUN] --query QUERY"
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold explain qrels.txt bm25.trec -m ap --query q18"""


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input(
        "run",
        metavar="RUN",
        nargs="?",
        help="The run, in the same formats; none if QRELS is a table that has grades and scores.",
    )
    parser.add_argument("-q", "--query", help="The query to explain; not needed if there is only one.")
    shared_options.add_measures(parser)
    shared_options.add_rel(parser)
    shared_options.add_topics(parser)
    shared_options.add_depth(parser)
    add_result_options(parser, FORMATS)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.declaration.dialect_measures import parse_in_dialect
    from rankgold.evaluation import match
    from rankgold.explanation import explain

    format_ = shared_options.chosen_format(options, FORMATS)
    data = shared_options.data_keywords(options, options.depth)
    dialect = data["policy"].dialect
    measures = [parse_in_dialect(name, dialect) for name in shared_options.measure_names(options) or ["ap"]]
    with engine_keywords(options) as engine, progress_bar(1, options.quiet) as progress:
        progress("reading and matching", 0.0, 0)
        hits = match(options.qrels, options.run, exclude=options.exclude, **data, **engine)
        explanations = [explain(hits, measure=measure, query=options.query, rel=options.rel) for measure in measures]
    write(explanations_text(explanations, format_, options), options.output)


def explanations_text(explanations: Sequence[Printable], format_: str, options: Namespace) -> str:
    """Explanations one after the other, in one of the formats; in JSON, in one list."""
    if format_ == "json":
        from rankgold.output.result_forms import json_text

        return json_text({"explanations": [explanation.to_dict() for explanation in explanations]}) + "\n"
    digits = 4 if options.digits is None else options.digits
    documents = [explanation.document(digits) for explanation in explanations]
    if format_ == "text" and options.output is None:
        return "\n".join(map(shown_document, documents))
    return written_documents(format_, documents)
