"""Describes similarity, exposure and fuse."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any, get_args

from rankgold.cli import shared_options
from rankgold.cli.console import write
from rankgold.cli.engine_options import add_file_format, add_result_options, engine_keywords, file_format
from rankgold.cli.evaluation_commands import scores_text
from rankgold.cli.explanation_commands import list_explanations_text
from rankgold.cli.parser import Command, Parser, example_on_samples
from rankgold.core.errors import FusionError
from rankgold.fusion import Search

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
    shared_options.add_measures(
        parser, "A measure such as rbo or overlap@10, or several separated by commas: rbo,tau_ap"
    )
    shared_options.add_topics_and_depth(parser)
    shared_options.add_per_query(parser)
    parser.add_argument(
        "--explain", metavar="QUERY", help="Print how the values of this query are computed, term by term."
    )
    add_result_options(parser, shared_options.TABLE_FORMATS, engine="reads", quiet="no notes and no progress")


def run_similarity(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar
    from rankgold.engines.request import Request
    from rankgold.scoring.ranking_similarity import scored_pairs

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    first, *others = options.runs
    measures = shared_options.measure_names(options.measure)
    data = shared_options.data_keywords(options)
    with engine_keywords(options) as engine, progress_bar(1 + len(options.runs), options.quiet) as progress:
        request = Request.of({"first": first, "second": others or None}, progress=progress, **data, **engine)
        scores = scored_pairs(request, measures)
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
    shared_options.add_measures(parser, "A measure such as gini@10, or several separated by commas: coverage@10,ild@10")
    parser.add_input(
        "--items",
        metavar="FILE",
        help="The catalogue: a table with a column of items, and perhaps of categories, a group, an embedding or"
        " numbers; or one item a line.",
    )
    parser.add_input(
        "--train",
        metavar="FILE",
        help="What users already had: a table of users and items, judgements or a run. Popularity is counted in it.",
    )
    parser.add_input("--qrels", metavar="FILE", help="What was relevant to users, for serendipity.")
    shared_options.add_per_query(parser, "user")
    parser.add_argument(
        "--explain",
        metavar="[USER]",
        nargs="?",
        const="",
        help="Print how the values of this user are computed, term by term; without USER, the values of all lists.",
    )
    shared_options.add_sort(parser)
    shared_options.add_topics_and_depth(parser)
    add_result_options(parser, shared_options.TABLE_FORMATS, engine="reads", quiet="no notes and no progress")


def run_exposure(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar
    from rankgold.engines.request import Request
    from rankgold.measures.lists import EXPOSURES
    from rankgold.scoring.list_exposure import DEFAULT_MEASURES, scored_lists
    from rankgold.scoring.run_scores import label_of
    from rankgold.scoring.scorer import measures_by_label

    format_ = shared_options.result_format(options, shared_options.TABLE_FORMATS)
    measures = measures_by_label(shared_options.measure_names(options.measure), EXPOSURES, DEFAULT_MEASURES)
    if options.sort is not None:
        label_of(options.sort, measures)
    known = {"run": options.runs, **{name: getattr(options, name) for name in ("items", "train", "qrels")}}
    data = shared_options.data_keywords(options)
    with engine_keywords(options) as engine, progress_bar(1 + len(options.runs), options.quiet) as progress:
        scores = scored_lists(Request.of(known, progress=progress, **data, **engine), list(measures))
    if options.explain is None:
        text = scores_text(scores.sorted_by(options.sort) if options.sort else scores, format_, options)
    else:
        text = list_explanations_text(scores, options.explain or None, format_, options)
    write(text, options.output)


FUSE_USAGE = "[OPTIONS] RUN... [-o FILE]"
METHODS = (
    "rrf, combsum, combmnz, combanz, combmin, combmax, combmed, combgmnz, wsum, wmnz, mixed, isr, logisr, lognisr, rbc,"
    " borda, wborda, condorcet, wcondorcet, bayesfuse, mapfuse, posfuse, probfuse, segfuse, slidefuse"
)
NORMS = "min-max, min-max-inverted, max, sum, zmuv, rank, borda, none"
FUSE_EXAMPLE = example_on_samples(
    "rankgold fuse bm25.trec expanded.trec --method rrf -o /tmp/fused.trec",
    f"Methods: {METHODS}. The names that ranx uses work too.",
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
    parser.add_argument("--method", default="rrf", metavar="NAME", help="Fusion method; default: rrf.")
    parser.add_argument(
        "--parameter",
        action="append",
        metavar="NAME=VALUE",
        help="A parameter of the method: k of rrf (default: 60), phi of rbc (0.8), gamma of combgmnz (1), sigma of"
        " lognisr (0.01), segments of probfuse (10), window of slidefuse (5); may be repeated.",
    )
    parser.add_argument(
        "--norm",
        metavar="NAME",
        help=f"Score normalisation: {NORMS}; default: min-max where scores are added.",
    )
    parser.add_argument(
        "--weights",
        metavar="LIST",
        help="A weight for each run, for wsum, wmnz, mixed, wborda and wcondorcet: 0.3,0.7 or bm25=0.3,dense=0.7.",
    )
    parser.add_input("--qrels", metavar="QRELS", help="Judgements to learn weights or other parts of the method from.")
    shared_options.add_single_measure(parser, "The measure that learned weights maximise")
    parser.add_argument(
        "--search", choices=get_args(Search), default="ascent", help="How to search for weights; default: ascent."
    )
    parser.add_argument(
        "--folds",
        type=shared_options.whole_number,
        metavar="N",
        help="Fuse each judged query with what the other folds of N taught, so that the result can be evaluated with"
        " the same judgements.",
    )
    shared_options.add_seed(parser, "Seed of the folds")
    parser.add_argument(
        "--depth",
        type=shared_options.whole_number,
        metavar="K",
        help="Keep K documents of each query; default: all.",
    )
    parser.add_argument("--tag", default="fused", help="The name of the run in a TREC file; default: fused.")
    add_file_format(parser)
    shared_options.add_policy_and_columns(parser)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser, "no report on learned weights")


def run_fuse(options: Namespace) -> None:
    from rankgold.data.written_files import RUN_WRITERS
    from rankgold.engines.request import Request
    from rankgold.fusion import fuse
    from rankgold.fusion.fused_run import FusionSettings, read_rows, top

    format_ = file_format(options)
    data = shared_options.data_keywords(options)
    weights = None if options.weights is None else _weights(options.weights)
    parameters = _pairs(options.parameter or [], "--parameter", "k=60")
    settings = FusionSettings.of(options.method, options.norm, parameters)
    rows = read_rows(Request.of({"run": options.runs}, **data))
    keywords: dict[str, Any] = {
        "method": options.method,
        "norm": options.norm,
        "seed": options.seed,
        "policy": data["policy"],
        "columns": data["columns"],
        "method_options": parameters,
    }
    if settings.method.is_weighted and options.qrels is not None:
        frame = _fused_with_learned_weights(options, rows, keywords)
    else:
        frame = fuse(rows, weights=weights, qrels=options.qrels, folds=options.folds, **keywords)
    content = RUN_WRITERS[format_](top(frame, options.depth), options.tag)
    write(content, options.output)


def _fused_with_learned_weights(options: Namespace, rows: NumberedRuns, keywords: dict[str, Any]) -> polars.DataFrame:
    """The run with weights that judgements taught, and a report on standard error."""
    from rankgold.core.errors import escaped
    from rankgold.fusion import fuse, learn_weights

    if options.weights is not None:
        raise FusionError("--weights and --qrels cannot be combined: --qrels learns the weights.")
    folds = 5 if options.folds is None else options.folds
    learned = learn_weights(options.qrels, rows, options.measure, search=options.search, folds=folds, **keywords)
    if not options.quiet and sys.stderr is not None:
        print("\n".join(map(escaped, str(learned).splitlines())), file=sys.stderr)
    return learned.fused if options.folds is not None else fuse(rows, weights=learned.weights, **keywords)


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
