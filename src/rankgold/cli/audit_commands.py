"""Describes check, verify, doctor and reconcile."""

from __future__ import annotations

import sys
from argparse import Namespace

from rankgold.audit import Baseline, check, doctor, reconcile, verify
from rankgold.cli import shared_options
from rankgold.cli.command import add_options, add_output_options, engine_keywords, keywords, result_text
from rankgold.cli.console import write
from rankgold.cli.parser import Command, Parser, example_on_samples
from rankgold.core.errors import DataError

FORMATS = (*shared_options.TEXT_FORMATS, "junit")
CHECK_USAGE = "[OPTIONS] QRELS RUN"
CHECK_EXAMPLE = example_on_samples(
    "rankgold check qrels.txt expanded.trec --min ndcg@10=0.7 --baseline bm25.trec --max-drop ndcg@10=0.01",
    "Exit code: 0 if all thresholds hold, 1 if one fails, 2 for bad input.",
)


def add_check_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("run", metavar="RUN", help="The run to check, in the same formats.")
    add_options(parser, check)
    add_options(parser, Baseline, "other_judgements")
    shared_options.add_slices(parser)
    add_output_options(parser, FORMATS, quiet=None)
    parser.add_argument("--junit", metavar="FILE", help="Also write JUnit XML to FILE.")
    parser.add_argument("--summary", metavar="FILE", help="Also write a Markdown summary to FILE.")
    shared_options.add_quiet(parser)


def run_check(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar

    format_ = shared_options.chosen_format(options, FORMATS)
    chosen = {**keywords(options, check), "by": shared_options.chosen_slices(options)}
    if options.other_judgements:
        chosen["baseline"] = Baseline(options.baseline, other_judgements=True)
    with engine_keywords(options) as engine, progress_bar(3, options.quiet) as progress:
        found = check(options.qrels, options.run, progress=progress, **chosen, **engine)
    digits = shared_options.chosen_digits(options)
    if options.junit is not None:
        write(found.to_junit() + "\n", options.junit)
    if options.summary is not None:
        write(found.to_markdown(digits=digits) + "\n", options.summary)
    text = found.to_junit() + "\n" if format_ == "junit" else result_text(found, format_, options)
    write(text, options.output)
    if not found.holds:
        sys.exit(1)


VERIFY_USAGE = "[OPTIONS] SCORES QRELS [RUN...]"
VERIFY_EXAMPLE = example_on_samples(
    "rankgold evaluate qrels.txt bm25.trec -q -o /tmp/scores.json && rankgold verify /tmp/scores.json qrels.txt"
    " bm25.trec",
    "Exit code: 0 if nothing changed, 1 if anything did, 2 for bad input.",
)


def add_verify_arguments(parser: Parser) -> None:
    parser.add_input("scores", metavar="SCORES", help="Scores that `rankgold evaluate --save` wrote.")
    shared_options.add_files(parser)
    add_options(parser, verify)
    parser.add_argument(
        "--any-version",
        action="store_true",
        help="Accept another version of rankgold if nothing else changed and the scores are the same.",
    )
    add_output_options(parser, shared_options.TEXT_FORMATS)


def run_verify(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar

    format_ = shared_options.result_format(options, shared_options.TEXT_FORMATS)
    chosen = keywords(options, verify)
    with engine_keywords(options) as engine, progress_bar(1 + 2 * len(options.runs), options.quiet) as progress:
        found = verify(options.scores, options.qrels, options.runs or None, progress=progress, **chosen, **engine)
    write(result_text(found, format_, options), options.output)
    is_fine = found.unchanged or (options.any_version and found.same_scores and found.changed == ["version"])
    if not is_fine:
        sys.exit(1)


DOCTOR_USAGE = "[OPTIONS] QRELS [RUN...]"
DOCTOR_EXAMPLE = example_on_samples(
    "rankgold doctor qrels.txt bm25.trec --fail-on error",
    "Exit code: 0 if there are only notes, 1 with a warning, 2 with an error.",
)


def add_doctor_arguments(parser: Parser) -> None:
    shared_options.add_files(parser)
    add_options(parser, doctor)
    parser.add_argument(
        "--fail-on",
        choices=("warning", "error"),
        default="warning",
        help="Lowest severity that makes the exit code non-zero; default: warning.",
    )
    shared_options.add_format(parser, shared_options.TEXT_FORMATS, digits=False)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser)


def run_doctor(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar

    format_ = shared_options.chosen_format(options, shared_options.TEXT_FORMATS)
    chosen = keywords(options, doctor)
    with progress_bar(3, options.quiet) as progress:
        found = doctor(options.qrels, options.runs or None, progress=progress, **chosen)
    write(result_text(found, format_, options), options.output)
    if options.fail_on == "warning" or found.exit_code == 2:
        sys.exit(found.exit_code)


RECONCILE_USAGE = "[OPTIONS] QRELS RUN -m MEASURE --value NUMBER"
RECONCILE_EXAMPLE = example_on_samples("rankgold reconcile qrels.txt titles.trec -m ndcg@10 --value 0.4032")


def add_reconcile_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("run", metavar="RUN", help="The run that the number belongs to.")
    add_options(parser, reconcile)
    parser.add_argument(
        "-n",
        "--conventions-shown",
        type=shared_options.whole_number_from(1),
        default=10,
        metavar="N",
        help="Default: 10. JSON has all.",
    )
    shared_options.add_format(parser, shared_options.TEXT_FORMATS, digits=False)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser)


def run_reconcile(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar

    if options.value is None and options.per_query is None:
        raise DataError("there is no number to explain. Pass --value, --per-query or both.")
    format_ = shared_options.chosen_format(options, shared_options.TEXT_FORMATS)
    chosen = keywords(options, reconcile)
    with progress_bar(2, options.quiet) as progress:
        found = reconcile(options.qrels, options.run, progress=progress, **chosen)
    layout = {"most": options.conventions_shown, "distinction": options.per_query is not None}
    write(result_text(found, format_, options, layout), options.output)


COMMANDS = {
    "check": Command(CHECK_USAGE, CHECK_EXAMPLE, add_check_arguments, run_check),
    "verify": Command(VERIFY_USAGE, VERIFY_EXAMPLE, add_verify_arguments, run_verify),
    "doctor": Command(DOCTOR_USAGE, DOCTOR_EXAMPLE, add_doctor_arguments, run_doctor),
    "reconcile": Command(RECONCILE_USAGE, RECONCILE_EXAMPLE, add_reconcile_arguments, run_reconcile),
}
