"""How well rankings agree with the order of the grades."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.errors import PlotError
from rankgold.measures.spearman import mean_ranks, predicted, single_rows
from rankgold.plots.inputs import Run, chosen_measures, runs_in
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import defined, rank_axis, rank_scale, records, run_colours
from rankgold.plots.theme import PANEL, Theme, dressed, theme_called
from rankgold.plots.words import distinct, heading, measure_name, short

_BAR = 17
_SIDE = 300
_MOST_DOCUMENTS = 60


@plot(most=None)
def correlation(data: Any, measures: Any = None, *, query: Any = None, theme: str = "light") -> Any:
    """Spearman's and Kendall's correlation of each ranking with the grades, beside rank against rank.

    On the right a ranking that agrees with the grades climbs along the diagonal, one that reverses them falls; the bars
    say the same in a number, from -1 to 1. Lines join documents where no two have the same grade.

    >>> import rankgold
    >>> chart = rankgold.plots.correlation({"same": [3, 2, 1], "reversed": [1, 2, 3]}, "spearman")
    >>> [(bar["run"], bar["value"]) for bar in chart.hconcat[0].data.values]
    [('same', 1.0), ('reversed', -1.0)]
    """
    look = theme_called(theme)
    every = runs_in(data)
    runs = [run.only(query) for run in every]
    chosen = chosen_measures(measures, runs, ("spearman", "kendall"))
    if any(one.metric.span != (-1.0, 1.0) for one in chosen):
        raise PlotError(f"This plot shows spearman and kendall, not {', '.join(map(str, chosen))}.")
    names = distinct(run.name for run in runs)
    left = _bars(runs, names, chosen, look)
    right, told = _lines(runs, names, look)
    hits = runs[0].hits
    of_query = f" in query {short(hits.queries[0])}" if hits.system.whole.documents is not None else ""
    title = heading(f"How rankings agree with the grades{of_query}", told)
    return dressed(alt.hconcat(left, right, title=title), look)


def _bars(runs: list[Run], names: list[str], measures: list[Any], look: Theme) -> Any:
    rows = [
        {"run": name, "measure": measure_name(one), "value": defined(run.values(one).values[0])}
        for name, run in zip(names, runs, strict=True)
        for one in measures
    ]
    kinds = [measure_name(one) for one in measures]
    base = alt.Chart().encode(
        x=alt.X(
            "value:Q", title="Correlation", scale=alt.Scale(domain=[-1.25, 1.25], nice=False),
            axis=alt.Axis(values=[-1, -0.5, 0, 0.5, 1]),
        ),
        y=alt.Y(
            "run:N", title=None, sort=names, scale=alt.Scale(paddingInner=0.3, paddingOuter=0.15),
            axis=alt.Axis(domain=False, labels=names != ["run"], labelFontSize=12),
        ),
        yOffset=alt.YOffset("measure:N", sort=kinds),
        tooltip=[
            alt.Tooltip("run:N", title="run"),
            alt.Tooltip("measure:N", title="measure"),
            alt.Tooltip("value:Q", title="correlation", format=".4f"),
        ],
    )  # fmt: skip
    opacity = alt.Opacity(
        "measure:N", sort=kinds, title=None, scale=alt.Scale(domain=kinds, range=[1.0, 0.55][: len(kinds)]),
        legend=alt.Legend(orient="bottom", direction="horizontal", symbolType="square", symbolFillColor=look.series[0])
        if len(kinds) > 1 else None,
    )  # fmt: skip
    bars = base.mark_bar().encode(
        color=alt.Color("run:N", scale=run_colours(names, look), legend=None), opacity=opacity
    )
    to_the_right = base.transform_filter("datum.value !== null && datum.value >= 0").mark_text(align="left", dx=4)
    to_the_left = base.transform_filter("datum.value < 0").mark_text(align="right", dx=-4)
    text = alt.Text("value:Q", format=".2f")
    undefined = base.transform_filter("datum.value === null").mark_text(align="left", dx=4, color=look.muted)
    undefined = undefined.encode(x=alt.datum(0), text=alt.value("undefined"))
    zero = alt.Chart(records([{"zero": 0}])).mark_rule(color=look.axis).encode(x="zero:Q")
    height = max(_SIDE, len(names) * (len(kinds) * _BAR + 10))
    numbers = [to_the_right.encode(text=text), to_the_left.encode(text=text), undefined]
    return alt.layer(bars, *numbers, zero, data=records(rows)).properties(width=PANEL, height=height)


def _lines(runs: list[Run], names: list[str], look: Theme) -> tuple[Any, str | None]:
    rows: list[dict[str, Any]] = []
    longest, has_ties = 1, False
    for name, run in zip(names, runs, strict=True):
        seen = single_rows(run.hits.system.whole)
        # Ranks from 1, tied ones sharing the mean of theirs: what Spearman's formula is made of.
        by_grade, by_score = (mean_ranks(one, seen.query) + 1 for one in (seen.grade, predicted(seen)))
        longest = max(longest, len(seen))
        has_ties |= len(np.unique(by_grade)) < len(by_grade)
        order = np.lexsort((by_score, by_grade))[:_MOST_DOCUMENTS].tolist()
        rows += [{"run": name, "by_grade": float(by_grade[i]), "by_score": float(by_score[i])} for i in order]
    ends = [{"by_grade": 1, "by_score": 1}, {"by_grade": longest, "by_score": longest}]
    x = alt.X("by_grade:Q", title="Rank by grade", axis=rank_axis(longest), scale=rank_scale(longest))
    y = alt.Y(
        "by_score:Q",
        title="Rank among the judged in the run",
        axis=rank_axis(longest, grid=True),
        scale=rank_scale(longest),
    )
    diagonal = alt.Chart(records(ends)).mark_line(strokeWidth=1, strokeDash=[4, 3], color=look.axis).encode(x=x, y=y)
    colour = alt.Color("run:N", scale=run_colours(names, look), legend=None)
    base = alt.Chart().encode(
        x=x,
        y=y,
        color=colour,
        tooltip=[
            alt.Tooltip("run:N", title="run"),
            alt.Tooltip("by_grade:Q", title="rank by grade"),
            alt.Tooltip("by_score:Q", title="rank in the run"),
        ],
    )
    # Documents of one grade have no order among them, and a line would claim one.
    lines = [] if has_ties else [base.mark_line(opacity=0.85)]
    chart = alt.layer(diagonal, *lines, base.mark_point(size=40, opacity=0.85), data=records(rows))
    chart = chart.properties(width=PANEL, height=_SIDE)
    told = f"lines show the best {_MOST_DOCUMENTS} of {longest:,} documents" if longest > _MOST_DOCUMENTS else None
    return chart, told
