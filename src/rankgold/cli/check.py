"""`rankgold check`: files of judgements and a run and thresholds in, whether they hold out; exit code 1 if not."""

from __future__ import annotations

import sys
from argparse import Namespace

from rankgold.cli import shared_options
from rankgold.cli.destination import write
from rankgold.cli.engine_options import add_result_options, engine_keywords
from rankgold.cli.parser import Parser, example_on_samples
from rankgold.cli.result_text import result_text

FORMATS = (*shared_options.TEXT_FORMATS, "junit")
_CHOICES = ("min", "max", "max_drop", "baseline", "significant", "config")
USAGE = "[OPTIONS] QRELS RUN"
EXAMPLE = example_on_samples(
    "rankgold check qrels.txt expanded.trec --min ndcg@10=0.7 --baseline bm25.trec --max-drop ndcg@10=0.01",
    "Exit code: 0 if all thresholds hold, 1 if one fails, 2 for bad input.",
)


def add_arguments(parser: Parser) -> None:
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


def run(options: Namespace) -> None:
    from rankgold.cli.progress import progress_bar
    from rankgold.gate import Baseline, check

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
