"""`rankgold reconcile`: files of judgements and a run, a measure and a number in; the conventions that give it out."""

from __future__ import annotations

from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.cli.result_text import result_text
from rankgold.errors import DataError

USAGE = "[OPTIONS] QRELS RUN -m MEASURE --value NUMBER"
EXAMPLE = example_on_samples("rankgold reconcile qrels.txt titles.trec -m ndcg@10 --value 0.4032")


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("run", metavar="RUN", help="The run that the number belongs to.")
    shared_options.add_single_measure(parser)
    parser.add_argument(
        "--value", metavar="NUMBER", help="The number to explain, with all the digits that are known: 0.4120 has four."
    )
    parser.add_input(
        "--per-query",
        metavar="FILE",
        help="The values of queries: what trec_eval -q prints, or CSV, JSON or Parquet of any tool.",
    )
    parser.add_argument(
        "-n",
        "--conventions-shown",
        type=shared_options.whole_number_from(1),
        default=10,
        metavar="N",
        help="Default: 10. JSON has all.",
    )
    parser.add_argument("--exhaustive", action="store_true", help="Also try pairs of deviations if one is enough.")
    shared_options.add_format(parser, shared_options.TEXT_FORMATS, digits=False)
    shared_options.add_policy_and_columns(parser)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.reconciliation import reconcile

    if options.value is None and options.per_query is None:
        raise DataError("there is no number to explain. Pass --value, --per-query or both.")
    format_ = shared_options.chosen_format(options, shared_options.TEXT_FORMATS)
    data = shared_options.data_keywords(options)
    with progress_bar(2, options.quiet) as progress:
        found = reconcile(
            options.qrels,
            options.run,
            options.measure,
            options.value,
            per_query=options.per_query,
            exhaustive=options.exhaustive,
            progress=progress,
            **data,
        )
    layout = {"most": options.conventions_shown, "distinction": options.per_query is not None}
    write(result_text(found, format_, options, layout), options.output)
