"""`rankgold pool`: files of runs in, a sheet with the documents in their first places out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.cli.sheet_text import add_sheet_format, sheet_format, sheet_text

USAGE = "[OPTIONS] RUN... [-o SHEET]"
EXAMPLE = example_on_samples("rankgold pool bm25.trec titles.trec --depth 5 --qrels qrels.txt -o /tmp/pool.csv")


def add_arguments(parser: Parser) -> None:
    parser.add_input("runs", metavar="RUN", nargs="+", help="One or more runs, in any format that evaluate reads.")
    parser.add_argument(
        "--depth",
        type=shared_options.whole_number_from(1),
        default=10,
        metavar="K",
        help="The first K documents of each run are in the pool; default: 10.",
    )
    parser.add_input("--qrels", metavar="QRELS", help="Existing judgements: the sheet has their grades.")
    parser.add_argument("--unjudged", action="store_true", help="Only unjudged documents; needs --qrels.")
    shared_options.add_texts(parser)
    add_sheet_format(parser)
    shared_options.add_policy_and_columns(parser)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser, "nothing about the size of the pool when it is written to FILE")


def run(options: Namespace) -> None:
    from rankgold.errors import DataError
    from rankgold.judging import pool

    format_ = sheet_format(options)
    if options.unjudged and options.qrels is None:
        raise DataError("--unjudged needs --qrels, which says what is judged.")
    data = shared_options.data_keywords(options)
    found = pool(
        options.runs,
        k=options.depth,
        qrels=options.qrels,
        query_texts=shared_options.read_texts(options.queries),
        doc_texts=shared_options.read_texts(options.docs),
        **data,
    )
    write(sheet_text(found.without_grades() if options.unjudged else found, format_, options), options.output)
    if not options.quiet and options.output is not None:
        write(f"{found.about}\n", None)
