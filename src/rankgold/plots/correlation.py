"""Rankings of one query in, a chart of how well they agree with the order of the grades out."""

from typing import Any

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.errors import PlotError
from rankgold.measures.spearman import mean_ranks, predicted
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading, short_text
from rankgold.plots.inputs import PlottedRun, runs_to_plot, several_measures
from rankgold.plots.measure_text import measure_name
from rankgold.plots.registry import plot
from rankgold.plots.scales import chart_data, none_if_nan, rank_axis, rank_scale, rank_x, series_colour, tooltips
from rankgold.plots.theme import PANEL, Theme, find_theme

_BAR = 17
_SIDE = 300
_MAX_DOCUMENTS = 60


@plot(max_runs=None)
def correlation(data: Any, measures: Any = None, *, query: Any = None, theme: str = "light") -> Any:
    """Spearman's and Kendall's correlation of each ranking with the grades, beside rank against rank.

    On the right, a ranking that agrees with the grades rises along the diagonal, and one that reverses them falls. The
    bars give the same as a number from -1 to 1. Lines join the documents where no two have the same grade.

    >>> import rankgold
    >>> chart = rankgold.plots.correlation({"same": [3, 2, 1], "reversed": [1, 2, 3]}, "spearman")
    >>> [(bar["run"], bar["value"]) for bar in chart.hconcat[0].data.values]
    [('same', 1.0), ('reversed', -1.0)]
    """
    look = find_theme(theme)
    runs = [run.for_query(query) for run in runs_to_plot(data)]
    chosen = several_measures(measures, runs, ("spearman", "kendall"))
    if any(measure.metric.span != (-1.0, 1.0) for measure in chosen):
        raise PlotError(f"This plot shows spearman and kendall, not {', '.join(map(str, chosen))}.")
    left = _correlation_bars(runs, chosen, look)
    right, note = _rank_lines(runs, look)
    hits = runs[0].hits
    where = f" in query {short_text(hits.queries[0])}" if hits.system.single.documents is not None else ""
    return look.hconcat(left, right, title=heading(f"How rankings agree with the grades{where}", note))


def _correlation_bars(runs: list[PlottedRun], measures: list[Measure], theme: Theme) -> Any:
    names, kinds = [run.name for run in runs], list(map(measure_name, measures))
    rows = [
        {"run": run.name, "measure": measure_name(measure), "value": none_if_nan(run.values(measure).mean)}
        for run in runs
        for measure in measures
    ]
    axis = alt.Axis(domain=False, labels=names != ["run"], labelFontSize=12)
    base = alt.Chart().encode(
        x=alt.X("value:Q", title="Correlation")
        .scale(domain=[-1.25, 1.25], nice=False)
        .axis(values=[-1, -0.5, 0, 0.5, 1]),
        y=alt.Y("run:N", title=None, sort=names, axis=axis).scale(paddingInner=0.3, paddingOuter=0.15),
        yOffset=alt.YOffset("measure:N", sort=kinds),
        tooltip=tooltips("run:N", "measure:N", alt.Tooltip("value:Q", title="correlation", format=".4f")),
    )
    square = {"symbolType": "square", "symbolFillColor": theme.series[0]}
    legend = alt.Legend(orient="bottom", direction="horizontal", **square) if len(kinds) > 1 else None
    opacity = alt.Opacity("measure:N", sort=kinds, title=None, legend=legend)
    opacity = opacity.scale(domain=kinds, range=[1.0, 0.55][: len(kinds)])
    bars = base.mark_bar().encode(color=series_colour("run:N", names, theme), opacity=opacity)
    to_the_right = base.transform_filter("datum.value !== null && datum.value >= 0").mark_text(align="left", dx=4)
    to_the_left = base.transform_filter("datum.value < 0").mark_text(align="right", dx=-4)
    text = alt.Text("value:Q", format=".2f")
    undefined = base.transform_filter("datum.value === null").mark_text(align="left", dx=4, color=theme.muted)
    undefined = undefined.encode(x=alt.datum(0), text=alt.value("undefined"))
    zero = alt.Chart(chart_data([{"zero": 0}])).mark_rule(color=theme.axis).encode(x="zero:Q")
    height = max(_SIDE, len(names) * (len(kinds) * _BAR + 10))
    numbers = [to_the_right.encode(text=text), to_the_left.encode(text=text), undefined]
    return alt.layer(bars, *numbers, zero, data=chart_data(rows)).properties(width=PANEL, height=height)


def _rank_lines(runs: list[PlottedRun], theme: Theme) -> tuple[Any, str | None]:
    rows: list[dict[str, Any]] = []
    longest, has_ties = 1, False
    for run in runs:
        ranking = run.hits.system.single
        # Ranks from 1; tied documents share the mean of theirs, as in Spearman's formula.
        by_grade, by_score = (mean_ranks(keys, ranking.query) + 1 for keys in (ranking.grade, predicted(ranking)))
        longest = max(longest, len(ranking))
        has_ties |= len(np.unique(by_grade)) < len(by_grade)
        order = np.lexsort((by_score, by_grade))[:_MAX_DOCUMENTS].tolist()
        rows += [{"run": run.name, "by_grade": float(by_grade[i]), "by_score": float(by_score[i])} for i in order]
    x = rank_x("by_grade:Q", "Rank by grade", longest)
    y = alt.Y("by_score:Q", title="Rank among the judged in the run", scale=rank_scale(longest))
    y = y.axis(rank_axis(longest, grid=True))
    ends = chart_data([{"by_grade": 1, "by_score": 1}, {"by_grade": longest, "by_score": longest}])
    diagonal = alt.Chart(ends).mark_line(strokeWidth=1, strokeDash=[4, 3], color=theme.axis).encode(x=x, y=y)
    base = alt.Chart().encode(
        x=x,
        y=y,
        color=series_colour("run:N", [run.name for run in runs], theme),
        tooltip=[
            alt.Tooltip("run:N", title="run"),
            alt.Tooltip("by_grade:Q", title="rank by grade"),
            alt.Tooltip("by_score:Q", title="rank in the run"),
        ],
    )
    # Documents with the same grade have no order, so a line between them would be wrong.
    lines = [] if has_ties else [base.mark_line(opacity=0.85)]
    chart = alt.layer(diagonal, *lines, base.mark_point(size=40, opacity=0.85), data=chart_data(rows))
    note = f"lines show the best {_MAX_DOCUMENTS} of {longest:,} documents" if longest > _MAX_DOCUMENTS else None
    return chart.properties(width=PANEL, height=_SIDE), note
