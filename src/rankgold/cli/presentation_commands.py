"""Describes plot and report."""

from __future__ import annotations

import os
from argparse import Namespace
from typing import TYPE_CHECKING, Any

from rankgold.cli import shared_options
from rankgold.cli.command import add_engine, add_options, engine_keywords, keywords
from rankgold.cli.console import write
from rankgold.cli.parser import Command, Parser, example_on_samples
from rankgold.comparison import DrawnTest, Randomization
from rankgold.core.document import Document, ResultTable
from rankgold.core.errors import PlotError
from rankgold.present import Page, report
from rankgold.present.outputs.text import shown_document
from rankgold.scoring import evaluate, match

if TYPE_CHECKING:
    from rankgold.core.hits import Hits
    from rankgold.present.plots import Plot


PLOT_USAGE = "[OPTIONS] NAME [QRELS RUN...] -o FILE"
PLOT_EXAMPLE = example_on_samples("rankgold plot difference qrels.txt bm25.trec expanded.trec -o /tmp/difference.html")
# The help for a plot is its own: `rankgold plot forest --help`.
PLOT_PARSER = {"help_waits": True}
_SAMPLE_RUNS = ("titles.trec", "bm25.trec", "expanded.trec")


def add_plot_arguments(parser: Parser) -> None:
    parser.set_defaults(parser=parser)
    parser.add_argument("name", metavar="NAME", nargs="?", help="The plot to draw. `rankgold plot --list` lists them.")
    shared_options.add_qrels(parser, nargs="?")
    shared_options.add_runs(parser)
    parser.add_argument("--list", action="store_true", help="List the plots with what they need, and exit.")
    parser.add_argument("-o", "--output", metavar="FILE", help="Write to FILE.png, .svg, .pdf or .html (atomically).")
    add_options(parser, evaluate, "measures")
    add_options(parser, match, of="rows")
    parser.add_argument("-q", "--query", help="The query to show, for plots of one query.")
    parser.add_argument("--depth", type=shared_options.whole_number, metavar="K", help="The most ranks to show.")
    parser.add_argument(
        "--discount",
        action="append",
        metavar="DISCOUNT",
        help="A discount such as log2 or zipf(0, 1); may be repeated.",
    )
    parser.add_argument(
        "--theme", choices=("light", "dark"), default="light", help="For light or dark pages; default: light."
    )
    shared_options.add_slices(parser)
    add_engine(parser)
    shared_options.add_quiet(parser)


def run_plot(options: Namespace) -> None:
    if options.help and options.name is None:
        options.parser.print_help()
        return
    from rankgold.present.plots import find_plot
    from rankgold.present.plots.chart_files import chart_format, render_chart, require_libraries
    from rankgold.present.plots.scales import check_depth

    if options.help:
        _print_help(options.parser, find_plot(options.name))
        return
    if options.list:
        write(shown_document(_all_plots()), None)
        return
    if options.name is None:
        raise PlotError("Name a plot. `rankgold plot --list` lists them.")
    if os.path.exists(options.name):
        raise PlotError(f"Name the plot before the files ({options.name!r} is a file): rankgold plot {PLOT_USAGE}")
    plot = find_plot(options.name)
    if options.output is None:
        raise PlotError("Name a file for the chart with -o, ending in .png, .svg, .pdf or .html.")
    format_ = chart_format(options.output)
    _check_runs(plot, len(options.runs) or int(options.qrels is not None), options.qrels is not None)
    check_depth(options.depth, default=1)
    chosen = _plot_keywords(plot, options)
    require_libraries()
    chart = plot.function(*_data(options), **chosen, theme=options.theme)
    write(render_chart(chart, format_), options.output)


def _print_help(parser: Parser, plot: Plot) -> None:
    """The help of one plot, with what it shows and an example of it."""
    parser.description = f"{plot.summary}\n\n{plot.how_to_read}\n\nIt needs {plot.needs}."
    parser.epilog = example_on_samples(_example(plot))
    parser.print_help()


def _example(plot: Plot) -> str:
    """The command that draws a plot of the sample data."""
    runs = _SAMPLE_RUNS if plot.max_runs is None else _SAMPLE_RUNS[1 : 1 + plot.max_runs]
    query = ["-q", "q10"] if plot.is_of_one_query else []
    slices = ["--slices", "attributes.csv"] if "by" in plot.options else []
    words = [plot.name, *(["qrels.txt", *runs] if runs else []), *query, *slices, "-o", f"/tmp/{plot.name}.html"]
    return f"rankgold plot {' '.join(words)}"


