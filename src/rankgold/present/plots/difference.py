"""Draws differences query by query."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.comparison.mean_intervals import Ends
from rankgold.comparison.paired_values import without_rounding
from rankgold.core.accepted import PlotData
from rankgold.core.errors import counted
from rankgold.core.segments import Floats
from rankgold.measures.metric import Measure
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.inputs import NAMED, PlottedRun, gains_to_losses, no_common_query, single_measure, two_runs
from rankgold.present.plots.labels import (
    difference_name,
    exact_format,
    heading,
    measure_name,
    second_against_first,
    title_number,
    unique_labels,
)
from rankgold.present.plots.layers import (
    LEVEL,
    SORTED_HEIGHT,
    are_known,
    interval_of_mean,
    mean_layers,
    thin_bars,
    with_edges,
)
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import chart_data, difference_scale, kind_colour, query_y, signed_axis
from rankgold.present.plots.theme import WIDTH, find_theme, rows_height


@plot(min_runs=2, max_runs=2)
def difference(data: PlotData, measure: str | Measure | None = None, *, theme: str = "light") -> alt.LayerChart:
    """The difference between two runs, query by query, sorted.

    Blue bars are queries on which the second run is better, orange bars those on which it is worse. A gain in the mean
    can come from a few long bars or from many short ones. The dashed line is the mean difference, in its 95 %
    confidence interval: where that does not hold 0, the difference is unlikely to be chance. Where there are many
    queries, the greatest gains and losses have their names.

    >>> import rankgold
    >>> old, new = rankgold.from_labels([[0, 1], [1, 0]]), rankgold.from_labels([[1, 0], [1, 0]])
    >>> chart = rankgold.plots.difference({"old": old, "new": new}, "rr")
    >>> [(bar["query"], bar["difference"]) for bar in chart.data.values]
    [('1', 0.5), ('2', 0.0)]
    """
    look = find_theme(theme)
    first, second = two_runs(data)
    chosen = single_measure(measure, [first, second], "ndcg@10")
    queries, before, after, left_out = _common_queries(first, second, chosen)
    change = without_rounding(before, after)
    gain = change if chosen.higher_is_better else -change
    shown = gains_to_losses(gain)
    names = unique_labels(queries[i] for i in shown.positions)
    kinds = np.where(gain > 0, "gain", np.where(gain < 0, "loss", "same"))
    columns = (column[shown.positions].tolist() for column in (change, before, after, kinds))
    fields = ("query", "difference", "first", "second", "kind")
    rows = [dict(zip(fields, row, strict=True)) for row in zip(names, *columns, strict=True)]
    exact = exact_format(chosen)
    base = alt.Chart().encode(
        x=alt.X(
            "difference:Q", title=difference_name(chosen), axis=signed_axis(), scale=difference_scale(change.tolist())
        ),
        color=kind_colour({"gain": look.gain, "loss": look.loss, "same": look.axis}),
        tooltip=[
            alt.Tooltip("query:N", title="query"),
            alt.Tooltip("first:Q", title="first run", format=exact),
            alt.Tooltip("second:Q", title="second run", format=exact),
            alt.Tooltip("difference:Q", title="difference", format=f"+{exact}"),
        ],
    )
    better, worse = int((gain > 0).sum()), int((gain < 0).sum())
    if not shown.is_crowded:
        bars, height = [base.mark_bar().encode(y=query_y(names))], rows_height(len(rows))
    else:
        rows, height = with_edges(rows, shown), SORTED_HEIGHT
        bars = thin_bars(base, rows, shown, (min(better, NAMED), min(worse, NAMED)), look)
    interval = interval_of_mean(change)
    zero = alt.Chart(chart_data([{"zero": 0}])).mark_rule(color=look.axis, strokeWidth=1.5).encode(x="zero:Q")
    summary = (
        f"better in {better:,}, worse in {worse:,}, the same in {len(change) - better - worse:,};"
        f" {title_number(float(before.mean()), chosen)} → {title_number(float(after.mean()), chosen)} in the mean"
    )
    missing = f"{counted(left_out, 'query')} without a value in one of the runs" if left_out else None
    text = f"{measure_name(chosen)}: {second_against_first(first, second)}"
    title = heading(text, summary, shown.note, missing, _interval_text(float(change.mean()), interval, chosen))
    band, mean = mean_layers(float(change.mean()), interval, look)
    return look.layer(*band, *bars, zero, *mean, data=chart_data(rows), width=WIDTH, height=height, title=title)


def _interval_text(mean: float, interval: Ends, measure: Measure) -> str | None:
    if not are_known([interval]):
        return None
    low, high = (title_number(end, measure) for end in interval)
    return f"mean difference {title_number(mean, measure)}, {LEVEL} interval {low} to {high}"


def _common_queries(first: PlottedRun, second: PlottedRun, measure: Measure) -> tuple[list[Any], Floats, Floats, int]:
    """The queries that both runs have a value for, with the values of each run; and the number of other queries."""
    old, new = first.values(measure), second.values(measure)
    place = {query: i for i, query in enumerate(new.queries)}
    pairs = [(i, place[query]) for i, query in enumerate(old.queries) if query in place]
    in_old, in_new = np.array(pairs, dtype=np.int64).reshape(-1, 2).T
    before, after = old.values[in_old], new.values[in_new]
    known = ~(np.isnan(before) | np.isnan(after))
    if not known.any():
        raise no_common_query(first, second, measure)
    others = len({*old.queries, *new.queries}) - int(known.sum())
    return [old.queries[i] for i in in_old[known].tolist()], before[known], after[known], others
