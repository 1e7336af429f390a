"""`rankgold check`: files of judgements and a run and thresholds in, whether they hold out; exit code 1 if not."""

from __future__ import annotations

import sys
from argparse import Namespace
from typing import Any

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_engine, engine_keywords
from rankgold.cli.parser import Parser
from rankgold.cli.text_files import FORM, read_texts
from rankgold.output.registry import TEXT_OUTPUTS

FORMATS = (*TEXT_OUTPUTS, "json", "junit")
_CHOICES = ("min", "max", "max_drop", "baseline", "significant", "config", "other_judgements", "exclude")
USAGE = "[OPTIONS] QRELS RUN"
EXAMPLE = """Exit code: 0 if all thresholds hold, 1 if one fails, 2 for bad input.

Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold check qrels.txt expanded.trec --min ndcg@10=0.7 \
--baseline bm25.trec --max-drop ndcg@10=0.01"""


def add_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input("run", metavar="RUN", help="The run to check, in the same formats.")
    _add_limit(parser, "--min", "The least mean of a measure, such as ndcg@10=0.35; may be repeated.")
    _add_limit(parser, "--max", "The greatest mean of a measure of which less is better.")
    parser.add_input(
        "--baseline",
        metavar="OLD",
        help="What to compare with: a run, or scores that `rankgold evaluate --save` wrote.",
    )
    _add_limit(parser, "--max-drop", "How much worse than the baseline a mean may be, such as ndcg@10=0.01.")
    parser.add_argument(
        "--significant", action="store_true", help="Fail only on what is hardly chance: p below 0.05, after Holm."
    )
    parser.add_argument(
        "--other-judgements",
        action="store_true",
        help="Compare with saved scores even if their judgements were others.",
    )
    parser.add_input(
        "--config",
        metavar="FILE",
        help="TOML with these choices; default: [tool.rankgold.check] in the nearest pyproject.toml. Thresholds given"
        " here replace those of the file.",
    )
    parser.add_argument(
        "-n",
        "--queries-shown",
        type=shared_options.count_from_zero,
        default=3,
        metavar="N",
        help="Worst queries shown for each threshold that fails; default: 3.",
    )
    parser.add_input("--queries", metavar="FILE", help=f"The text of queries: {FORM}.")
    shared_options.add_slices(parser)
    shared_options.add_topics(parser)
    shared_options.add_depth(parser)
    shared_options.add_format(parser, FORMATS)
    shared_options.add_digits(parser)
    shared_options.add_policy_and_columns(parser)
    shared_options.add_exclude(parser)
    add_engine(parser)
    shared_options.add_output(parser)
    parser.add_argument("--junit", metavar="FILE", help="Also write JUnit XML to FILE.")
    parser.add_argument("--summary", metavar="FILE", help="Also write a Markdown summary to FILE.")
    shared_options.add_quiet(parser, "no progress")


def _add_limit(parser: Parser, name: str, about: str) -> None:
    parser.add_argument(name, action="append", metavar="MEASURE=NUMBER", help=about)


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.gate.verdict import check

    format_ = shared_options.chosen_format(options, FORMATS)
    keywords: dict[str, Any] = {**shared_options.data_keywords(options, options.depth)}
    if not options.policy and options.depth is None:
        del keywords["policy"]  # that of the settings, or the usual one
    keywords |= {name: getattr(options, name) for name in _CHOICES}
    keywords["worst"] = options.queries_shown
    keywords["queries"] = None if options.queries is None else read_texts(options.queries)
    keywords["by"] = shared_options.chosen_slices(options)
    with engine_keywords(options) as engine, progress_bar(3, options.quiet) as progress:
        found = check(options.qrels, options.run, progress=progress, **keywords, **engine)
    digits = 4 if options.digits is None else options.digits
    if options.junit is not None:
        write(found.to_junit() + "\n", options.junit)
    if options.summary is not None:
        write(found.to_markdown(digits=digits) + "\n", options.summary)
    if format_ in ("json", "junit"):
        text = (found.to_json() if format_ == "json" else found.to_junit()) + "\n"
    else:
        text = shared_options.document_text(found.document(digits), format_, options)
    write(text, options.output)
    if not found.holds:
        sys.exit(1)
