"""`rankgold explain`: files of judgements and a run in, the derivation of a score out."""

from __future__ import annotations

from argparse import Namespace
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_result_options, engine_keywords
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.errors import DataError
from rankgold.output.registry import find_output

if TYPE_CHECKING:
    from rankgold.output.result_forms import Result
    from rankgold.scoring.scores import Scores

USAGE = "[OPTIONS] QRELS [RUN] --query QUERY"
EXAMPLE = example_on_samples("rankgold explain qrels.txt bm25.trec -m ap --query q18")


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input(
        "run",
        metavar="RUN",
        nargs="?",
        help="The run, in the same formats; leave it out if QRELS is a table with grades and scores.",
    )
    parser.add_argument("-q", "--query", help="The query to explain; not needed if there is only one.")
    shared_options.add_measurement(parser)
    add_result_options(parser, shared_options.TEXT_FORMATS)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.declaration.dialect_measures import parse_in_dialect
    from rankgold.scoring import explain, match

    format_ = shared_options.chosen_format(options, shared_options.TEXT_FORMATS)
    data = shared_options.data_keywords(options)
    dialect, rel = data["policy"].dialect, data.pop("rel")
    measures = [parse_in_dialect(name, dialect) for name in shared_options.measure_names(options) or ["ap"]]
    with engine_keywords(options) as engine, progress_bar(1, options.quiet) as progress:
        progress("reading and matching", 0.0, 0)
        hits = match(options.qrels, options.run, **data, **engine)
        explanations = [explain(hits, measure=measure, query=options.query, rel=rel) for measure in measures]
    write(explanations_text(explanations, format_, options), options.output)


def explanations_text(explanations: Sequence[Result], format_: str, options: Namespace) -> str:
    """Explanations one after the other, in one of the formats; in JSON, in one list."""
    chosen = find_output(format_)
    if chosen.for_machines:
        return chosen.write({"explanations": [explanation.to_dict() for explanation in explanations]})
    first, *others = (explanation.document(shared_options.chosen_digits(options)) for explanation in explanations)
    return shared_options.document_text(replace(first, following=others), format_, options)


def list_explanations_text(scores: Scores, query: object, format_: str, options: Namespace) -> str:
    """What `--explain` of exposure and similarity prints for every measure and run, of a query or user, or all lists.

    An error for options that do not fit.
    """
    if options.per_query:
        raise DataError("--per-query and --explain cannot be combined: --explain prints one query.")
    formats = ["table", *shared_options.TEXT_FORMATS[1:]]
    if format_ not in formats:
        raise DataError(f"--explain does not support the format {format_}. Choose one of {', '.join(formats)}.")
    explained = [scores.explain(query, measure, run=run) for measure in scores.measures.values() for run in scores.runs]
    return explanations_text(explained, format_, options)
