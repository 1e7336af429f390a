"""One run in, a chart of a measure of every query out."""

from __future__ import annotations

from typing import Any, Literal

import numpy as np

from rankgold.accepted import PlotData
from rankgold.declaration.metric import Measure
from rankgold.errors import counted
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading, run_suffix, unique_labels
from rankgold.plots.inputs import QueryValues, single_measure, single_run
from rankgold.plots.measure_text import axis_name, exact_format, mean_name, measure_name, title_number
from rankgold.plots.registry import plot
from rankgold.plots.scales import chart_data, measure_scale, none_if_nan, outlined_text, query_y, tooltips
from rankgold.plots.selection import NAMED, ShownQueries, worst_to_best
from rankgold.plots.sorted_bars import SORTED_HEIGHT, thin_bars, with_edges
from rankgold.plots.theme import WIDTH, Theme, find_theme, rows_height


@plot()
def per_query(data: PlotData, measure: str | Measure | None = None, *, theme: str = "light") -> alt.LayerChart:
    """A measure of every query, with the mean.

    Queries far to the left of the dashed mean line have most to gain. Where all values are near 0 or 1, the mean
    between them describes no query.

    >>> import rankgold
    >>> chart = rankgold.plots.per_query([[1, 0], [0, 1]], "rr")
    >>> [(bar["query"], bar["value"]) for bar in chart.data.values]
    [('1', 1.0), ('2', 0.5)]
    """
    look = find_theme(theme)
    run = single_run(data)
    chosen = single_measure(measure, [run], "ap")
    values = run.values(chosen)
    shown = worst_to_best(values.values, higher_is_better=chosen.higher_is_better)
    text = f"{measure_name(chosen)} per query{run_suffix(run)}"
    title = heading(text, shown.note, ends_line(values, shown, chosen), undefined_line(values))
    return query_bars(values, shown, chosen, look, WIDTH).properties(title=title)


def undefined_line(values: QueryValues) -> str | None:
    """How many queries have no value; None where all have one."""
    count = int(np.isnan(values.values).sum())
    return f"{counted(count, 'query')} without a value" if count else None


def ends_line(values: QueryValues, shown: ShownQueries, measure: Measure) -> str | None:
    """How many of many queries have the worst and the best value: only some of them are named."""
    if not shown.is_crowded:
        return None
    ends = (values.values[shown.positions[0]], values.values[shown.positions[-1]])
    worst, best = (f"{title_number(value, measure)} in {int((values.values == value).sum()):,}" for value in ends)
    return f"worst: {worst}; best: {best}"


def query_bars(values: QueryValues, shown: ShownQueries, measure: Measure, theme: Theme, width: int) -> alt.LayerChart:
    """A bar for each query that is shown, and a line at the mean of all queries."""
    names = unique_labels(values.queries[i] for i in shown.positions)
    rows: list[dict[str, Any]] = [
        {"query": name, "value": none_if_nan(values.values[i])}
        for name, i in zip(names, shown.positions.tolist(), strict=True)
    ]
    label = axis_name(measure)
    base = alt.Chart().encode(
        x=alt.X("value:Q", title=label, scale=measure_scale(measure, [*(row["value"] for row in rows), values.mean])),
        tooltip=tooltips("query:N", alt.Tooltip("value:Q", title=label, format=exact_format(measure))),
    )
    highest = max([1.0, *(row["value"] or 0.0 for row in rows)])
    line = [] if np.isnan(values.mean) else _mean_line(values.mean, highest, measure, theme)
    if shown.is_crowded:
        rows = with_edges(rows, shown)
        bars = thin_bars(base.encode(color=alt.value(theme.series[0])), rows, shown, (NAMED, NAMED), theme)
        return theme.layer(*bars, *line, data=chart_data(rows), width=width, height=SORTED_HEIGHT)
    base = base.encode(y=query_y(names))
    text = alt.Text("value:Q", format=exact_format(measure))
    numbers = outlined_text(base, text, theme, align="left", dx=4, color=theme.muted)
    layers = [base.mark_bar(), *line, *numbers]
    return theme.layer(*layers, data=chart_data(rows), width=width, height=rows_height(len(rows)))


def _mean_line(mean: float, highest: float, measure: Measure, theme: Theme) -> list[alt.Chart]:
    """A dashed line at the mean, with its value above."""
    text = f"{mean_name(measure)} {title_number(mean, measure)}"
    row = chart_data([{"mean": float(mean), "text": text}])
    base = alt.Chart(row).encode(x=alt.X("mean:Q"), tooltip=alt.Tooltip("text:N", title="over all queries"))
    rule = base.mark_rule(color=theme.mark, strokeDash=[5, 3], strokeWidth=1.5)
    # Near an end of the axis the text is on the inner side of the line.
    side: Literal["left", "right", "center"] = (
        "left" if mean < 0.2 * highest else "right" if mean > 0.8 * highest else "center"
    )
    word = base.mark_text(y=-9, align=side, color=theme.mark, fontWeight=600).encode(text="text:N")
    return [rule, word]
