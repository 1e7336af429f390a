"""`rankgold judge-next`: files of judgements and runs in, a sheet with the documents worth judging first out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.cli.sheet_text import add_sheet_format, sheet_format, sheet_text

USAGE = "[OPTIONS] QRELS RUN... [-o SHEET]"
EXAMPLE = example_on_samples(
    "rankgold judge-next qrels.txt bm25.trec titles.trec -m ndcg@10 -n 5",
    "Fill in the column of grades; rows without one are skipped when the sheet is read:",
    "  rankgold merge-qrels qrels.txt sheet.csv -o more.qrels",
)


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("runs", metavar="RUN", nargs="+", help="One or more runs, in the same formats.")
    shared_options.add_single_measure(parser)
    parser.add_argument(
        "-n", "--count", type=shared_options.whole_number, default=100, metavar="N", help="Documents; default: 100."
    )
    shared_options.add_baseline(parser, "Consider only differences from this run")
    parser.add_argument(
        "--max-grade", type=shared_options.real_number, metavar="GRADE", help="Default: that of the judgements."
    )
    shared_options.add_texts(parser)
    shared_options.add_topics_and_depth(parser)
    add_sheet_format(parser)
    shared_options.add_policy_and_columns(parser)
    shared_options.add_exclude(parser)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.judging import judge_next

    format_ = sheet_format(options)
    data = shared_options.data_keywords(options)
    with progress_bar(1, options.quiet) as progress:
        progress("trying documents", 0.0, 0)
        found = judge_next(
            options.qrels,
            options.runs,
            options.measure,
            n=options.count,
            baseline=options.baseline,
            max_grade=options.max_grade,
            query_texts=shared_options.read_texts(options.queries),
            doc_texts=shared_options.read_texts(options.docs),
            **data,
        )
    write(sheet_text(found, format_, options), options.output)
