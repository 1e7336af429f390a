"""`rankgold fuse`: files of runs in, one fused run out."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import TYPE_CHECKING, Any, get_args

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.file_format import add_file_format, file_format
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.errors import FusionError
from rankgold.fusion import Search

if TYPE_CHECKING:
    import polars

    from rankgold.fusion.run_rows import NumberedRuns

USAGE = "[OPTIONS] RUN... [-o FILE]"
METHODS = (
    "rrf, combsum, combmnz, combanz, combmin, combmax, combmed, combgmnz, wsum, wmnz, mixed, isr, logisr, lognisr, rbc,"
    " borda, wborda, condorcet, wcondorcet, bayesfuse, mapfuse, posfuse, probfuse, segfuse, slidefuse"
)
NORMS = "min-max, min-max-inverted, max, sum, zmuv, rank, borda, none"
EXAMPLE = example_on_samples(
    "rankgold fuse bm25.trec expanded.trec --method rrf -o /tmp/fused.trec",
    f"Methods: {METHODS}. The names that ranx uses work too.",
    "With --qrels, a method with weights learns them. The report on standard error shows how good the fused run is on"
    " queries that did not teach the weights.",
)


def add_arguments(parser: Parser) -> None:
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


def run(options: Namespace) -> None:
    from rankgold.engines.request import Request
    from rankgold.fusion import fuse
    from rankgold.fusion.fused_run import read_rows, top
    from rankgold.fusion.saved_run import WRITERS
    from rankgold.fusion.settings import FusionSettings

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
    content = WRITERS[format_](top(frame, options.depth), options.tag)
    write(content, options.output)


def _fused_with_learned_weights(options: Namespace, rows: NumberedRuns, keywords: dict[str, Any]) -> polars.DataFrame:
    """The run with weights that judgements taught, and a report on standard error."""
    from rankgold.errors import escaped
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
