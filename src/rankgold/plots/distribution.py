"""How the values of a measure are spread over the queries."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.kernels.segments import Floats
from rankgold.plots.inputs import Run, chosen_measures, runs_in
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import exact_format, measure_scale, records, run_colours
from rankgold.plots.selection import spread_evenly
from rankgold.plots.theme import WIDTH, Theme, dressed, theme_called
from rankgold.plots.words import axis_name, distinct, heading, in_run, measure_name, queries, shown, without_value

_ROW = 62
_MOST_POINTS = 200
_MOST_MEASURES = 6


@plot(most=None, of_ranks=False)
def distribution(data: Any, measures: Any = None, *, theme: str = "light") -> Any:
    """How a measure is spread over the queries of each run: every query a dot, over a box of the quartiles.

    The box holds the middle half of the queries, its line is the median, and the diamond is the mean. Dots heaped at
    both ends mean that the run either answers a query or does not.

    >>> import rankgold
    >>> chart = rankgold.plots.distribution([[1, 0], [0, 1], [0, 0]], "rr")
    >>> chart.data.values[0]["median"]
    0.5
    """
    look = theme_called(theme)
    runs = runs_in(data)
    every = chosen_measures(measures, runs, ("ndcg@10",))
    chosen = every[:_MOST_MEASURES]
    names = distinct(run.name for run in runs)
    panels, counts, is_thinned = [], [0], False
    for one in chosen:
        known = [_values(run, one) for run in runs]
        counts += [len(values) for _, values, _ in known]
        is_thinned |= counts[-1] > _MOST_POINTS
        panels.append(_panel(known, names, one, look))
    only = in_run(names[0]) if len(runs) == 1 else ""
    what = measure_name(chosen[0]) if len(chosen) == 1 else "Measures"
    told = f"{_MOST_POINTS} of {queries(max(counts))} as dots, from the lowest to the highest" if is_thinned else None
    key = "box: the middle half of the queries and the median; diamond: the mean"
    some = f"{len(chosen)} of {len(every)} measures" if len(every) > len(chosen) else None
    left_out = without_value({name: run.undefined(chosen) for name, run in zip(names, runs, strict=True)})
    title = heading(f"{what} over {queries(max(run.count for run in runs))}{only}", key, told, some, left_out)
    chart = panels[0] if len(panels) == 1 else alt.vconcat(*panels, spacing=14)
    return dressed(chart.properties(title=title), look)


def _values(run: Run, measure: Measure) -> tuple[list[Any], Floats, float]:
    """The queries that have a value, the values, and their mean."""
    known = run.values(measure)
    has = ~np.isnan(known.values)
    return [known.queries[i] for i in np.flatnonzero(has)], known.values[has], known.mean


def _panel(known: list[tuple[list[Any], Floats, float]], names: list[str], measure: Measure, look: Theme) -> Any:
    dots: list[dict[str, Any]] = []
    boxes: list[dict[str, Any]] = []
    for name, (asked, values, mean) in zip(names, known, strict=True):
        for place, i in enumerate(spread_evenly(values, _MOST_POINTS).tolist()):
            # Neighbours stand at different heights, in turns that look like none.
            height = (place * 0.618034) % 1
            dots.append({"run": name, "query": shown(asked[i]), "value": float(values[i]), "height": height})
        if len(values):
            low, median, high = np.quantile(values, [0.25, 0.5, 0.75]).tolist()
            ends = {"least": float(values.min()), "most": float(values.max())}
            boxes.append({"run": name, "lower": low, "median": median, "upper": high, "mean": mean, **ends})
    label = axis_name(measure)
    rows = alt.Y(
        "run:N", title=None, sort=names, scale=alt.Scale(domain=names, paddingInner=0.25, paddingOuter=0.15),
        axis=alt.Axis(labels=len(names) > 1, labelFontSize=12, labelPadding=12, domain=False),
    )  # fmt: skip
    scale = measure_scale(measure, [row["value"] for row in dots])
    exact = exact_format(measure)
    colour = alt.Color("run:N", scale=run_colours(names, look), legend=None)
    strip = alt.Chart(records(dots)).mark_point(size=22, opacity=0.65).encode(
        x=alt.X("value:Q", title=label, scale=scale),
        y=rows,
        yOffset=alt.YOffset("height:Q", scale=alt.Scale(domain=[-0.9, 1.05])),
        color=colour,
        tooltip=[alt.Tooltip("query:N", title="query"), alt.Tooltip("value:Q", title=label, format=exact)],
    )  # fmt: skip
    summary = [
        alt.Tooltip(f"{field}:Q", title=field, format=exact)
        for field in ("least", "lower", "median", "upper", "most", "mean")
    ]
    box = alt.Chart().encode(y=rows, yOffset=alt.value(_ROW * 0.16), color=colour, tooltip=summary)
    span = box.mark_rule(strokeWidth=1.2).encode(x=alt.X("least:Q", title=label, scale=scale), x2="most:Q")
    middle = box.mark_bar(height=11, fill=look.background, strokeWidth=1.4).encode(
        x=alt.X("lower:Q", title=label),
        x2="upper:Q",
        stroke=alt.Stroke("run:N", scale=run_colours(names, look), legend=None),
    )
    median = box.mark_tick(thickness=3, height=12).encode(x=alt.X("median:Q", title=label))
    mean_mark = box.mark_point(shape="diamond", size=55, stroke=look.background, strokeWidth=1).encode(
        x=alt.X("mean:Q", title=label)
    )
    layers = alt.layer(strip, span, middle, median, mean_mark, data=records(boxes))
    return layers.properties(width=WIDTH, height=_ROW * max(len(names), 1))
