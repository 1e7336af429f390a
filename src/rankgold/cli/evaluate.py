"""`rankgold evaluate`: files of judgements and runs in, scores out."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING

from rankgold.cli import shared_options
from rankgold.cli.destination import in_colour, write
from rankgold.cli.engine_options import add_engine, engine_keywords
from rankgold.cli.parser import Parser
from rankgold.errors import DataError
from rankgold.output.registry import TABLE_OUTPUTS

if TYPE_CHECKING:
    from rankgold.scoring.scores import Scores

FORMATS = ("table", "json", *TABLE_OUTPUTS, "trec_eval")
USAGE = "[OPTIONS] QRELS [RUN...]"
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold evaluate qrels.txt bm25.trec -m ndcg@10 -m ap"""


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    shared_options.add_runs(parser)
    shared_options.add_measures(parser)
    parser.add_argument("-q", "--per-query", action="store_true", help="Print the values of each query too.")
    parser.add_argument("-f", "--format", choices=FORMATS, default="table", help="Output format; default: table.")
    parser.add_argument(
        "--raw-ids",
        action="store_true",
        help="CSV: leave ids unchanged, even if a spreadsheet would take them for formulas.",
    )
    shared_options.add_policy_and_columns(parser)
    add_engine(parser)
    shared_options.add_output(parser)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.evaluation import evaluate

    qrels, runs = options.qrels, options.runs
    if options.raw_ids and options.format != "csv":
        raise DataError("--raw-ids is for CSV. Add --format csv, or leave it out.")
    data = shared_options.data_keywords(options)
    with engine_keywords(options) as engine, progress_bar(1 + 2 * len(runs)) as progress:
        scores = evaluate(
            qrels, runs or None, shared_options.measure_names(options), progress=progress, **data, **engine
        )
    colour = options.output is None and in_colour()
    text = scores_text(scores, options.format, options.per_query, colour=colour, raw_ids=options.raw_ids)
    write(text, options.output)


def scores_text(scores: Scores, format_: str, per_query: bool, *, colour: bool = False, raw_ids: bool = False) -> str:
    """The scores in one of the formats; a table may be in colour."""
    from rankgold.scoring.score_document import score_document

    if format_ == "json":
        return scores.to_json(per_query=per_query) + "\n"
    if format_ == "trec_eval":
        return scores.to_trec_eval(per_query=per_query)
    document = score_document(scores, per_query=per_query, raw_ids=raw_ids)
    if format_ != "table":
        return TABLE_OUTPUTS[format_](document)
    from rankgold.output.terminal import terminal_tables
    from rankgold.output.text import text_document

    return terminal_tables(document) if colour else text_document(document)
