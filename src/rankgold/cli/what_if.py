"""`rankgold what-if`: files of judgements and a run, and changes of them, in; every measure before and after out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.cli.result_text import result_text
from rankgold.errors import ComparisonError

USAGE = "[OPTIONS] QRELS RUN"
EXAMPLE = example_on_samples(
    "rankgold what-if qrels.txt bm25.trec --move q10 cake-01 1 -m ndcg@10,rr",
    "Documents are removed first, then moved, then added, each in the order given. All options may be repeated.",
)


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("run", metavar="RUN", help="The run, in the same formats.")
    place = "QUERY DOCUMENT RANK"
    for name, metavar, text in (
        ("--move", place, "Move a document to a rank."),
        ("--add", place, "Add a document at a rank."),
        ("--remove", "QUERY DOCUMENT", "Remove a document from the ranking."),
        ("--grade", "QUERY DOCUMENT GRADE", "Give a document a grade; none removes its judgement."),
    ):
        parser.add_argument(name, action="append", nargs=len(metavar.split()), metavar=metavar, help=text)
    shared_options.add_measurement(parser)
    shared_options.add_format(parser, shared_options.TABLE_FORMATS)
    shared_options.add_policy_and_columns(parser)
    shared_options.add_output(parser)


def run(options: Namespace) -> None:
    from rankgold.comparison import what_if

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    data = shared_options.data_keywords(options)
    found = what_if(
        options.qrels,
        options.run,
        shared_options.measure_names(options),
        move=_ranks(options.move),
        add=_ranks(options.add),
        remove=[(query, document) for query, document in options.remove or ()],
        grade={pair: _grade(text) for pair, text in _by_pair(options.grade).items()},
        **data,
    )
    write(result_text(found, format_, options), options.output)


def _ranks(given: list[list[str]] | None) -> dict[tuple[str, str], int]:
    ranks = _by_pair(given)
    try:
        return {pair: int(rank) for pair, rank in ranks.items()}
    except ValueError:
        raise ComparisonError("The rank after a query and a document must be a whole number from 1.") from None


def _by_pair(given: list[list[str]] | None) -> dict[tuple[str, str], str]:
    values: dict[tuple[str, str], str] = {}
    for query, document, value in given or ():
        if (query, document) in values:
            raise ComparisonError(f"Query {query!r} has two changes of one kind for {document!r}. Keep one of them.")
        values[query, document] = value
    return values


def _grade(text: str) -> float | None:
    try:
        return None if text == "none" else float(text)
    except ValueError:
        raise ComparisonError(
            f"The grade after a query and a document must be a number or none, not {text!r}."
        ) from None
