"""Runs in, a chart of how the values of a measure are spread over the queries out."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.accepted import Measures, PlotData
from rankgold.comparison.mean_intervals import Ends
from rankgold.declaration.metric import Measure
from rankgold.errors import counted
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading, run_suffix, undefined_note
from rankgold.plots.inputs import PlottedRun, QueryValues, runs_to_plot, several_measures
from rankgold.plots.measure_text import axis_name, exact_format, measure_name
from rankgold.plots.query_stacks import MAX_DOTS, stack_queries
from rankgold.plots.registry import plot
from rankgold.plots.scales import chart_data, measure_scale, name_scale, none_if_nan, series_colour, series_scale
from rankgold.plots.selection import first_measures
from rankgold.plots.theme import WIDTH, Theme, find_theme
from rankgold.plots.uncertainty import LEVEL, are_known, interval_tooltip, mean_intervals

_QUARTILES = ("least", "lower", "median", "upper", "most")
_ROW = 84
_BELOW_STACKS = -0.48
"""How far the row goes on below its stacks, where the highest is 1: there is the box."""
_BOX, _BELOW_BOX = 0.6, 0.78
"""Where the middles of the box and of the mean are, as shares of the row's height."""


@plot(max_runs=None)
def distribution(
    data: PlotData, measures: Measures | None = None, *, theme: str = "light"
) -> alt.LayerChart | alt.VConcatChart:
    """The distribution of a measure over the queries of each run: a dot for every query, above a box of the quartiles.

    Dots of the same value are stacked, and columns replace them where queries are many. The box holds the middle half
    of the queries, its line is the median, and the diamond is the mean, in a line that is its 95 % confidence interval:
    the more queries, the shorter. High stacks at both ends mean that the run
    answers some queries well and fails on the others.

    >>> import rankgold
    >>> chart = rankgold.plots.distribution([[1, 0], [0, 1], [0, 0]], "rr")
    >>> chart.data.values[0]["median"]
    0.5
    """
    look = find_theme(theme)
    runs = runs_to_plot(data)
    chosen, measures_note = first_measures(several_measures(measures, runs, ("ndcg@10",)))
    intervals = mean_intervals(runs, chosen)
    has_intervals = are_known(ends for by_measure in intervals for ends in by_measure.values())
    panels, is_counted = [], False
    for measure in chosen:
        known = [_values_without_nan(run, measure) for run in runs]
        is_counted |= max(len(values.values) for values in known) > MAX_DOTS
        ends = [by_measure[measure] for by_measure in intervals]
        panels.append(_box_panel(known, ends, [run.name for run in runs], measure, look))
    what = measure_name(chosen[0]) if len(chosen) == 1 else "Measures"
    title = heading(
        f"{what} over {counted(max(run.count for run in runs), 'query')}{run_suffix(*runs)}",
        "box: the middle half of the queries and the median; diamond: the mean"
        + (f" and its {LEVEL} interval" if has_intervals else ""),
        "columns: how many queries have about this value; the highest count is above" if is_counted else None,
        measures_note,
        undefined_note(runs, chosen),
    )
    chart: alt.LayerChart | alt.VConcatChart = panels[0] if len(panels) == 1 else look.vconcat(*panels, spacing=14)
    return chart.properties(title=title)


def _values_without_nan(run: PlottedRun, measure: Measure) -> QueryValues:
    """The queries that have a value, the values, and their mean."""
    values = run.values(measure)
    known = np.flatnonzero(~np.isnan(values.values))
    return QueryValues([values.queries[i] for i in known], values.values[known], values.mean)


def _box_panel(
    known: list[QueryValues], intervals: list[Ends], names: list[str], measure: Measure, theme: Theme
) -> alt.LayerChart:
    """A row for each run: its queries in stacks, above a box."""
    label = axis_name(measure)
    rows = alt.Y("run:N", title=None, scale=name_scale(names, paddingInner=0.25, paddingOuter=0.15))
    rows = rows.axis(labels=len(names) > 1, labelFontSize=12, labelPadding=12, domain=False)
    scale = measure_scale(measure, [value for run_values in known for value in run_values.values.tolist()])
    exact = exact_format(measure)
    colour = series_colour("run:N", names, theme)
    base = alt.Chart().encode(
        x=alt.X("middle:Q", title=label, scale=scale),
        y=rows,
        yOffset=alt.YOffset("height:Q", scale=alt.Scale(domain=[1, _BELOW_STACKS])),
        color=colour,
    )
    queries = stack_queries(base, names, known, measure, theme)
    boxes = [
        _box(name, run_values, ends)
        for name, run_values, ends in zip(names, known, intervals, strict=True)
        if len(run_values.values)
    ]
    summary = [alt.Tooltip(f"{number}:Q", title=number, format=exact) for number in (*_QUARTILES, "mean")]
    summary += interval_tooltip(intervals, exact)
    box = alt.Chart().encode(y=rows, yOffset=alt.value(_ROW * _BOX), color=colour, tooltip=summary)
    span = box.mark_rule(strokeWidth=1.2).encode(x=alt.X("least:Q", title=label, scale=scale), x2="most:Q")
    stroke = alt.Stroke("run:N", scale=series_scale(names, theme), legend=None)
    middle = box.mark_bar(height=11, fill=theme.background, strokeWidth=1.4)
    middle = middle.encode(x=alt.X("lower:Q", title=label), x2="upper:Q", stroke=stroke)
    median_mark = box.mark_tick(thickness=3, height=12).encode(x=alt.X("median:Q", title=label))
    diamond = box.mark_point(shape="diamond", size=55, stroke=theme.background, strokeWidth=1)
    below = alt.value(_ROW * _BELOW_BOX)
    mean_mark = diamond.encode(x=alt.X("mean:Q", title=label), yOffset=below)
    interval = box.mark_rule(strokeWidth=2.5).encode(x=alt.X("low:Q", title=label), x2="high:Q", yOffset=below)
    layers = (span, middle, median_mark, interval, mean_mark, *queries)
    return theme.layer(*layers, data=chart_data(boxes), width=WIDTH, height=_ROW * max(len(names), 1))


def _box(name: str, run_values: QueryValues, interval: Ends) -> dict[str, Any]:
    quartiles = np.quantile(run_values.values, [0, 0.25, 0.5, 0.75, 1]).tolist()
    low, high = map(none_if_nan, interval)
    return {
        "run": name,
        **dict(zip(_QUARTILES, quartiles, strict=True)),
        "mean": run_values.mean,
        "low": low,
        "high": high,
    }
