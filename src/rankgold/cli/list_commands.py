"""Describes similarity, exposure and fuse."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any, get_args

from rankgold.cli import shared_options
from rankgold.cli.command import (
    add_file_format,
    add_options,
    add_output_options,
    engine_keywords,
    file_format,
    keywords,
)
from rankgold.cli.console import write
from rankgold.cli.evaluation_commands import scores_text
from rankgold.cli.explanation_commands import list_explanations_text
from rankgold.cli.parser import Command, Parser, example_on_samples
from rankgold.core.errors import FusionError
from rankgold.fusion import MethodName, fuse, learn_weights
from rankgold.scoring import exposure, match, similarity

if TYPE_CHECKING:
    import polars

    from rankgold.judging.candidates import NumberedRuns


SIMILARITY_USAGE = "[OPTIONS] RUN RUN..."
SIMILARITY_EXAMPLE = example_on_samples(
    "rankgold similarity bm25.trec expanded.trec -m rbo,overlap@10",
    "Leaderboards work too: rankgold similarity scores1.json scores2.json -m tau_ap",
)


def add_similarity_arguments(parser: Parser) -> None:
    parser.add_input(
        "runs",
        metavar="RUN",
        nargs="+",
        help="Two or more runs, in the formats of `rankgold evaluate`: all are compared with the first. Or leaderboards"
        " that `rankgold evaluate -o FILE` wrote as JSON or CSV; of one, the measures are compared.",
    )
    add_options(parser, similarity)
    shared_options.add_per_query(parser)
    parser.add_argument(
        "--explain", metavar="QUERY", help="Print how the values of this query are computed, term by term."
    )
    add_output_options(parser, shared_options.TABLE_FORMATS, engine="reads", quiet="no notes and no progress")


def run_similarity(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    first, *others = options.runs
    chosen = keywords(options, similarity)
    with engine_keywords(options) as engine, progress_bar(1 + len(options.runs), options.quiet) as progress:
        scores = similarity(first, others or None, progress=progress, **chosen, **engine)
    if options.explain is None:
        text = scores_text(scores, format_, options)
    else:
        text = list_explanations_text(scores, options.explain, format_, options)
    write(text, options.output)


EXPOSURE_USAGE = "[OPTIONS] RUN..."
EXPOSURE_EXAMPLE = example_on_samples("rankgold exposure neighbours.csv --items dishes.csv -m coverage@10,gini@10")


def add_exposure_arguments(parser: Parser) -> None:
    parser.add_input(
        "runs",
        metavar="RUN",
        nargs="+",
        help="One or more runs, in the formats of `rankgold evaluate`: users are queries, items are documents.",
    )
    add_options(parser, exposure)
    shared_options.add_per_query(parser, "user")
    parser.add_argument(
        "--explain",
        metavar="[USER]",
        nargs="?",
        const="",
        help="Print how the values of this user are computed, term by term; without USER, the values of all lists.",
    )
    shared_options.add_sort(parser)
    add_output_options(parser, shared_options.TABLE_FORMATS, engine="reads", quiet="no notes and no progress")


def run_exposure(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar
    from rankgold.measures.lists import EXPOSURES
    from rankgold.scoring.list_exposure import DEFAULT_MEASURES
    from rankgold.scoring.run_scores import label_of
    from rankgold.scoring.scorer import measures_by_label

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    chosen = keywords(options, exposure)
    measures = measures_by_label(chosen.pop("measures", None), EXPOSURES, DEFAULT_MEASURES)
    if options.sort is not None:
        label_of(options.sort, measures)
    with engine_keywords(options) as engine, progress_bar(1 + len(options.runs), options.quiet) as progress:
        scores = exposure(options.runs, list(measures), progress=progress, **chosen, **engine)
    if options.explain is None:
        text = scores_text(scores.sorted_by(options.sort) if options.sort else scores, format_, options)
    else:
        text = list_explanations_text(scores, options.explain or None, format_, options)
    write(text, options.output)


FUSE_USAGE = "[OPTIONS] RUN... [-o FILE]"
FUSE_EXAMPLE = example_on_samples(
    "rankgold fuse bm25.trec expanded.trec --method rrf -o /tmp/fused.trec",
    f"Methods: {', '.join(get_args(MethodName))}. The names that ranx uses work too.",
    "With --qrels, a method with weights learns them. The report on standard error shows how good the fused run is on"
    " queries that did not teach the weights.",
)


def add_fuse_arguments(parser: Parser) -> None:
    parser.add_input(
        "runs",
        metavar="RUN",
        nargs="+",
        help="Two or more runs, in any format that evaluate reads; a quoted pattern such as 'runs/*.trec' makes"
        " each file a run.",
    )
    add_options(parser, fuse)
    add_options(parser, learn_weights, "measure", "search")
    parser.add_argument("--tag", default="fused", help="The name of the run in a TREC file; default: fused.")
    add_file_format(parser)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser, "no report on learned weights")


def run_fuse(options: Namespace) -> None:
    from rankgold.data.written_files import RUN_WRITERS
    from rankgold.engines.request import Request
    from rankgold.fusion.fused_run import FusionSettings, read_rows, top

    format_ = file_format(options)
    chosen = keywords(options, fuse)
    depth, weights, qrels, folds = (chosen.pop(name, None) for name in ("depth", "weights", "qrels", "folds"))
    chosen["method_options"] = _pairs(options.parameter or [], "--parameter", "k=60")
    weights = None if weights is None else _weights(weights)
    settings = FusionSettings.of(options.method, options.norm, chosen["method_options"])
    data = keywords(options, match, of="rows")  # the runs are read with these, and once
    for name in ("exclude", "parent"):
        chosen.pop(name, None)
    rows = read_rows(Request.of({"run": options.runs}, **data))
    if settings.method.is_weighted and qrels is not None:
        frame = _fused_with_learned_weights(options, rows, chosen)
    else:
        frame = fuse(rows, weights=weights, qrels=qrels, folds=folds, **chosen)
    content = RUN_WRITERS[format_](top(frame, depth), options.tag)
    write(content, options.output)


def _fused_with_learned_weights(options: Namespace, rows: NumberedRuns, chosen: dict[str, Any]) -> polars.DataFrame:
    """The run with weights that judgements taught, and a report on standard error."""
    from rankgold.core.errors import escaped

    if options.weights is not None:
        raise FusionError("--weights and --qrels cannot be combined: --qrels learns the weights.")
    search = {
        name: getattr(options, name) for name in ("measure", "search", "folds") if getattr(options, name) is not None
    }
    learned = learn_weights(options.qrels, rows, **search, **chosen)
    if not options.quiet and sys.stderr is not None:
        print("\n".join(map(escaped, str(learned).splitlines())), file=sys.stderr)
    return learned.fused if options.folds is not None else fuse(rows, weights=learned.weights, **chosen)


def _pairs(texts: list[str], option: str, example: str) -> dict[str, Any]:
    """NAME=VALUE, each."""
    pairs = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise FusionError(f"{option} must be written as {example}, not {text!r}.")
        pairs[name.strip()] = value.strip()
    return pairs


def _weights(text: str) -> list[Any] | dict[str, Any]:
    """A weight for each run, in their order or by name."""
    parts = text.split(",")
    return _pairs(parts, "--weights", "0.3,0.7 or bm25=0.3,dense=0.7") if "=" in text else parts


COMMANDS = {
    "similarity": Command(SIMILARITY_USAGE, SIMILARITY_EXAMPLE, add_similarity_arguments, run_similarity),
    "exposure": Command(EXPOSURE_USAGE, EXPOSURE_EXAMPLE, add_exposure_arguments, run_exposure),
    "fuse": Command(FUSE_USAGE, FUSE_EXAMPLE, add_fuse_arguments, run_fuse),
}
