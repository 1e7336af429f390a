"""Draws a measure at every cutoff, for one run, several, or NDCG over its grades."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

from rankgold.core.accepted import PlotData
from rankgold.core.errors import counted
from rankgold.core.hits import Hits
from rankgold.measures.metric import Measure
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.inputs import PlottedRun, measure_among, runs_to_plot, single_measure, single_run
from rankgold.present.plots.labels import (
    direction,
    exact_format,
    heading,
    measure_name,
    number_format,
    query_suffix,
    short_grade,
    undefined_note,
)
from rankgold.present.plots.layers import above_strip, graded_documents, relevance_strip
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import (
    FEW_RANKS,
    chart_data,
    curve_cutoffs,
    cut_note,
    document_tooltip,
    measure_scale,
    outlined_text,
    rank_cell,
    rank_x,
    sampled_note,
    series_lines,
    tooltips,
    values_at,
)
from rankgold.present.plots.theme import HEIGHT, WIDTH, Theme, find_theme

_ROOM_FOR_NUMBERS = 15


@plot()
def curve(
    data: PlotData,
    measure: str | Measure | None = None,
    *,
    query: Hashable = None,
    depth: int | None = None,
    theme: str = "light",
) -> alt.VConcatChart:
    """A measure at every cutoff of one ranking, above the ranking.

    Read the line from left to right, as a user reads down the list: precision falls at each document that is not
    relevant and rises at each that is. The strip shows the documents, coloured by grade.

    >>> import rankgold
    >>> chart = rankgold.plots.curve([1, 0, 1, 0, 1], "p")
    >>> [round(point["value"], 2) for point in chart.vconcat[0].data.values]
    [1.0, 0.5, 0.67, 0.5, 0.6]
    """
    look = find_theme(theme)
    run = single_run(data).for_query(query)
    chosen = single_measure(measure, [run], "p")
    cutoffs = curve_cutoffs(chosen, int(run.hits.returned[0]), depth)
    line = cutoff_line(run, chosen, cutoffs, look)
    strip = relevance_strip(run, chosen, cutoffs[-1], look)
    return above_strip(line, strip, look, curve_title(run, chosen, cutoffs))


def curve_title(run: PlottedRun, measure: Measure, cutoffs: list[int]) -> alt.TitleParams:
    """The title of a curve of one query, with what the curve does not show."""
    text = f"{measure_name(measure, cutoff=False)} at k{query_suffix(run)}"
    return heading(text, cut_note(measure, cutoffs[-1], int(run.hits.returned[0])), sampled_note(cutoffs))


def cutoff_line(run: PlottedRun, measure: Measure, cutoffs: list[int], theme: Theme) -> alt.ChartType:
    """A panel with the line of a measure over the cutoffs; its axis has labels only in the panel below."""
    values = values_at(run, measure, cutoffs)
    dips = _dips([value for _, value in values])
    rows = [{"k": k, "value": value, "dip": dip} for (k, value), dip in zip(values, dips, strict=True)]
    name = measure_name(measure, cutoff=False)
    base = alt.Chart().encode(
        x=rank_x("k:Q", None, cutoffs[-1]),
        y=alt.Y("value:Q", title=f"{name} at k", scale=measure_scale(measure, (row["value"] for row in rows))),
        tooltip=tooltips("k:Q", alt.Tooltip("value:Q", title=name, format=exact_format(measure))),
    )
    line, points = base.mark_line(), base.mark_point(size=55)
    layers = [line, points]
    if len(rows) <= _ROOM_FOR_NUMBERS:
        text = alt.Text("value:Q", format=number_format(measure))
        above = outlined_text(base.transform_filter("!datum.dip"), text, theme, dy=-12)
        below = outlined_text(base.transform_filter("datum.dip"), text, theme, dy=14)
        # The outlines interrupt the line, but cover no point.
        layers = [line, above[0], below[0], points, above[1], below[1]]
    return alt.layer(*layers, data=chart_data(rows)).properties(width=WIDTH, height=HEIGHT)


def _dips(values: list[float | None]) -> list[bool]:
    """Where the line falls and rises again: there the number is put below the line, if there is room."""
    known = [value or 0.0 for value in values]
    room = 0.12 * max([*known, 0.0])
    neighbours = zip([math.inf, *known], known, [*known[1:], math.inf], strict=False)
    return [before > value < after and value > room for before, value, after in neighbours]


@plot(max_runs=None)
def curves(
    data: PlotData, measure: str | Measure | None = None, *, depth: int | None = None, theme: str = "light"
) -> alt.LayerChart:
    """A measure at every cutoff, a line for each run.

    The higher line is better at that depth, unless lower is better. Where two lines cross, one run is better at the top
    and the other further down.

    >>> import rankgold
    >>> chart = rankgold.plots.curves({"top": [1, 1, 0], "bottom": [0, 1, 1]}, "p")
    >>> [round(point["value"], 2) for point in chart.data.values if point["run"] == "bottom"]
    [0.0, 0.5, 0.67]
    """
    look = find_theme(theme)
    runs = runs_to_plot(data)
    chosen = single_measure(measure, runs, "ndcg")
    longest = max((int(run.data.returned.max(initial=1)) for run in runs if isinstance(run.data, Hits)), default=1)
    cutoffs = curve_cutoffs(chosen, longest, depth)
    rows: list[dict[str, Any]] = [
        {"run": run.name, "k": k, "value": value} for run in runs for k, value in values_at(run, chosen, cutoffs)
    ]
    last = max(row["k"] for row in rows)
    names = [run.name for run in runs]
    label = measure_name(chosen, cutoff=False)
    scale = measure_scale(chosen, (row["value"] for row in rows))
    base = alt.Chart().encode(
        x=rank_x("k:Q", "k", last),
        y=alt.Y("value:Q", title=f"{label} at k{direction(chosen)}", scale=scale),
        tooltip=tooltips("run:N", "k:Q", alt.Tooltip("value:Q", title=label, format=exact_format(chosen))),
    )
    base, lines = series_lines(base, "run:N", names, look, "Run" if len(runs) > 1 else None)
    points = base.mark_point(size=40 if last <= FEW_RANKS else 18)
    counts = [run.count for run in runs]
    least = f"{min(counts):,} to " if min(counts) < max(counts) else ""
    over = f"{chosen.metric.aggregate.name} of {least}{counted(max(counts), 'query')}" if max(counts) > 1 else None
    left_out = undefined_note(runs, [chosen @ row["k"] for row in rows])
    has_lists = any(isinstance(run.data, Hits) for run in runs)
    cut = (cut_note(chosen, cutoffs[-1], longest), sampled_note(cutoffs)) if has_lists else ()
    title = heading(f"{label} at k", over, left_out, *cut)
    return look.layer(lines, points, data=chart_data(rows), width=WIDTH, height=HEIGHT, title=title)


_ROOM_FOR_LETTERS = 55
_HEIGHT = 90
_MAX_TICKS = 10


@plot()
def ndcg(
    data: PlotData,
    measure: str | Measure | None = None,
    *,
    query: Hashable = None,
    depth: int | None = None,
    theme: str = "light",
) -> alt.VConcatChart:
    """NDCG at every cutoff of one ranking, above the grades of its documents.

    The line is at 1 as long as no better document could be higher up. It drops where the bars show a low grade while a
    better document comes later or was not found.

    >>> import rankgold
    >>> chart = rankgold.plots.ndcg([3, 0, 2])
    >>> [(bar["rank"], bar["grade"]) for bar in chart.vconcat[1].data.values]
    [(1, 3.0), (2, 0.0), (3, 2.0)]
    """
    look = find_theme(theme)
    run = single_run(data).for_query(query)
    chosen = measure_among(measure, run, "ndcg", "dcg", "cg")
    cutoffs = curve_cutoffs(chosen, int(run.hits.returned[0]), depth)
    line, bars = cutoff_line(run, chosen, cutoffs, look), _grade_bars(run, cutoffs[-1], look)
    return above_strip(line, bars, look, curve_title(run, chosen, cutoffs))


def _grade_bars(run: PlottedRun, depth: int, theme: Theme) -> alt.ChartType:
    """The grades of the first query's documents as bars; a dash where a document is not judged."""
    grades, documents = graded_documents(run, depth, theme)
    rows = [
        {
            **row,
            **rank_cell(row["rank"], depth, 0.42),
            "height": row["grade"] or 0.0,
            "label": short_grade(row["grade"]),
        }
        for row in documents
    ]
    letters = sum(max(len(row["label"]), 2) for row in rows)
    heights = [float(row["height"]) for row in rows]
    top = max([run.hits.max_grade, 1.0, *heights])
    has_whole_ticks = all(height.is_integer() for height in heights) and top <= _MAX_TICKS
    ticks: dict[str, Any] = {"format": "d", "values": list(range(int(top) + 1))} if has_whole_ticks else {}
    base = alt.Chart().encode(
        y=alt.Y("height:Q", title="Grade").scale(domain=[min([0.0, *heights]), top], nice=False).axis(**ticks),
        tooltip=document_tooltip(rows),
    )
    bars = base.mark_bar().encode(
        x=rank_x("from:Q", "Rank", depth).bin("binned"), x2="to:Q", color=grades.encoding(legend=None)
    )
    layers = [bars]
    if letters <= _ROOM_FOR_LETTERS:
        above = base.encode(x=rank_x("rank:Q", "Rank", depth))
        layers += outlined_text(above, alt.Text("label:N"), theme, dy=-7, color=theme.muted)
    return alt.layer(*layers, data=chart_data(rows)).properties(width=WIDTH, height=_HEIGHT)
