"""A measure at every cutoff of several runs."""

from __future__ import annotations

from typing import Any

from rankgold.hits import Hits
from rankgold.plots.cutoffs import cutoffs, values_at
from rankgold.plots.inputs import chosen_measure, runs_in
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import (
    exact_format,
    line_legend,
    measure_scale,
    rank_axis,
    rank_scale,
    records,
    run_colours,
    run_dashes,
)
from rankgold.plots.theme import HEIGHT, WIDTH, dressed, theme_called
from rankgold.plots.words import direction, distinct, heading, measure_name, queries, without_value

_ROOM_FOR_POINTS = 20


@plot(most=None, of_ranks=False)
def curves(data: Any, measure: Any = None, *, depth: int | None = None, theme: str = "light") -> Any:
    """A measure at every cutoff, a line for each run.

    A line that lies above another is better at every depth where it does, unless lower is better; lines that cross
    belong to runs of which one is better at the top and the other further down.

    >>> import rankgold
    >>> chart = rankgold.plots.curves({"top": [1, 1, 0], "bottom": [0, 1, 1]}, "p")
    >>> [round(point["value"], 2) for point in chart.data.values if point["run"] == "bottom"]
    [0.0, 0.5, 0.67]
    """
    look = theme_called(theme)
    runs = runs_in(data)
    chosen = chosen_measure(measure, runs, "ndcg")
    longest = max((int(run.of.returned.max(initial=1)) for run in runs if isinstance(run.of, Hits)), default=1)
    ks = cutoffs(chosen, longest, depth)
    names = distinct(run.name for run in runs)
    rows: list[dict[str, Any]] = [
        {"run": name, "k": k, "value": value}
        for name, run in zip(names, runs, strict=True)
        for k, value in values_at(run, chosen, ks)
    ]
    last = max(row["k"] for row in rows)
    name = measure_name(chosen, cutoff=False)
    legend = line_legend("Run") if len(runs) > 1 else None
    scale = measure_scale(chosen, (row["value"] for row in rows))
    base = alt.Chart().encode(
        x=alt.X("k:Q", title="k", axis=rank_axis(last), scale=rank_scale(last)),
        y=alt.Y("value:Q", title=f"{name} at k{direction(chosen)}", scale=scale),
        color=alt.Color("run:N", scale=run_colours(names, look), legend=legend),
        tooltip=[
            alt.Tooltip("run:N", title="run"),
            alt.Tooltip("k:Q", title="k"),
            alt.Tooltip("value:Q", title=name, format=exact_format(chosen)),
        ],
    )
    dash = alt.StrokeDash("run:N", scale=run_dashes(names, look), legend=legend)
    layers = [base.mark_line().encode(strokeDash=dash)]
    layers.append(base.mark_point(size=40 if last <= _ROOM_FOR_POINTS else 18))
    count = max(run.count for run in runs)
    over = f"{chosen.metric.aggregate.__name__} of {queries(count)}" if count > 1 else None
    at_ks = [chosen @ row["k"] for row in rows]
    left_out = without_value({name: run.undefined(at_ks) for name, run in zip(names, runs, strict=True)})
    chart = alt.layer(*layers, data=records(rows)).properties(
        width=WIDTH, height=HEIGHT, title=heading(f"{name} at k", over, left_out)
    )
    return dressed(chart, look)
