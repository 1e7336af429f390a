"""`rankgold plot`."""

from __future__ import annotations

import argparse
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from rankgold.cli.destination import check_writable, write, write_atomically
from rankgold.cli.parser import Parser
from rankgold.cli.shared_options import add_measures, add_policy_and_columns, columns_given, measures_given
from rankgold.errors import PlotError

if TYPE_CHECKING:
    from rankgold.hits import Hits
    from rankgold.plots import Plot

USAGE = "[OPTIONS] NAME [QRELS RUN...] -o FILE"
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold plot difference qrels.txt bm25.trec expanded.trec -o /tmp/difference.html"""


def add_arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="Which plot. `rankgold plot --list` lists them.")
    parser.add_argument(
        "qrels",
        metavar="QRELS",
        nargs="?",
        help="The judgements: TREC, CSV, TSV, JSON, JSON lines, Parquet or Arrow; - for standard input.",
    )
    parser.add_argument("runs", metavar="RUN", nargs="*", help="One or more runs, in the same formats.")
    parser.add_argument("--list", action="store_true", help="List the plots with what they need, and end.")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="Where to write: FILE.png, .svg, .pdf or .html; never half a file."
    )
    add_measures(parser)
    parser.add_argument("--query", help="The query that is shown, for plots of one.")
    parser.add_argument("--depth", type=_depth, metavar="K", help="How many ranks are shown, at most.")
    parser.add_argument(
        "--discount",
        action="append",
        metavar="DISCOUNT",
        help="A discount such as log2 or zipf(0, 1); may be repeated.",
    )
    parser.add_argument(
        "--theme", choices=("light", "dark"), default="light", help="For light or dark pages; light unless told."
    )
    add_policy_and_columns(parser)


def _depth(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= 1_000_000:
        raise argparse.ArgumentTypeError(f"a whole number from 1 is needed, not {text!r}")
    return int(text)


def run(given: Namespace) -> None:
    from rankgold.plots import plot_called
    from rankgold.plots.export import format_of, rendered, require_converter

    if given.list:
        write(_listed(), None)
        return
    if given.name is None:
        raise PlotError("Which plot? `rankgold plot --list` lists them.")
    chosen = plot_called(given.name)
    if given.output is None:
        raise PlotError("A chart goes to a file: name one with -o, ending in .png, .svg, .pdf or .html.")
    format_ = format_of(given.output)
    sources = [given.qrels, *given.runs] if given.qrels is not None else []
    check_writable(given.output, sources)
    _check_runs(chosen, len(given.runs), bool(sources))
    options = _options(chosen, given)
    require_converter()
    chart = chosen.function(*_data(given), **options, theme=given.theme)
    write_atomically(rendered(chart, format_), given.output)


def _listed() -> str:
    from rankgold.plots import PLOTS

    width = max(map(len, PLOTS))
    lines = [
        f"{name:<{width}}  {plot.summary}\n{'':<{width}}  needs {plot.needs}" for name, plot in sorted(PLOTS.items())
    ]
    return "\n".join([*lines, "", "Try: rankgold plot discount -o discount.png", ""])


def _check_runs(chosen: Plot, count: int, has_files: bool) -> None:
    """Fails before files are read that the plot could not show."""
    if chosen.most == 0 and has_files:
        raise PlotError(f"{chosen.name} takes no files.")
    if not count and (chosen.fewest or has_files):
        raise PlotError(f"{chosen.name} needs {chosen.needs}: rankgold plot {chosen.name} QRELS RUN... -o FILE")
    if chosen.most is not None and count > chosen.most > 0:
        raise PlotError(f"{chosen.name} shows {chosen.needs}, and here are {count} runs.")


def _options(chosen: Plot, given: Namespace) -> dict[str, Any]:
    """The options that were given, under the names that the plot has for them."""
    options: dict[str, Any] = {}
    measures = measures_given(given.measure)
    if measures is not None and "measure" in chosen.options:
        if len(measures) > 1:
            raise PlotError(f"{chosen.name} shows one measure, and here are {len(measures)}.")
        options["measure"] = measures[0]
    elif measures is not None:
        options["measures"] = measures
    for name, value in (("query", given.query), ("depth", given.depth), ("discounts", given.discount)):
        if value is not None:
            options[name] = value
    for name in options:
        if name not in chosen.options:
            raise PlotError(f"{chosen.name} takes no --{name.removesuffix('s')}.")
    return options


def _data(given: Namespace) -> list[dict[str, Hits]]:
    """The runs by name; nothing where no files are given."""
    if given.qrels is None:
        return []
    from rankgold.cli.progress import watched
    from rankgold.matching.runs import match_runs
    from rankgold.policy import Policy

    policy = Policy.of(*(given.policy or ()))
    with watched(1 + 2 * len(given.runs)) as progress:
        every = match_runs(given.qrels, given.runs, policy, columns_given(given.column), progress)
        return [{hits.name: hits for hits in every}]