def _all_plots() -> Document:
    from rankgold.present.plots import PLOTS

    rows = [row for name, plot in sorted(PLOTS.items()) for row in ((name, plot.summary), ("", f"needs {plot.needs}"))]
    return Document([ResultTable((), rows, "ll")], notes=["", "Try: rankgold plot discount -o discount.png"])


def _check_runs(plot: Plot, count: int, has_files: bool) -> None:
    """Raises an error for files that the plot cannot show, before they are read."""
    if plot.max_runs == 0 and has_files:
        raise PlotError(f"{plot.name} takes no files.")
    if not count and (plot.min_runs or has_files):
        raise PlotError(f"{plot.name} needs {plot.needs}: rankgold plot {plot.name} QRELS RUN... -o FILE")
    if plot.max_runs is not None and count > plot.max_runs > 0:
        raise PlotError(f"{plot.name} shows {plot.runs}, not {count} runs.")


def _plot_keywords(plot: Plot, options: Namespace) -> dict[str, Any]:
    """The options of the command line under the names of the plot's parameters."""
    chosen: dict[str, Any] = {}
    measures = shared_options.measure_names(options.measure)
    if measures is not None and "measure" in plot.options:
        if len(measures) > 1:
            raise PlotError(f"{plot.name} shows one measure, not {len(measures)}.")
        chosen["measure"] = measures[0]
    elif measures is not None:
        chosen["measures"] = measures
    for name, value in (("query", options.query), ("depth", options.depth), ("discounts", options.discount)):
        if value is not None:
            chosen[name] = value
    for name in chosen:
        if name not in plot.options:
            raise PlotError(f"{plot.name} takes no --{name.removesuffix('s')}.")
    slices = shared_options.chosen_slices(options)
    if slices is not None:
        if "by" not in plot.options:
            raise PlotError(f"{plot.name} takes no slices. The plot forest does.")
        from rankgold.data.attributes import as_table

        chosen["by"] = as_table(slices, [options.qrels, *options.runs], shared_options.column_names(options.column))
    return chosen


def _data(options: Namespace) -> list[dict[str, Hits]]:
    """The runs by name, as the only argument; no argument without files."""
    if options.qrels is None:
        return []
    from rankgold.cli.console import progress_bar
    from rankgold.engines.request import Request
    from rankgold.scoring.evaluation import hits_of

    data = keywords(options, match, of="rows")
    with engine_keywords(options) as engine, progress_bar(1 + 2 * len(options.runs), options.quiet) as progress:
        sources = {"qrels": options.qrels, "run": options.runs or None}
        request = Request.of(sources, progress=progress, **data, **engine)
        return [{hits.name: hits for hits in hits_of(request)}]


REPORT_USAGE = "[OPTIONS] QRELS RUN... -o FILE"
REPORT_EXAMPLE = example_on_samples("rankgold report qrels.txt *.trec --queries queries.tsv -o /tmp/report.html")


def add_report_arguments(parser: Parser) -> None:
    shared_options.add_qrels(parser)
    parser.add_input(
        "runs",
        metavar="RUN",
        nargs="+",
        help="One or more runs, in the same formats; or a pattern such as 'runs/*.trec'.",
    )
    add_options(parser, report)
    shared_options.add_slices(parser)
    add_options(parser, Page)
    add_options(parser, DrawnTest, "draws", of="report", unset=True)
    add_engine(parser, matches=False)
    shared_options.add_output(parser)
    shared_options.add_quiet(parser)


def run_report(options: Namespace) -> None:
    from rankgold.cli.console import progress_bar

    chosen = {**keywords(options, report), "by": shared_options.chosen_slices(options)}
    if options.draws is not None:
        chosen["test"] = Randomization(options.draws)
    page = Page(**keywords(options, Page))
    with engine_keywords(options) as engine, progress_bar(7, options.quiet) as progress:
        found = report(options.qrels, options.runs, page=page, progress=progress, **chosen, **engine)
    write(found.html, options.output)


COMMANDS = {
    "plot": Command(PLOT_USAGE, PLOT_EXAMPLE, add_plot_arguments, run_plot, PLOT_PARSER),
    "report": Command(REPORT_USAGE, REPORT_EXAMPLE, add_report_arguments, run_report),
}
