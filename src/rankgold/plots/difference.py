"""What one run scores more or less than another, query by query."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.errors import PlotError
from rankgold.kernels.segments import Floats
from rankgold.plots.inputs import Run, chosen_measure, two_runs
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import exact_format, number_text, records
from rankgold.plots.selection import gains_and_losses
from rankgold.plots.theme import WIDTH, dressed, rows_height, theme_called
from rankgold.plots.words import direction, distinct, heading, measure_name, queries, short, within


@plot(fewest=2, most=2, of_ranks=False)
def difference(data: Any, measure: Any = None, *, theme: str = "light") -> Any:
    """What the second run scores more or less than the first, query by query, sorted.

    Blue bars are queries that the second run does better, orange ones those it does worse, and their length says how
    much. A mean gain that a few long bars carry is another thing than one of many short ones.

    >>> import rankgold
    >>> old, new = rankgold.from_labels([[0, 1], [1, 0]]), rankgold.from_labels([[1, 0], [1, 0]])
    >>> chart = rankgold.plots.difference({"old": old, "new": new}, "rr")
    >>> [(bar["query"], bar["difference"]) for bar in chart.data.values]
    [('1', 0.5), ('2', 0.0)]
    """
    look = theme_called(theme)
    first, second = two_runs(data)
    chosen = chosen_measure(measure, [first, second], "ndcg@10")
    shared, before, after = _shared(first, second, chosen)
    change = after - before
    gain = change if chosen.higher_is_better else -change
    order, told = gains_and_losses(gain)
    names = distinct(shared[i] for i in order)
    rows = [
        {
            "query": name,
            "difference": float(change[i]),
            "first": float(before[i]),
            "second": float(after[i]),
            "kind": "gain" if gain[i] > 0 else "loss" if gain[i] < 0 else "same",
        }
        for name, i in zip(names, order.tolist(), strict=True)
    ]
    label = measure_name(chosen)
    exact = exact_format(chosen)
    limit = float(np.abs(change).max(initial=0.0)) or 1.0
    base = alt.Chart().encode(
        x=alt.X(
            "difference:Q",
            title=f"Difference in {within(label)}{direction(chosen)}",
            scale=alt.Scale(domain=[-limit * 1.05, limit * 1.05], nice=False),
            axis=alt.Axis(labelExpr="datum.value == 0 ? '0' : format(datum.value, '+.2~f')"),
        ),
        y=alt.Y("query:N", title="Query", sort=names, scale=alt.Scale(paddingInner=0.25, paddingOuter=0.125)),
        tooltip=[
            alt.Tooltip("query:N", title="query"),
            alt.Tooltip("first:Q", title="first run", format=exact),
            alt.Tooltip("second:Q", title="second run", format=exact),
            alt.Tooltip("difference:Q", title="difference", format=f"+{exact}"),
        ],
    )
    colours = alt.Scale(domain=["gain", "loss", "same"], range=[look.gain, look.loss, look.axis])
    bars = base.mark_bar().encode(color=alt.Color("kind:N", scale=colours, legend=None))
    zero = alt.Chart(records([{"zero": 0}])).mark_rule(color=look.axis, strokeWidth=1.5).encode(x="zero:Q")
    better, worse = int((gain > 0).sum()), int((gain < 0).sum())
    summary = (
        f"better in {better:,}, worse in {worse:,}, the same in {len(change) - better - worse:,};"
        f" {number_text(float(before.mean()), chosen)} → {number_text(float(after.mean()), chosen)} in the mean"
    )
    missing = max(first.count, second.count) - len(shared)
    left_out = f"{queries(missing)} without a value in one of the runs" if missing else None
    title = heading(f"{label}: {short(second.name, 24)} against {short(first.name, 24)}", summary, told, left_out)
    chart = alt.layer(bars, zero, data=records(rows)).properties(
        width=WIDTH, height=rows_height(len(rows)), title=title
    )
    return dressed(chart, look)


def _shared(first: Run, second: Run, measure: Measure) -> tuple[list[Any], Floats, Floats]:
    """The queries that both runs have a value for, and these values."""
    one, other = first.values(measure), second.values(measure)
    place = {query: i for i, query in enumerate(other.queries)}
    pairs = [(i, place[query]) for i, query in enumerate(one.queries) if query in place]
    here, there = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    before, after = one.values[here], other.values[there]
    known = ~(np.isnan(before) | np.isnan(after))
    if not known.any():
        raise PlotError(f"{first.name} and {second.name} have no query in common that has a value of {measure}.")
    return [one.queries[i] for i in here[known].tolist()], before[known], after[known]
