"""Draws the means of several runs."""

from __future__ import annotations

import math

from rankgold.comparison.mean_intervals import Ends
from rankgold.core.accepted import Measures, PlotData
from rankgold.measures.metric import Measure
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.inputs import MAX_RUNS, best_runs_note, runs_to_plot, several_measures
from rankgold.present.plots.labels import (
    axis_name,
    exact_format,
    heading,
    inside_sentence,
    measure_name,
    undefined_note,
    wrapped,
)
from rankgold.present.plots.layers import LEVEL, are_known, interval_tooltip, mean_intervals
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import chart_data, measure_scale, name_scale, none_if_nan, outlined_text, tooltips
from rankgold.present.plots.theme import WIDTH, Theme, find_theme

_ROW = 28
_PANEL = 150
_GAP = 18
_PER_ROW = 4


@plot(max_runs=None)
def leaderboard(
    data: PlotData, measures: Measures | None = None, *, theme: str = "light"
) -> alt.HConcatChart | alt.VConcatChart:
    """The means of several runs, a column for each measure, with the best run of each column in full colour.

    The runs are sorted by the first measure. Where the dots of another column have a different order, the measures
    disagree about which run is better. The line through a dot is the 95 % confidence interval of the mean. Lines of two
    runs may overlap although the runs differ, since they answer the same queries: `difference` shows that.

    >>> import rankgold
    >>> chart = rankgold.plots.leaderboard({"a": [[0, 1]], "b": [[1, 0]]}, ["rr"])
    >>> [(dot["run"], dot["value"], dot["best"]) for dot in chart.data.values]
    [('b', 1.0, True), ('a', 0.5, False)]
    """
    look = find_theme(theme)
    runs = runs_to_plot(data)
    chosen = several_measures(measures, runs, ("ndcg@10", "ap", "rr"))
    scores = {run.name: run.scores(chosen) for run in runs}
    sign = 1 if chosen[0].higher_is_better else -1
    first = {name: sign * float(scores[name][chosen[0]]) for name in scores}
    runs.sort(key=lambda run: -math.inf if math.isnan(first[run.name]) else first[run.name], reverse=True)
    runs_note = best_runs_note(len(runs))
    runs = runs[:MAX_RUNS]
    width = max(WIDTH // len(chosen), _PANEL)
    intervals = mean_intervals(runs, chosen)
    panels = []
    for i, measure in enumerate(chosen):
        means = {run.name: float(scores[run.name][measure]) for run in runs}
        ends = {run.name: known[measure] for run, known in zip(runs, intervals, strict=True)}
        panels.append(_mean_panel(measure, means, ends, i % _PER_ROW == 0, width, look))
    name = inside_sentence(measure_name(chosen[0]))
    has_intervals = are_known(ends for known in intervals for ends in known.values())
    lines_note = f"lines: {LEVEL} confidence intervals of the means" if has_intervals else None
    title = heading(f"Runs by {name}", lines_note, runs_note, undefined_note(runs, chosen))
    if len(panels) <= _PER_ROW:
        return look.hconcat(*panels, title=title, spacing=_GAP)
    rows = [panels[i : i + _PER_ROW] for i in range(0, len(panels), _PER_ROW)]
    return look.vconcat(*(alt.hconcat(*row, spacing=_GAP) for row in rows), title=title, spacing=_GAP)


def _mean_panel(
    measure: Measure, means: dict[str, float], intervals: dict[str, Ends], is_first: bool, width: int, theme: Theme
) -> alt.ChartType:
    """The means of one measure with their intervals; only the first panel of a row names the runs."""
    known = [value for value in means.values() if not math.isnan(value)]
    best = (max if measure.higher_is_better else min)(known) if known else math.nan
    rows = []
    for name, value in means.items():
        low, high = map(none_if_nan, intervals[name])
        rows.append({"run": name, "value": none_if_nan(value), "best": value == best, "low": low, "high": high})
    axis = alt.Axis(grid=True, domain=False, labelFontSize=12, labels=is_first)
    scale = measure_scale(measure, [*means.values(), *(end for ends in intervals.values() for end in ends)])
    exact = alt.Tooltip("value:Q", title=measure_name(measure), format=exact_format(measure))
    base = alt.Chart().encode(
        y=alt.Y("run:N", title=None, axis=axis, scale=name_scale(list(means))),
        x=alt.X("value:Q", title=wrapped(axis_name(measure), width, 12), scale=scale, axis=alt.Axis(tickCount=5)),
        tooltip=tooltips("run:N", exact, *interval_tooltip(intervals.values(), exact_format(measure))),
    )
    colour = alt.condition("datum.best", alt.value(theme.series[0]), alt.value(theme.muted))
    dots = base.mark_point(size=64).encode(color=colour)
    lines = base.mark_rule(strokeWidth=2, opacity=0.6).encode(x="low:Q", x2="high:Q", color=colour)
    text = alt.Text("value:Q", format=exact_format(measure))
    outline, numbers = outlined_text(base, text, theme, dy=-11, fontSize=10, color=theme.muted)
    return alt.layer(lines, outline, dots, numbers, data=chart_data(rows)).properties(
        width=width, height=_ROW * len(rows)
    )
