"""Draws one measure against another."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.core.accepted import Measures, PlotData
from rankgold.core.errors import PlotError, counted
from rankgold.core.segments import Floats
from rankgold.measures.metric import Measure
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.inputs import PlottedRun, several_measures, single_run
from rankgold.present.plots.labels import (
    axis_name,
    display_text,
    exact_format,
    heading,
    inside_sentence,
    measure_name,
    run_suffix,
)
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import chart_data, measure_scale, tooltips
from rankgold.present.plots.theme import Theme, find_theme

_SIDE, _MARGIN = 320, 56
_BINS = 20
_MAX_POINTS = 1000


@plot()
def scatter(data: PlotData, measures: Measures | None = None, *, theme: str = "light") -> alt.VConcatChart:
    """One measure against another, query by query, with a histogram of each measure at the margins.

    Queries on which both measures agree lie along a rising line. A query far from it is worth explaining: something
    about it matters to one measure and not to the other.

    >>> import rankgold
    >>> chart = rankgold.plots.scatter([[1, 0], [0, 1]], ["p@1", "rr"])
    >>> [(dot["x"], dot["y"]) for dot in chart.vconcat[1].hconcat[0].data.values]
    [(1.0, 1.0), (0.0, 0.5)]
    """
    look = find_theme(theme)
    run = single_run(data)
    chosen = several_measures(measures, [run], ("ap", "ndcg@10"))
    if measures is None:
        chosen = chosen[:2]
    if len(chosen) != 2:
        raise PlotError(f"This plot compares two measures, such as ap and ndcg@10, not {len(chosen)}.")
    queries, x, y, left_out = _paired_values(run, chosen)
    scales = [measure_scale(axis, values) for axis, values in zip(chosen, (x, y), strict=True)]
    edges = [_edges(axis, values) for axis, values in zip(chosen, (x, y), strict=True)]
    if len(x) <= _MAX_POINTS:
        middle, note = _query_dots(queries, x, y, chosen, scales), counted(len(x), "query")
    else:
        middle, note = _count_cells(x, y, edges, chosen, look), f"{counted(len(x), 'query')}, counted in cells"
    above = _histogram(x, edges[0], look, upright=True)
    beside = _histogram(y, edges[1], look, upright=False)
    names = measure_name(chosen[1]), inside_sentence(measure_name(chosen[0]))
    missing = f"{counted(left_out, 'query')} without a value of one of the measures" if left_out else None
    title = heading(f"{names[0]} against {names[1]}{run_suffix(run)}", note, missing, width=_SIDE + _MARGIN)
    return look.vconcat(above, alt.hconcat(middle, beside, spacing=4), title=title, spacing=4, bounds="flush")


def _paired_values(run: PlottedRun, measures: list[Measure]) -> tuple[list[Any], Floats, Floats, int]:
    """The queries that have both values, with the values; and the number of other queries."""
    scores = run.scores(measures)
    x, y = map(scores.values, measures)
    known = np.flatnonzero(~(np.isnan(x) | np.isnan(y)))
    queries = scores.queries()
    if not len(known):
        raise PlotError(f"No query has a value of both {measures[0]} and {measures[1]}.")
    return [queries[i] for i in known.tolist()], x[known], y[known], len(x) - len(known)


def _edges(measure: Measure, values: Floats) -> Floats:
    """The edges of the bins: over the measure's range where it has one."""
    low, high = measure.metric.usual_span
    high = max(high if np.isfinite(high) else 0.0, float(values.max()))
    low = min(low, float(values.min()), 0.0)
    return np.linspace(low, high if high > low else low + 1, _BINS + 1)


def _edge_scale(edges: Floats) -> alt.Scale:
    return alt.Scale(domain=[float(edges[0]), float(edges[-1])], nice=False)


def _measure_axes(measures: list[Measure], scales: list[alt.Scale]) -> dict[str, Any]:
    return {
        "x": alt.X("x:Q", title=axis_name(measures[0]), scale=scales[0]),
        "y": alt.Y("y:Q", title=axis_name(measures[1]), scale=scales[1]),
    }


def _query_dots(
    queries: list[Any], x: Floats, y: Floats, measures: list[Measure], scales: list[alt.Scale]
) -> alt.Chart:
    points = zip(map(display_text, queries), x.tolist(), y.tolist(), strict=True)
    rows = [{"query": query, "x": left, "y": up} for query, left, up in points]
    values = [
        alt.Tooltip(field, title=measure_name(measure), format=exact_format(measure))
        for field, measure in zip(("x:Q", "y:Q"), measures, strict=True)
    ]
    chart: alt.Chart = alt.Chart(chart_data(rows), width=_SIDE, height=_SIDE).mark_point(size=45, opacity=0.6)
    return chart.encode(**_measure_axes(measures, scales), tooltip=tooltips("query:N", *values))


def _count_cells(x: Floats, y: Floats, edges: list[Floats], measures: list[Measure], theme: Theme) -> alt.Chart:
    counts = np.histogram2d(x, y, bins=edges)[0].astype(int)
    rows = [
        {"x": float(edges[0][i]), "x2": float(edges[0][i + 1]), "y": float(edges[1][j]), "y2": float(edges[1][j + 1]),
         "queries": int(counts[i, j])}
        for i, j in zip(*(place.tolist() for place in np.nonzero(counts)), strict=True)
    ]  # fmt: skip
    scales = [_edge_scale(axis) for axis in edges]
    colour = alt.Color("queries:Q", title="Queries", scale=alt.Scale(range=list(theme.shades), type="sqrt"))
    cells: alt.Chart = alt.Chart(chart_data(rows), width=_SIDE, height=_SIDE).mark_rect(
        stroke=theme.background, strokeWidth=0.5
    )
    tooltip = alt.Tooltip("queries:Q", format=",")
    return cells.encode(**_measure_axes(measures, scales), x2="x2:Q", y2="y2:Q", color=colour, tooltip=tooltip)


def _histogram(values: Floats, edges: Floats, theme: Theme, *, upright: bool) -> alt.Chart:
    counts = np.histogram(values, bins=edges)[0]
    bins = zip(edges[:-1].tolist(), edges[1:].tolist(), counts.tolist(), strict=True)
    rows = [{"from": low, "to": high, "queries": count} for low, high, count in bins if count]
    # The outline has the colour of the bar, so that one query among hundreds is still a line that can be seen.
    look: dict[str, Any] = {"color": theme.series[0], "opacity": 0.55, "stroke": theme.series[0], "strokeWidth": 1}
    bars: alt.Chart = alt.Chart(chart_data(rows)).mark_bar(binSpacing=3, **look)
    bars = bars.encode(tooltip=[alt.Tooltip("from:Q", format=".2f"), alt.Tooltip("to:Q", format=".2f"), "queries:Q"])
    binned: dict[str, Any] = {"bin": "binned", "axis": None, "scale": _edge_scale(edges)}
    if upright:
        bars = bars.encode(x=alt.X("from:Q", **binned), x2="to:Q", y=alt.Y("queries:Q", axis=None))
        return bars.properties(width=_SIDE, height=_MARGIN)
    bars = bars.encode(y=alt.Y("from:Q", **binned), y2="to:Q", x=alt.X("queries:Q", axis=None))
    return bars.properties(width=_MARGIN, height=_SIDE)
