"""`rankgold doctor`: files of judgements and runs in; what is wrong with them, and what it moves, out."""

from __future__ import annotations

import sys
from argparse import ArgumentTypeError, Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.cli.result_text import result_text

USAGE = "[OPTIONS] QRELS [RUN...]"
EXAMPLE = example_on_samples(
    "rankgold doctor qrels.txt bm25.trec --fail-on error",
    "Exit code: 0 if there are only notes, 1 with a warning, 2 with an error.",
)


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    shared_options.add_runs(parser)
    shared_options.add_measures(parser)
    shared_options.add_rel(parser)
    parser.add_input(
        "--train",
        metavar="FILE",
        help="What users already had: a table of users and items, judgements or a run. Should not be recommended.",
    )
    parser.add_argument(
        "--scale", type=_scale, metavar="LOW,HIGH", help="Lowest and highest grade of the scale, such as 0,3."
    )
    parser.add_argument("--ignore", action="append", metavar="CHECK", help="Check to skip. May be repeated.")
    parser.add_argument(
        "--fail-on",
        choices=("warning", "error"),
        default="warning",
        help="Lowest severity that makes the exit code non-zero; default: warning.",
    )
    shared_options.add_format(parser, shared_options.TEXT_FORMATS, digits=False)
    shared_options.add_policy_and_columns(parser)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.diagnosis import doctor

    format_ = shared_options.chosen_format(options, shared_options.TEXT_FORMATS)
    data = shared_options.data_keywords(options)
    with progress_bar(3, options.quiet) as progress:
        found = doctor(
            options.qrels,
            options.runs or None,
            shared_options.measure_names(options),
            train=options.train,
            scale=options.scale,
            ignore=options.ignore or (),
            progress=progress,
            **data,
        )
    write(result_text(found, format_, options), options.output)
    if options.fail_on == "warning" or found.exit_code == 2:
        sys.exit(found.exit_code)


def _scale(text: str) -> tuple[float, float]:
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ArgumentTypeError(f"must be two numbers, such as 0,3, not {text!r}") from None
    return low, high
