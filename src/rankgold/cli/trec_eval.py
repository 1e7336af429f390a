"""`rankgold trec_eval`: the arguments of trec_eval in, what it prints out."""

from __future__ import annotations

from argparse import ArgumentTypeError, Namespace

from rankgold.cli.destination import write
from rankgold.cli.parser import Parser
from rankgold.cli.shared_options import whole_number

FORMATS = ("qrels", "prefs", "qrels_prefs", "qrels_jg")
USAGE = "[OPTIONS] QRELS RUN"
EXAMPLE = """The options are those of trec_eval 10; its long help is not repeated here.

Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold trec_eval -q -m ndcg_cut.5,10 -m map qrels.txt bm25.trec"""


def add_arguments(parser: Parser) -> None:
    parser.add_input("qrels", metavar="QRELS", help="The judgements, in TREC's format.")
    parser.add_input("run", metavar="RUN", help="The run, in TREC's format.")
    parser.add_argument(
        "-m", "--measure", action="append", default=[], metavar="NAME[.PARAMETERS]",
        help="A measure such as map or P.5,10, or official, set, all_trec; may be repeated. Default: official.",
    )  # fmt: skip
    flags = {
        ("-q", "--query_eval_wanted"): "Print each query, too.",
        ("-n", "--nosummary"): "Print no lines for all queries.",
        ("-c", "--complete_rel_info_wanted"): "Average over all judged queries, also those that the run does not have.",
        ("-J", "--Judged_docs_only"): "Take documents without a judgement out of the lists.",
    }
    for names, text in flags.items():
        parser.add_argument(*names, action="store_true", help=text)
    numbers = {
        ("-l", "--level_for_rel"): (1, "The lowest grade that is relevant; default: 1."),
        ("-M", "--Max_retrieved_per_topic"): (None, "Only so many documents of each query count; default: all."),
        ("-N", "--Number_docs_in_coll"): (0, "The number of documents in the collection, for utility; default: 0."),
    }
    for names, (default, text) in numbers.items():
        kind = _documents if "-M" in names else whole_number
        parser.add_argument(*names, type=kind, default=default, metavar="N", help=text)
    parser.add_argument(
        "-R",
        "--Rel_info_format",
        choices=FORMATS,
        default="qrels",
        help="The format of the judgements; default: qrels.",
    )
    parser.add_argument("--version9", action="store_true", help="Print what trec_eval 9.0.8 prints.")


def _documents(text: str) -> int:
    if not (text.isascii() and text.isdecimal() and int(text)):
        raise ArgumentTypeError(f"a whole number from 1 is needed, not {text!r}")
    return int(text)


def run(options: Namespace) -> None:
    from rankgold.compat.trec_eval.collection import Depth
    from rankgold.compat.trec_eval.evaluation import evaluation_text
    from rankgold.compat.trec_eval.names import Settings
    from rankgold.compat.trec_eval.report import Report

    text = evaluation_text(
        options.qrels,
        options.run,
        options.measure or ["official"],
        Settings(
            options.level_for_rel, options.Number_docs_in_coll, options.Rel_info_format, 9 if options.version9 else 10
        ),
        Depth(options.Max_retrieved_per_topic, options.Judged_docs_only, 32 if options.version9 else 64),
        Report(options.query_eval_wanted, not options.nosummary, options.complete_rel_info_wanted),
    )
    write(text, None)
