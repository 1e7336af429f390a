"""`rankgold verify`: saved scores and the files they are of in, what changed since then out; exit code 1 if it did."""

from __future__ import annotations

import sys
from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_result_options, engine_keywords
from rankgold.cli.parser import Parser
from rankgold.output.registry import TEXT_OUTPUTS

FORMATS = (*TEXT_OUTPUTS, "json")
USAGE = "[OPTIONS] SCORES QRELS [RUN...]"
EXAMPLE = """Exit code: 0 if nothing changed, 1 if anything did, 2 for bad input.

Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold evaluate qrels.txt bm25.trec -q -o /tmp/scores.json && \
rankgold verify /tmp/scores.json qrels.txt bm25.trec"""


def add_arguments(parser: Parser) -> None:
    parser.add_input("scores", metavar="SCORES", help="Scores that `rankgold evaluate --save` wrote.")
    shared_options.add_qrels(parser)
    shared_options.add_runs(parser)
    shared_options.add_measures(parser, "A measure to expect in the scores; default: those of the scores")
    shared_options.add_rel(parser)
    shared_options.add_topics(parser)
    shared_options.add_depth(parser)
    parser.add_argument(
        "--any-version",
        action="store_true",
        help="Another version of rankgold is no failure, if nothing else changed and the scores are the same.",
    )
    add_result_options(parser, FORMATS)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.gate.verification import verify

    format_ = shared_options.chosen_format(options, FORMATS)
    shared_options.check_format(options, format_)
    data = dict(shared_options.data_keywords(options, options.depth))
    if not options.policy and options.depth is None:
        del data["policy"]  # that of the scores
    measures = shared_options.measure_names(options)
    with engine_keywords(options) as engine, progress_bar(1 + 2 * len(options.runs), options.quiet) as progress:
        keywords = {**data, **engine, "rel": options.rel, "exclude": options.exclude, "progress": progress}
        found = verify(options.scores, options.qrels, options.runs or None, measures, **keywords)
    if format_ == "json":
        text = found.to_json() + "\n"
    else:
        text = shared_options.document_text(
            found.document(4 if options.digits is None else options.digits), format_, options
        )
    write(text, options.output)
    is_fine = found.unchanged or (options.any_version and found.same_scores and found.changed == ["version"])
    if not is_fine:
        sys.exit(1)
