"""`rankgold verify`: saved scores and the files they are of in, what changed since then out; exit code 1 if it did."""

from __future__ import annotations

import sys
from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_result_options, engine_keywords
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.cli.result_text import result_text

USAGE = "[OPTIONS] SCORES QRELS [RUN...]"
EXAMPLE = example_on_samples(
    "rankgold evaluate qrels.txt bm25.trec -q -o /tmp/scores.json && rankgold verify /tmp/scores.json qrels.txt"
    " bm25.trec",
    "Exit code: 0 if nothing changed, 1 if anything did, 2 for bad input.",
)


def add_arguments(parser: Parser) -> None:
    parser.add_input("scores", metavar="SCORES", help="Scores that `rankgold evaluate --save` wrote.")
    shared_options.add_evaluation(parser, "Expect this measure in the scores; default: all saved ones")
    parser.add_argument(
        "--any-version",
        action="store_true",
        help="Accept another version of rankgold if nothing else changed and the scores are the same.",
    )
    add_result_options(parser, shared_options.TEXT_FORMATS)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.gate import verify

    format_ = shared_options.result_format(options, shared_options.TEXT_FORMATS)
    data = shared_options.data_keywords(options, default_policy=False)  # without one, that of the scores is taken
    measures = shared_options.measure_names(options)
    with engine_keywords(options) as engine, progress_bar(1 + 2 * len(options.runs), options.quiet) as progress:
        keywords = {**data, **engine, "progress": progress}
        found = verify(options.scores, options.qrels, options.runs or None, measures, **keywords)
    write(result_text(found, format_, options), options.output)
    is_fine = found.unchanged or (options.any_version and found.same_scores and found.changed == ["version"])
    if not is_fine:
        sys.exit(1)
