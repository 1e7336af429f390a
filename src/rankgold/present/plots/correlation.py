"""Draws how rankings agree with grades."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

import numpy as np

from rankgold.core.accepted import Measures, PlotData
from rankgold.core.errors import PlotError
from rankgold.data.inputs import unused_name
from rankgold.measures.metric import Measure
from rankgold.measures.rankings.spearman import predicted, shared_ranks
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.inputs import PlottedRun, runs_to_plot, several_measures
from rankgold.present.plots.labels import heading, measure_name, short_text
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import (
    chart_data,
    is_crowded,
    line_legend,
    name_scale,
    none_if_nan,
    outlined_text,
    rank_axis,
    rank_scale,
    rank_x,
    series_colour,
    tooltips,
)
from rankgold.present.plots.theme import Theme, find_theme

_BAR = 17
_SIDE, _SMALL_SIDE = 320, 150
_COLUMNS = 3
_HEADER = 44
_LEGEND_COLUMNS = 2
_MAX_DOCUMENTS = 60


@plot(max_runs=None)
def correlation(
    data: PlotData, measures: Measures | None = None, *, query: Hashable = None, theme: str = "light"
) -> alt.HConcatChart:
    """Spearman's and Kendall's correlation of each ranking with the grades, beside rank against rank.

    The true ranking is the order of the grades. On the right, a ranking that agrees with it follows its line, and one
    that reverses it falls. The bars give the same as a number from -1 to 1. Lines join the documents where no two have
    the same grade.

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
    title = heading(f"How rankings agree with the grades{where}", note)
    chart: alt.HConcatChart = look.hconcat(left, right, title=title).resolve_scale(
        color="independent", opacity="independent"
    )
    return chart


def _correlation_bars(runs: list[PlottedRun], measures: list[Measure], theme: Theme) -> alt.ChartType:
    names, kinds = [run.name for run in runs], list(map(measure_name, measures))
    rows = [
        {"run": run.name, "measure": measure_name(measure), "value": none_if_nan(run.values(measure).mean)}
        for run in runs
        for measure in measures
    ]
    axis = alt.Axis(domain=False, labels=names != ["run"], labelFontSize=12)
    base = alt.Chart().encode(
        x=alt.X("value:Q", title="Correlation")
        .scale(domain=[-1.45, 1.45], nice=False)
        .axis(values=[-1, -0.5, 0, 0.5, 1]),
        y=alt.Y("run:N", title=None, axis=axis, scale=name_scale(names, paddingInner=0.3, paddingOuter=0.15)),
        yOffset=alt.YOffset("measure:N", sort=kinds),
        tooltip=tooltips("run:N", "measure:N", alt.Tooltip("value:Q", title="correlation", format=".4f")),
    )
    square: dict[str, Any] = {"symbolType": "square", "symbolFillColor": theme.series[0]}
    legend = alt.Legend(orient="bottom", direction="horizontal", **square) if len(kinds) > 1 else None
    opacity = alt.Opacity("measure:N", sort=kinds, title=None, legend=legend)
    opacity = opacity.scale(domain=kinds, range=[1.0, 0.55][: len(kinds)])
    crowded = is_crowded(names, theme)
    colour = alt.value(theme.series[0]) if crowded else series_colour("run:N", names, theme)
    bars = base.mark_bar().encode(color=colour, opacity=opacity)
    text = alt.Text("value:Q", format=".4f")
    positive, negative = (
        base.transform_filter(f"isValid(datum.value) && datum.value {sign} 0") for sign in (">=", "<")
    )
    to_the_right = outlined_text(positive, text, theme, align="left", dx=4)
    to_the_left = outlined_text(negative, text, theme, align="right", dx=-4)
    undefined = base.transform_filter("datum.value === null").mark_text(align="left", dx=4, color=theme.muted)
    undefined = undefined.encode(x=alt.datum(0), text=alt.value("undefined"))
    zero = alt.Chart(chart_data([{"zero": 0}])).mark_rule(color=theme.axis).encode(x="zero:Q")
    beside = math.ceil(len(names) / _COLUMNS) * (_SMALL_SIDE + _HEADER) - _HEADER if crowded else _SIDE
    height = max(beside, len(names) * (len(kinds) * _BAR + 10))
    numbers = [*to_the_right, *to_the_left, undefined]
    return alt.layer(bars, zero, *numbers, data=chart_data(rows)).properties(width=_SIDE, height=height)


def _rank_lines(runs: list[PlottedRun], theme: Theme) -> tuple[alt.ChartType, str | None]:
    """Rank against rank, with the true ranking: in one panel, or in a panel for each run where they are many."""
    rows: list[dict[str, Any]] = []
    longest, has_ties = 1, False
    for run in runs:
        ranking = run.hits.system.single
        # Ranks from 1; tied documents share the mean of theirs, as in Spearman's formula.
        by_grade, by_score = (shared_ranks(keys, ranking.query) + 1 for keys in (ranking.grade, predicted(ranking)))
        longest = max(longest, len(ranking))
        has_ties |= len(np.unique(by_grade)) < len(by_grade)
        order = np.lexsort((by_score, by_grade))[:_MAX_DOCUMENTS].tolist()
        rows += [{"run": run.name, "by_grade": float(by_grade[i]), "by_score": float(by_score[i])} for i in order]
    names = [run.name for run in runs]
    crowded = is_crowded(names, theme)
    truth = unused_name("True ranking", names)
    shown = [truth] if crowded else [truth, *names]
    scale = alt.Scale(domain=shown, range=[theme.not_relevant, *theme.series][: len(shown)])
    legend = line_legend(None, orient="bottom", columns=_LEGEND_COLUMNS, direction="horizontal")
    colour = alt.Color("run:N", scale=scale, legend=legend)
    # In small panels every other label is left out where they would touch: 10, 11, 12 would read 101112.
    apart: dict[str, Any] = {"labelSeparation": 2} if crowded else {}
    base = alt.Chart().encode(
        x=rank_x("by_grade:Q", "True rank, by grade", longest, **apart),
        y=alt.Y("by_score:Q", title="Rank among the judged", scale=rank_scale(longest)).axis(
            rank_axis(longest, grid=True, **apart)
        ),
    )
    ends = [{"run": truth, "by_grade": rank, "by_score": rank} for rank in (1, longest)]
    diagonal = base.mark_line(strokeWidth=6).encode(color=colour).properties(data=chart_data(ends))
    documents = base.encode(
        color=alt.value(theme.series[0]) if crowded else colour,
        tooltip=[
            alt.Tooltip("run:N", title="run"),
            alt.Tooltip("by_grade:Q", title="true rank"),
            alt.Tooltip("by_score:Q", title="rank in the run"),
        ],
    )
    # Documents with the same grade have no order, so a line between them would be wrong.
    lines = [] if has_ties else [documents.mark_line()]
    layers = [diagonal, *lines, documents.mark_point(size=18 if crowded else 40, opacity=0.85)]
    note = f"points: the best {_MAX_DOCUMENTS} of {longest:,} documents" if longest > _MAX_DOCUMENTS else None
    side = _SMALL_SIDE if crowded else _SIDE
    chart = alt.layer(*layers).properties(width=side, height=side)
    if crowded:
        facet = alt.Facet("run:N", title=None, sort=names)
        return chart.facet(facet, columns=_COLUMNS, data=chart_data(rows)), note
    return chart.properties(data=chart_data(rows)), note
