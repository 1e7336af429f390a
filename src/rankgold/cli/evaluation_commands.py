"""Describes evaluate and plan."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from rankgold.cli import shared_options
from rankgold.cli.command import add_engine, add_options, add_output_options, engine_keywords, keywords, result_text
from rankgold.cli.console import for_terminal, write
from rankgold.cli.parser import Command, Parser, example_on_samples
from rankgold.cli.shared_options import TABLE_FORMATS
from rankgold.comparison import Interval
from rankgold.core.document import plain
from rankgold.core.errors import DataError, MatchError
from rankgold.judging import bounds
from rankgold.scoring import evaluate, plan

if TYPE_CHECKING:
    from rankgold.scoring.scores import Scores


FORMATS = (*shared_options.TABLE_FORMATS, "trec_eval")
EVALUATE_USAGE = "[OPTIONS] QRELS [RUN...]"
EVALUATE_EXAMPLE = example_on_samples("rankgold evaluate qrels.txt bm25.trec -m ndcg@10 -m ap --ci")


def add_evaluate_arguments(parser: Parser) -> None:
    shared_options.add_files(parser)
    add_options(parser, evaluate)
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
    add_options(parser, Interval, "name", "level", of="evaluate", unset=True)
    parser.add_argument(
        "--bounds",
        action="store_true",
        help="Print the lowest and highest possible scores, whatever grades the unjudged documents have.",
    )
    add_options(parser, bounds, "max_grade", "unseen", unset=True)
    add_output_options(parser, FORMATS, quiet=None)
    parser.add_argument(
        "--save",
        metavar="FILE",
        help="Also write all scores to FILE as JSON, with the values of each query and fingerprints of the data: for"
        " `rankgold check` and `rankgold verify`.",
    )
    shared_options.add_quiet(parser, "no notes and no progress")


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
    from rankgold.core.policy import Policy
    from rankgold.scoring.run_scores import label_of
    from rankgold.scoring.scorer import measures_by_label

    qrels, runs = options.qrels, options.runs
    format_ = shared_options.result_format(options, FORMATS)
    _check_intervals(options, format_)
    _check_sparkline(options, format_)
    chosen = keywords(options, evaluate)
    dialect = chosen.get("policy", Policy()).dialect
    measures = measures_by_label(chosen.pop("measures", None), rel=options.rel, dialect=dialect)
    if options.sort is not None:
        label_of(options.sort, measures, dialect)
    if options.bounds:
        write(bounds_text(list(measures), format_, options), options.output)
        return
    _check_bounds(options)
    by = shared_options.chosen_slices(options)
    steps = 1 + 2 * len(runs) + (0 if by is None else 2)
    with engine_keywords(options) as engine, progress_bar(steps, options.quiet) as progress:
        chosen |= {**engine, "by": by}
        if options.save is not None:
            chosen["per_query"] = True
        chosen["fingerprint"] = options.save is not None or shared_options.made_of(format_) == "dict"
        try:
            scores = evaluate(qrels, runs or None, list(measures), progress=progress, **chosen)
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


def bounds_text(measures: list[str], format_: str, options: Namespace) -> str:
    """The bounds in one of the formats."""
    from rankgold.cli.console import progress_bar

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
        chosen = {**keywords(options, bounds), "measures": measures, "progress": progress}
        found = bounds(options.qrels, options.runs, **chosen)
    return result_text(found, format_, options, {"quiet": options.quiet}, per_query=options.per_query)


PLAN_USAGE = "[OPTIONS] QRELS [RUN...]"
PLAN_EXAMPLE = example_on_samples("rankgold plan qrels.txt bm25.trec -m ndcg@10")


def add_plan_arguments(parser: Parser) -> None:
    shared_options.add_files(parser)
    add_options(parser, plan)
    parser.add_argument("-q", "--per-query", action="store_true", help="Plan for the values of every query.")
    add_engine(parser)
    shared_options.add_output(parser)


def run_plan(options: Namespace) -> None:
    data = keywords(options, plan)
    with engine_keywords(options) as engine:
        text = plan(options.qrels, options.runs or None, **data, **engine)
    write("\n".join(map(plain, text.rstrip("\n").split("\n"))) + "\n", options.output)


COMMANDS = {
    "evaluate": Command(EVALUATE_USAGE, EVALUATE_EXAMPLE, add_evaluate_arguments, run_evaluate),
    "plan": Command(PLAN_USAGE, PLAN_EXAMPLE, add_plan_arguments, run_plan),
}
