"""Describes check, verify, doctor and reconcile."""

from __future__ import annotations

import sys
from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.console import write
from rankgold.cli.engine_options import add_result_options, engine_keywords, result_text
from rankgold.cli.parser import Command, Parser, example_on_samples
from rankgold.core.errors import DataError

FORMATS = (*shared_options.TEXT_FORMATS, "junit")
_CHOICES = ("min", "max", "max_drop", "baseline", "significant", "config")
CHECK_USAGE = "[OPTIONS] QRELS RUN"
CHECK_EXAMPLE = example_on_samples(
    "rankgold check qrels.txt expanded.trec --min ndcg@10=0.7 --baseline bm25.trec --max-drop ndcg@10=0.01",
    "Exit code: 0 if all thresholds hold, 1 if one fails, 2 for bad input.",
)


def add_check_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("run", metavar="RUN", help="The run to check, in the same formats.")
    _add_limit(parser, "--min", "Lowest acceptable mean of a measure, such as ndcg@10=0.35; may be repeated.")
    _add_limit(parser, "--max", "Highest acceptable mean, for measures where less is better.")
    parser.add_input(
        "--baseline",
        metavar="OLD",
        help="What to compare with: a run, or scores that `rankgold evaluate --save` wrote.",
    )
    _add_limit(parser, "--max-drop", "How far a mean may fall below the baseline, such as ndcg@10=0.01.")
    parser.add_argument(
        "--significant", action="store_true", help="Fail only on significant drops: p below 0.05, after Holm."
    )
    parser.add_argument(
        "--other-judgements",
        action="store_true",
        help="Compare with saved scores even if the judgements have changed.",
    )
    parser.add_input(
        "--config",
        metavar="FILE",
        help="TOML with these options; default: [tool.rankgold.check] in the nearest pyproject.toml. Thresholds given"
        " here replace those of the file.",
    )
    parser.add_argument(
        "-n",
        "--queries-shown",
        type=shared_options.whole_number_from(0),
        default=3,
        metavar="N",
        help="Worst queries shown for each threshold that fails; default: 3.",
    )
    shared_options.add_query_texts(parser)
    shared_options.add_slices(parser)
    shared_options.add_topics_and_depth(parser)
    add_result_options(parser, FORMATS, quiet=None)
    parser.add_argument("--junit", metavar="FILE", help="Also write JUnit XML to FILE.")
    parser.add_argument("--summary", metavar="FILE", help="Also write a Markdown summary to FILE.")
    shared_options.add_quiet(parser)


def _add_limit(parser: Parser, name: str, about: str) -> None:
    parser.add_argument(name, action="append", metavar="MEASURE=NUMBER", help=about)


def run_check(options: Namespace) -> None:
    from rankgold.audit import Baseline, check
    from rankgold.cli.console import progress_bar

    format_ = shared_options.chosen_format(options, FORMATS)
    # Without a policy, that of the settings is taken, or the default one.
    keywords = shared_options.data_keywords(options, default_policy=False)
    keywords |= {name: getattr(options, name) for name in _CHOICES}
    keywords["worst"] = options.queries_shown
    keywords["query_texts"] = shared_options.read_texts(options.queries)
    if options.other_judgements:
        keywords["baseline"] = Baseline(options.baseline, other_judgements=True)
    keywords["by"] = shared_options.chosen_slices(options)
    with engine_keywords(options) as engine, progress_bar(3, options.quiet) as progress:
        found = check(options.qrels, options.run, progress=progress, **keywords, **engine)
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
    shared_options.add_evaluation(parser, "Expect this measure in the scores; default: all saved ones")
    parser.add_argument(
        "--any-version",
        action="store_true",
        help="Accept another version of rankgold if nothing else changed and the scores are the same.",
    )
    add_result_options(parser, shared_options.TEXT_FORMATS)


def run_verify(options: Namespace) -> None:
    from rankgold.audit import verify
    from rankgold.cli.console import progress_bar

    format_ = shared_options.result_format(options, shared_options.TEXT_FORMATS)
    data = shared_options.data_keywords(options, default_policy=False)  # without one, that of the scores is taken
    measures = shared_options.measure_names(options.measure)
    with engine_keywords(options) as engine, progress_bar(1 + 2 * len(options.runs), options.quiet) as progress:
        keywords = {**data, **engine, "progress": progress}
        found = verify(options.scores, options.qrels, options.runs or None, measures, **keywords)
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
        "--scale",
        type=shared_options.number_pair,
        metavar="LOW,HIGH",
        help="Lowest and highest grade of the scale, such as 0,3.",
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


def run_doctor(options: Namespace) -> None:
    from rankgold.audit import doctor
    from rankgold.cli.console import progress_bar

    format_ = shared_options.chosen_format(options, shared_options.TEXT_FORMATS)
    data = shared_options.data_keywords(options)
    with progress_bar(3, options.quiet) as progress:
        found = doctor(
            options.qrels,
            options.runs or None,
            shared_options.measure_names(options.measure),
            train=options.train,
            scale=options.scale,
            ignore=options.ignore or (),
            progress=progress,
            **data,
        )
    write(result_text(found, format_, options), options.output)
    if options.fail_on == "warning" or found.exit_code == 2:
        sys.exit(found.exit_code)


RECONCILE_USAGE = "[OPTIONS] QRELS RUN -m MEASURE --value NUMBER"
RECONCILE_EXAMPLE = example_on_samples("rankgold reconcile qrels.txt titles.trec -m ndcg@10 --value 0.4032")


def add_reconcile_arguments(parser: Parser) -> None:
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


def run_reconcile(options: Namespace) -> None:
    from rankgold.audit import reconcile
    from rankgold.cli.console import progress_bar

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


COMMANDS = {
    "check": Command(CHECK_USAGE, CHECK_EXAMPLE, add_check_arguments, run_check),
    "verify": Command(VERIFY_USAGE, VERIFY_EXAMPLE, add_verify_arguments, run_verify),
    "doctor": Command(DOCTOR_USAGE, DOCTOR_EXAMPLE, add_doctor_arguments, run_doctor),
    "reconcile": Command(RECONCILE_USAGE, RECONCILE_EXAMPLE, add_reconcile_arguments, run_reconcile),
}
