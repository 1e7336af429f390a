"""Draws how values are spread over queries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgold.comparison.mean_intervals import Ends
from rankgold.core.accepted import Measures, PlotData
from rankgold.core.errors import counted
from rankgold.measures.metric import Measure
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.inputs import PlottedRun, QueryValues, first_measures, runs_to_plot, several_measures
from rankgold.present.plots.labels import (
    axis_name,
    display_text,
    exact_format,
    heading,
    measure_name,
    run_suffix,
    undefined_note,
)
from rankgold.present.plots.layers import LEVEL, are_known, interval_tooltip, mean_intervals
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import (
    chart_data,
    measure_scale,
    name_scale,
    none_if_nan,
    outlined_text,
    series_colour,
    series_scale,
    tooltips,
)
from rankgold.present.plots.theme import WIDTH, Theme, find_theme

MAX_DOTS = 300
"""Where a run has more queries than this, columns replace dots."""
_DOT = 5.5
_HIGHEST_STEP = 0.14


@dataclass(frozen=True, slots=True)
class Stack:
    """Queries of a run with the same value, or with values less than a dot apart."""

    run: str
    queries: list[str]
    values: list[float]

    @property
    def middle(self) -> float:
        """Where the stack stands: at the value, where it is the same for all."""
        return self.values[0] if self.values[0] == self.values[-1] else sum(self.values) / len(self.values)


def stacks_of(name: str, known: QueryValues, measure: Measure) -> list[Stack]:
    """The stacks of a run, from the lowest value to the highest."""
    low, high = measure.metric.span
    span = high - min(low, 0.0) if math.isfinite(high) else float(known.values.max(initial=0.0))
    stacks: list[Stack] = []
    for i in np.argsort(known.values, kind="stable").tolist():
        value = float(known.values[i])
        if not stacks or value - stacks[-1].values[0] > span * _DOT / WIDTH:
            stacks.append(Stack(name, [], []))
        stacks[-1].values.append(value)
        stacks[-1].queries.append(display_text(known.queries[i]))
    return stacks


def stack_queries(
    base: alt.Chart, names: list[str], known: list[QueryValues], measure: Measure, theme: Theme
) -> list[alt.Chart]:
    """Layers over a chart with rows of runs: a dot for each query, or a column for each stack, and the highest counts.

    Heights are from 0 to 1, for the highest stack of all runs, so that runs can be compared.
    """
    stacks = [stacks_of(name, run_values, measure) for name, run_values in zip(names, known, strict=True)]
    highest = [max(run_stacks, key=lambda stack: len(stack.values)) for run_stacks in stacks if run_stacks]
    tallest = max((len(stack.values) for stack in highest), default=1)
    all_stacks = [stack for run_stacks in stacks for stack in run_stacks]
    value, middle = (
        alt.Tooltip(field, title=axis_name(measure), format=exact_format(measure)) for field in ("value:Q", "middle:Q")
    )
    if any(len(run_values.values) > MAX_DOTS for run_values in known):
        step = 1 / tallest
        queries = _columns(base, all_stacks, step, middle)
    else:
        step = min(_HIGHEST_STEP, 1 / max(tallest - 1, 1))
        queries = _dots(base, all_stacks, step, value)
    rows = [
        {"run": stack.run, "middle": stack.middle, "height": (len(stack.values) - 1) * step, "count": len(stack.values)}
        for stack in highest
        if len(stack.values) > 1
    ]
    tops = base.properties(data=chart_data(rows))
    outline, counts = outlined_text(tops, alt.Text("count:Q", format=","), theme, dy=-9, fontSize=10)
    colours = alt.value(theme.background), alt.value(theme.muted)
    return [queries, outline.encode(color=colours[0]), counts.encode(color=colours[1])]


def _dots(base: alt.Chart, stacks: list[Stack], step: float, tooltip: alt.Tooltip) -> alt.Chart:
    rows = [
        {"run": stack.run, "query": query, "value": value, "middle": stack.middle, "height": place * step}
        for stack in stacks
        for place, (query, value) in enumerate(zip(stack.queries, stack.values, strict=True))
    ]
    dots: alt.Chart = base.mark_point(size=22, opacity=0.65).encode(tooltip=tooltips("query:N", tooltip))
    return dots.properties(data=chart_data(rows))


def _columns(base: alt.Chart, stacks: list[Stack], step: float, tooltip: alt.Tooltip) -> alt.Chart:
    """A column is a thick line from its foot to its top."""
    rows = [
        {"run": stack.run, "middle": stack.middle, "queries": len(stack.values), "height": height}
        for stack in stacks
        for height in (0.0, len(stack.values) * step)
    ]
    count_tooltip = alt.Tooltip("queries:Q", title="queries", format=",")
    columns: alt.Chart = base.mark_line(strokeWidth=_DOT - 1, strokeCap="butt")
    return columns.encode(detail="middle:Q", tooltip=[tooltip, count_tooltip]).properties(data=chart_data(rows))


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
