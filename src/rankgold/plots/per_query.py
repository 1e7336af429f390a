"""One run in, a chart of a measure of every query out."""

from typing import Any

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.kernels.segments import Ints
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading, query_count, run_suffix, unique_labels
from rankgold.plots.inputs import QueryValues, single_measure, single_run
from rankgold.plots.measure_text import axis_name, exact_format, measure_name, number_format, title_number
from rankgold.plots.registry import plot
from rankgold.plots.scales import chart_data, measure_scale, none_if_nan, outlined_text, query_y, tooltips
from rankgold.plots.selection import worst_and_best
from rankgold.plots.theme import WIDTH, Theme, find_theme, rows_height


@plot()
def per_query(data: Any, measure: Any = None, *, theme: str = "light") -> Any:
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
    order, note = worst_and_best(values.values, higher_is_better=chosen.higher_is_better)
    title = heading(f"{measure_name(chosen)} per query{run_suffix(run)}", note, undefined_line(values))
    return query_bars(values, order, chosen, look, WIDTH).properties(title=title)


def undefined_line(values: QueryValues) -> str | None:
    """How many queries have no value; None where all have one."""
    count = int(np.isnan(values.values).sum())
    return f"{query_count(count)} without a value" if count else None


def query_bars(values: QueryValues, order: Ints, measure: Measure, theme: Theme, width: int) -> Any:
    """A bar for each query in the order, and a line at the mean of all queries."""
    names = unique_labels(values.queries[i] for i in order)
    rows: list[dict[str, Any]] = [
        {"query": name, "value": none_if_nan(values.values[i])} for name, i in zip(names, order.tolist(), strict=True)
    ]
    label = axis_name(measure)
    base = alt.Chart().encode(
        x=alt.X("value:Q", title=label, scale=measure_scale(measure, [*(row["value"] for row in rows), values.mean])),
        y=query_y(names),
        tooltip=tooltips("query:N", alt.Tooltip("value:Q", title=label, format=exact_format(measure))),
    )
    text = alt.Text("value:Q", format=number_format(measure))
    numbers = outlined_text(base, text, theme, align="left", dx=4, color=theme.muted)
    highest = max([1.0, *(row["value"] or 0.0 for row in rows)])
    line = [] if np.isnan(values.mean) else _mean_line(values.mean, highest, measure, theme)
    layers = [base.mark_bar(), *line, *numbers]
    return theme.layer(*layers, data=chart_data(rows), width=width, height=rows_height(len(rows)))


def _mean_line(mean: float, highest: float, measure: Measure, theme: Theme) -> list[Any]:
    """A dashed line at the mean, with its value above."""
    text = f"{measure.metric.aggregate.name} {title_number(mean, measure)}"
    row = chart_data([{"mean": float(mean), "text": text}])
    base = alt.Chart(row).encode(x=alt.X("mean:Q"), tooltip=alt.Tooltip("text:N", title="over all queries"))
    rule = base.mark_rule(color=theme.mark, strokeDash=[5, 3], strokeWidth=1.5)
    # Near an end of the axis the text is on the inner side of the line.
    side = "left" if mean < 0.2 * highest else "right" if mean > 0.8 * highest else "center"
    word = base.mark_text(y=-7, align=side, color=theme.mark, fontWeight=600).encode(text="text:N")
    return [rule, word]
