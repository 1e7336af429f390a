"""A measure of every query."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.plots.inputs import Values, chosen_measure, single_run
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import defined, exact_format, lettering, measure_scale, number_format, number_text, records
from rankgold.plots.selection import worst_and_best
from rankgold.plots.theme import WIDTH, Theme, dressed, rows_height, theme_called
from rankgold.plots.words import axis_name, distinct, heading, in_run, measure_name, queries


@plot(of_ranks=False)
def per_query(data: Any, measure: Any = None, *, theme: str = "light") -> Any:
    """A measure of every query, with the mean.

    Look for queries far to the left of the dashed mean line: they are where there is most to be won. A mean in the
    middle of values that all lie at 0 or 1 describes no query at all.

    >>> import rankgold
    >>> chart = rankgold.plots.per_query([[1, 0], [0, 1]], "rr")
    >>> [(bar["query"], bar["value"]) for bar in chart.data.values]
    [('1', 1.0), ('2', 0.5)]
    """
    look = theme_called(theme)
    run = single_run(data)
    chosen = chosen_measure(measure, [run], "ap")
    known = run.values(chosen)
    which, told = worst_and_best(known.values, higher_is_better=chosen.higher_is_better)
    title = f"{measure_name(chosen)} per query{in_run(run.name)}"
    chart = query_bars(known, which, chosen, look, WIDTH)
    return dressed(chart.properties(title=heading(title, told, undefined_line(known))), look)


def undefined_line(known: Values) -> str | None:
    """How many queries have no value, where some have none."""
    count = int(np.isnan(known.values).sum())
    return f"{queries(count)} without a value" if count else None


def query_bars(known: Values, which: Any, measure: Measure, theme: Theme, width: int) -> Any:
    """A bar for each of some queries, and the mean of all."""
    names = distinct(known.queries[i] for i in which)
    rows: list[dict[str, Any]] = [
        {"query": name, "value": defined(known.values[i])} for name, i in zip(names, which.tolist(), strict=True)
    ]
    label = axis_name(measure)
    base = alt.Chart().encode(
        x=alt.X("value:Q", title=label, scale=measure_scale(measure, [*(row["value"] for row in rows), known.mean])),
        y=alt.Y("query:N", title="Query", sort=names, scale=alt.Scale(paddingInner=0.25, paddingOuter=0.125)),
        tooltip=[
            alt.Tooltip("query:N", title="query"),
            alt.Tooltip("value:Q", title=label, format=exact_format(measure)),
        ],
    )
    numbers = lettering(
        base, alt.Text("value:Q", format=number_format(measure)), theme, align="left", dx=4, color=theme.muted
    )
    mean = defined(known.mean)
    line = [] if mean is None else _mean_line(mean, max([1.0, *(row["value"] or 0.0 for row in rows)]), measure, theme)
    layers = [base.mark_bar(), *line, *numbers]
    return alt.layer(*layers, data=records(rows)).properties(width=width, height=rows_height(len(rows)))


def _mean_line(mean: float, highest: float, measure: Measure, theme: Theme) -> list[Any]:
    """A dashed line at the mean, with its value above."""
    text = f"{measure.metric.aggregate.__name__} {number_text(mean, measure)}"
    row = records([{"mean": mean, "text": text}])
    at = alt.Chart(row).encode(x=alt.X("mean:Q"), tooltip=alt.Tooltip("text:N", title="over all queries"))
    rule = at.mark_rule(color=theme.mark, strokeDash=[5, 3], strokeWidth=1.5)
    # At an end of the axis the words stand on its inner side.
    side = "left" if mean < 0.2 * highest else "right" if mean > 0.8 * highest else "center"
    word = at.mark_text(y=-7, align=side, color=theme.mark, fontWeight=600).encode(text="text:N")
    return [rule, word]
