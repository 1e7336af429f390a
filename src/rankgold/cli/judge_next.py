"""`rankgold judge-next`: files of judgements and runs in, a sheet with the documents worth judging first out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.parser import Parser
from rankgold.cli.sheet_text import add_sheet_format, sheet_format, sheet_text
from rankgold.cli.text_files import add_texts, read_texts

USAGE = "[OPTIONS] QRELS RUN... [-o SHEET]"
EXAMPLE = """Fill in the column of grades; rows without one are skipped when the sheet is read:

  rankgold merge-qrels qrels.txt sheet.csv -o more.qrels

Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold judge-next qrels.txt bm25.trec titles.trec -m ndcg@10 -n 5"""


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("runs", metavar="RUN", nargs="+", help="One or more runs, in the same formats.")
    parser.add_argument("-m", "--measure", default="ndcg@10", metavar="MEASURE", help="Default: ndcg@10.")
    parser.add_argument(
        "-n", "--count", type=shared_options.whole_number, default=100, metavar="N", help="Documents; default: 100."
    )
    parser.add_argument("--baseline", metavar="NAME", help="Only differences from this run count; default: all pairs.")
    parser.add_argument(
        "--max-grade", type=shared_options.real_number, metavar="GRADE", help="Default: that of the judgements."
    )
    add_texts(parser)
    shared_options.add_topics(parser)
    shared_options.add_depth(parser)
    add_sheet_format(parser)
    shared_options.add_policy_and_columns(parser)
    shared_options.add_exclude(parser)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser, "no progress")


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.judging.next_documents import judge_next

    format_ = sheet_format(options)
    data = shared_options.data_keywords(options, options.depth)
    texts = {name: None if path is None else read_texts(path) for name, path in _texts(options).items()}
    with progress_bar(1, options.quiet) as progress:
        progress("trying documents", 0.0, 0)
        found = judge_next(
            options.qrels,
            options.runs,
            options.measure,
            n=options.count,
            baseline=options.baseline,
            max_grade=options.max_grade,
            exclude=options.exclude,
            **texts,
            **data,
        )
    write(sheet_text(found, format_, options), options.output)


def _texts(options: Namespace) -> dict[str, str | None]:
    return {"queries": options.queries, "docs": options.docs}
