"""The values of queries in, dots or columns out that stand on each other where values are the same."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import display_text
from rankgold.plots.inputs import QueryValues
from rankgold.plots.measure_text import axis_name, exact_format
from rankgold.plots.scales import chart_data, outlined_text, tooltips
from rankgold.plots.theme import WIDTH, Theme

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
