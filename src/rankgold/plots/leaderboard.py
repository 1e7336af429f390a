"""Several runs side by side."""

from __future__ import annotations

import math
from typing import Any

from rankgold.declaration.metric import Measure
from rankgold.plots.inputs import Run, chosen_measures, runs_in
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import defined, exact_format, measure_scale, number_format, records
from rankgold.plots.theme import WIDTH, Theme, dressed, theme_called
from rankgold.plots.words import axis_name, counted, distinct, heading, measure_name, within, without_value

_ROW = 26
_MOST_RUNS = 40
_MOST_MEASURES = 6


@plot(most=None, of_ranks=False)
def leaderboard(data: Any, measures: Any = None, *, theme: str = "light") -> Any:
    """The means of several runs, a column for each measure, the best run of each in full colour.

    The runs are in the order of the first measure. Where the dots of another column do not follow the same slope, the
    measures disagree about which run is better.

    >>> import rankgold
    >>> chart = rankgold.plots.leaderboard({"a": [[0, 1]], "b": [[1, 0]]}, ["rr"])
    >>> [(dot["run"], dot["value"], dot["best"]) for dot in chart.data.values]
    [('b', 1.0, True), ('a', 0.5, False)]
    """
    look = theme_called(theme)
    runs = runs_in(data)
    chosen = chosen_measures(measures, runs, ("ndcg@10", "ap", "rr"))
    told = []
    if len(chosen) > _MOST_MEASURES:
        told.append(f"{_MOST_MEASURES} of {len(chosen)} measures")
        chosen = chosen[:_MOST_MEASURES]
    means = {name: _means(run, chosen) for name, run in zip(distinct(run.name for run in runs), runs, strict=True)}
    worst = -math.inf if chosen[0].higher_is_better else math.inf
    first = {name: worst if math.isnan(row[0]) else row[0] for name, row in means.items()}
    names = sorted(first, key=lambda name: first[name], reverse=chosen[0].higher_is_better)
    if len(names) > _MOST_RUNS:
        told.append(f"the best {_MOST_RUNS} of {counted(len(names), 'run')}")
        names = names[:_MOST_RUNS]
    panels = [
        _panel(one, {name: means[name][column] for name in names}, column == 0, max(WIDTH // len(chosen), 150), look)
        for column, one in enumerate(chosen)
    ]
    undefined = {name: run.undefined(chosen) for name, run in zip(means, runs, strict=True)}
    left_out = without_value({name: undefined[name] for name in names})
    title = heading(f"Runs by {within(measure_name(chosen[0]))}", *told, left_out)
    return dressed(alt.hconcat(*panels, title=title, spacing=18), look)


def _panel(measure: Measure, means: dict[str, float], is_first: bool, width: int, look: Theme) -> Any:
    """The means of one measure; only the first of the panels names the runs."""
    known = [value for value in means.values() if not math.isnan(value)]
    top = (max if measure.higher_is_better else min)(known) if known else math.nan
    rows = [{"run": name, "value": defined(value), "best": value == top} for name, value in means.items()]
    axis = alt.Axis(grid=True, domain=False, labelFontSize=12, labels=is_first)
    scale = measure_scale(measure, means.values())
    base = alt.Chart().encode(
        y=alt.Y("run:N", title=None, sort=list(means), axis=axis),
        x=alt.X("value:Q", title=axis_name(measure), scale=scale, axis=alt.Axis(tickCount=5)),
        tooltip=[
            alt.Tooltip("run:N", title="run"),
            alt.Tooltip("value:Q", title=measure_name(measure), format=exact_format(measure)),
        ],
    )
    colour = alt.condition("datum.best", alt.value(look.series[0]), alt.value(look.axis))
    dots = base.mark_point(size=110).encode(color=colour)
    text = base.mark_text(dy=-11, fontSize=10, color=look.muted).encode(
        text=alt.Text("value:Q", format=number_format(measure).replace(".2f", ".3f"))
    )
    return alt.layer(dots, text, data=records(rows)).properties(width=width, height=_ROW * len(rows))


def _means(run: Run, measures: list[Measure]) -> list[float]:
    scores = run.scores(measures)
    return [float(scores[one]) for one in measures]
