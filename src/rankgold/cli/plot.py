"""`rankgold plot`: files of judgements and runs in, a file with the chart out."""

from __future__ import annotations

from argparse import Namespace
from typing import TYPE_CHECKING, Any

from rankgold.cli.destination import check_writable, write, write_atomically
from rankgold.cli.parser import Parser
from rankgold.cli.shared_options import add_measures, add_policy_and_columns, add_qrels, columns_given, measures_given
from rankgold.errors import PlotError

if TYPE_CHECKING:
    from rankgold.hits import Hits
    from rankgold.plots import Plot

USAGE = "[OPTIONS] NAME [QRELS RUN...] -o FILE"
EXAMPLE = """Example, on the sample data that come with rankgold:

  cd "$(rankgold demo --path)" && rankgold plot difference qrels.txt bm25.trec expanded.trec -o /tmp/difference.html"""


def add_arguments(parser: Parser) -> None:
    parser.add_argument("name", metavar="NAME", nargs="?", help="The plot to draw. `rankgold plot --list` lists them.")
    add_qrels(parser, nargs="?")
    parser.add_argument("runs", metavar="RUN", nargs="*", help="One or more runs, in the same formats.")
    parser.add_argument("--list", action="store_true", help="List the plots with what they need, and exit.")
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="Write to FILE.png, .svg, .pdf or .html, completely or not at all."
    )
    add_measures(parser)
    parser.add_argument("--query", help="The query to show, for plots of one query.")
    parser.add_argument("--depth", type=int, metavar="K", help="How many ranks to show at most.")
    parser.add_argument(
        "--discount",
        action="append",
        metavar="DISCOUNT",
        help="A discount such as log2 or zipf(0, 1); may be repeated.",
    )
    parser.add_argument(
        "--theme", choices=("light", "dark"), default="light", help="For light or dark pages; default: light."
    )
    add_policy_and_columns(parser)


def run(given: Namespace) -> None:
    from rankgold.plots import find_plot
    from rankgold.plots.cutoffs import check_depth
    from rankgold.plots.export import chart_format, render_chart, require_libraries

    if given.list:
        write(_list_of_plots(), None)
        return
    if given.name is None:
        raise PlotError("Name a plot. `rankgold plot --list` lists them.")
    plot = find_plot(given.name)
    if given.output is None:
        raise PlotError("Name a file for the chart with -o, ending in .png, .svg, .pdf or .html.")
    format_ = chart_format(given.output)
    sources = [given.qrels, *given.runs] if given.qrels is not None else []
    check_writable(given.output, sources)
    _check_runs(plot, len(given.runs), bool(sources))
    check_depth(given.depth, default=1)
    options = _options(plot, given)
    require_libraries()
    chart = plot.function(*_data(given), **options, theme=given.theme)
    write_atomically(render_chart(chart, format_), given.output)


def _list_of_plots() -> str:
    from rankgold.plots import PLOTS

    width = max(map(len, PLOTS))
    lines = [
        f"{name:<{width}}  {plot.summary}\n{'':<{width}}  needs {plot.needs}" for name, plot in sorted(PLOTS.items())
    ]
    return "\n".join([*lines, "", "Try: rankgold plot discount -o discount.png", ""])


def _check_runs(plot: Plot, count: int, has_files: bool) -> None:
    """Refuses files that the plot cannot show, before they are read."""
    if plot.max_runs == 0 and has_files:
        raise PlotError(f"{plot.name} takes no files.")
    if not count and (plot.min_runs or has_files):
        raise PlotError(f"{plot.name} needs {plot.needs}: rankgold plot {plot.name} QRELS RUN... -o FILE")
    if plot.max_runs is not None and count > plot.max_runs > 0:
        raise PlotError(f"{plot.name} shows {plot.needs}, not {count} runs.")


def _options(plot: Plot, given: Namespace) -> dict[str, Any]:
    """The options of the command line under the names of the plot's parameters."""
    options: dict[str, Any] = {}
    measures = measures_given(given.measure)
    if measures is not None and "measure" in plot.options:
        if len(measures) > 1:
            raise PlotError(f"{plot.name} shows one measure, not {len(measures)}.")
        options["measure"] = measures[0]
    elif measures is not None:
        options["measures"] = measures
    for name, value in (("query", given.query), ("depth", given.depth), ("discounts", given.discount)):
        if value is not None:
            options[name] = value
    for name in options:
        if name not in plot.options:
            raise PlotError(f"{plot.name} takes no --{name.removesuffix('s')}.")
    return options


def _data(given: Namespace) -> list[dict[str, Hits]]:
    """The runs by name, as the only argument; no argument without files."""
    if given.qrels is None:
        return []
    from rankgold.cli.progress import watched
    from rankgold.evaluation import hits_of_runs
    from rankgold.policy import Policy

    policy = Policy.of(*(given.policy or ()))
    with watched(1 + 2 * len(given.runs)) as progress:
        columns = columns_given(given.column)
        runs = hits_of_runs(given.qrels, given.runs, policy=policy, columns=columns, progress=progress)
        return [{hits.name: hits for hits in runs}]
