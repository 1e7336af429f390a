"""Describes evaluate and plan."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any, get_args

from rankgold.cli import shared_options
from rankgold.cli.console import for_terminal, write
from rankgold.cli.engine_options import add_engine, add_result_options, engine_keywords, result_text
from rankgold.cli.parser import Command, Parser, example_on_samples
from rankgold.cli.shared_options import TABLE_FORMATS
from rankgold.comparison import IntervalName
from rankgold.core.document import plain
from rankgold.core.errors import DataError, MatchError

if TYPE_CHECKING:
    from rankgold.scoring.scores import Scores


FORMATS = (*shared_options.TABLE_FORMATS, "trec_eval")
EVALUATE_USAGE = "[OPTIONS] QRELS [RUN...]"
EVALUATE_EXAMPLE = example_on_samples("rankgold evaluate qrels.txt bm25.trec -m ndcg@10 -m ap --ci")


def add_evaluate_arguments(parser: Parser) -> None:
    shared_options.add_evaluation(parser)
    shared_options.add_slices(parser)
    shared_options.add_per_query(parser)
    shared_options.add_sort(parser)
    parser.add_argument(
        "--sparkline", action="store_true", help="Also show the values of all queries as a sparkline: ▁▂▅█."
    )
    parser.add_argument(
        "--watch", action="store_true", help="Evaluate again whenever one of the files changes, until Ctrl-C."
    )
    parser.add_argument("--ci", action="store_true", help="Also print the confidence interval of each mean.")
    parser.add_argument(
        "--interval",
        choices=get_args(IntervalName),
        help="Kind of interval, for --ci and slices; default: bca.",
    )
    parser.add_argument(
        "--level",
        type=shared_options.real_number,
        metavar="SHARE",
        help="Confidence level, for --ci and slices; default: 0.95.",
    )
    _add_bounds(parser)
    add_result_options(parser, FORMATS, quiet=None)
    parser.add_argument(
        "--save",
        metavar="FILE",
        help="Also write all scores to FILE as JSON, with the values of each query and fingerprints of the data: for"
        " `rankgold check` and `rankgold verify`.",
    )
    shared_options.add_quiet(parser, "no notes and no progress")


def _add_bounds(parser: Parser) -> None:
    parser.add_argument(
        "--bounds",
        action="store_true",
        help="Print the lowest and highest possible scores, whatever grades the unjudged documents have.",
    )
    parser.add_argument(
        "--max-grade",
        type=shared_options.real_number,
        metavar="GRADE",
        help="--bounds: highest grade an unjudged document may have; default: the highest judged one.",
    )
    parser.add_argument(
        "--unseen",
        type=shared_options.whole_number,
        metavar="N",
        help="--bounds: how many documents per query that no run ranks may be relevant too; default: 0.",
    )


def _check_bounds(options: Namespace) -> None:
    """Raises an error for an option that only bounds have."""
    for name in ("max_grade", "unseen"):
        if getattr(options, name) is not None:
            raise DataError(f"--{name.replace('_', '-')} is for --bounds. Add --bounds, or leave it out.")


def _check_intervals(options: Namespace, format_: str) -> None:
    """Raises an error if the format cannot show intervals or slices."""
    has_slices = options.slices is not None or bool(options.by)
    if has_slices and options.per_query and shared_options.made_of(format_) == "table":
        raise DataError("CSV holds one table: the slices or the values of queries, not both.")
    if has_slices and format_ == "trec_eval":
        raise DataError("the format trec_eval cannot show slices. Choose another --format, or leave them out.")
    for name in ("interval", "level"):
        if getattr(options, name) is not None and not options.ci and (options.bounds or not has_slices):
            raise DataError(f"--{name} is for intervals. Add --ci, --slices or --by, or leave it out.")
    if not options.ci:
        return
    if format_ == "trec_eval":
        raise DataError("the format trec_eval cannot show --ci. Choose another --format, or leave it out.")
    if options.bounds:
        raise DataError("--bounds and --ci cannot be combined.")
    if has_slices and shared_options.made_of(format_) == "table":
        raise DataError("CSV holds one table: the slices with their intervals or the means of --ci, not both.")


def _check_sparkline(options: Namespace, format_: str) -> None:
    """Raises an error if --sparkline cannot be shown."""
    other = "--ci" if options.ci else "--bounds" if options.bounds else None
    if options.sparkline and shared_options.made_of(format_) in ("table", "dict", None):
        raise DataError(f"{format_} cannot show --sparkline. Choose another --format, or leave it out.")
    if options.sparkline and other is not None:
        raise DataError(f"{other} and --sparkline cannot be combined.")


def run_evaluate(options: Namespace) -> None:
    if not options.watch:
        _evaluate(options)
        return
    from rankgold.cli.console import watch

    watch(filter(None, [options.qrels, *options.runs, options.slices, options.exclude]), lambda: _evaluate(options))


def _evaluate(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar
    from rankgold.comparison.slice_scores import with_intervals_of_slices
    from rankgold.scoring import evaluate
    from rankgold.scoring.run_scores import label_of
    from rankgold.scoring.scorer import measures_by_label

    qrels, runs = options.qrels, options.runs
    format_ = shared_options.result_format(options, FORMATS)
    _check_intervals(options, format_)
    _check_sparkline(options, format_)
    data = shared_options.data_keywords(options)
    measures = measures_by_label(
        shared_options.measure_names(options.measure), rel=options.rel, dialect=data["policy"].dialect
    )
    if options.sort is not None:
        label_of(options.sort, measures, data["policy"].dialect)
    if options.bounds:
        write(bounds_text(list(measures), data, format_, options), options.output)
        return
    _check_bounds(options)
    by = shared_options.chosen_slices(options)
    steps = 1 + 2 * len(runs) + (0 if by is None else 2)
    with engine_keywords(options) as engine, progress_bar(steps, options.quiet) as progress:
        keywords = {**data, **engine, "by": by}
        if options.save is not None:
            keywords["per_query"] = True
        keywords["fingerprint"] = options.save is not None or shared_options.made_of(format_) == "dict"
        try:
            scores = evaluate(qrels, runs or None, list(measures), progress=progress, **keywords)
        except MatchError as error:
            raise MatchError(f"{error} {_offer([qrels, *runs])}") from None
        if options.sort is not None:
            scores = scores.sorted_by(options.sort)
        if scores.parts:
            progress("computing intervals of slices", 0.0, 0)
            scores = with_intervals_of_slices(scores, **_chosen_intervals(options))
            _ = scores.slices.rows  # they are kept, and written below
    if options.save is not None:
        write(scores.to_json() + "\n", options.save)
    text = intervals_text(scores, format_, options) if options.ci else scores_text(scores, format_, options)
    write(text, options.output)
    if not options.quiet:
        offer_doctor(scores, [qrels, *runs])


def offer_doctor(scores: Scores, files: list[str]) -> None:
    """Suggests `rankgold doctor` on standard error if something looks wrong in the files."""
    from rankgold.core.errors import escaped
    from rankgold.scoring.score_document import suspicion

    for name in scores.runs:
        reason = suspicion(scores.notes_of(name))
        if reason is not None and sys.stderr is not None:
            print(escaped(f"note: {name}: {reason}. {_offer(files)}"), file=sys.stderr)
            return


def _offer(files: list[str]) -> str:
    import shlex

    return f"To check the files: rankgold doctor {shlex.join(files)}"


def intervals_text(scores: Scores, format_: str, options: Namespace) -> str:
    """The scores with the intervals of their means in one of the formats."""
    intervals = scores.intervals(**_chosen_intervals(options))
    return result_text(intervals, format_, options, {"quiet": options.quiet}, per_query=options.per_query)


def _chosen_intervals(options: Namespace) -> dict[str, Any]:
    chosen = {"level": options.level, "method": options.interval}
    return {name: value for name, value in chosen.items() if value is not None}


def scores_text(scores: Scores, format_: str, options: Namespace) -> str:
    """The scores in one of the formats, as the options of the command say."""
    digits, made_of = shared_options.chosen_digits(options), shared_options.made_of(format_)
    if made_of is None:
        text = scores.to_trec_eval(per_query=options.per_query, digits=digits)
        return for_terminal(text + "\n", options.output)
    if made_of == "table" and scores.parts:
        return result_text(scores.slices, format_, options)
    if getattr(options, "sparkline", False):
        from rankgold.scoring.score_document import with_sparklines

        document = scores.document(digits, per_query=options.per_query, quiet=options.quiet)
        return shared_options.document_text(with_sparklines(document, scores), format_, options)
    return result_text(scores, format_, options, {"quiet": options.quiet}, per_query=options.per_query)


def bounds_text(measures: list[str], data: dict[str, Any], format_: str, options: Namespace) -> str:
    """The bounds in one of the formats."""
    from rankgold.cli.console import progress_bar
    from rankgold.judging import bounds

    if format_ not in TABLE_FORMATS:
        raise DataError(f"--bounds does not support the format {format_}. Choose one of {', '.join(TABLE_FORMATS)}.")
    if not options.runs:
        raise DataError("--bounds needs judgements and runs: QRELS RUN...")
    if options.slices is not None or options.by:
        raise DataError("--bounds cannot be combined with --slices or --by.")
    if options.save is not None:
        raise DataError("--bounds and --save cannot be combined.")
    if options.sort is not None or options.engine not in (None, "local"):
        raise DataError("--bounds cannot be combined with --sort or --engine: it is computed in this process.")
    with progress_bar(len(options.runs), options.quiet) as progress:
        found = bounds(
            options.qrels,
            options.runs,
            measures,
            max_grade=options.max_grade,
            unseen=options.unseen or 0,
            progress=progress,
            **data,
        )
    return result_text(found, format_, options, {"quiet": options.quiet}, per_query=options.per_query)


PLAN_USAGE = "[OPTIONS] QRELS [RUN...]"
PLAN_EXAMPLE = example_on_samples("rankgold plan qrels.txt bm25.trec -m ndcg@10")


def add_plan_arguments(parser: Parser) -> None:
    shared_options.add_evaluation(parser)
    parser.add_argument("-q", "--per-query", action="store_true", help="Plan for the values of every query.")
    shared_options.add_policy_and_columns(parser)
    shared_options.add_exclude(parser)
    add_engine(parser)
    shared_options.add_output(parser)


def run_plan(options: Namespace) -> None:
    from rankgold.scoring import plan

    data = shared_options.data_keywords(options)
    with engine_keywords(options) as engine:
        measures = shared_options.measure_names(options.measure)
        text = plan(options.qrels, options.runs or None, measures, **data, **engine)
    write("\n".join(map(plain, text.rstrip("\n").split("\n"))) + "\n", options.output)


COMMANDS = {
    "evaluate": Command(EVALUATE_USAGE, EVALUATE_EXAMPLE, add_evaluate_arguments, run_evaluate),
    "plan": Command(PLAN_USAGE, PLAN_EXAMPLE, add_plan_arguments, run_plan),
}
