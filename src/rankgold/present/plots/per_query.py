"""Draws every query as bars, or as a grid of grades."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter
from typing import Any, Literal

import numpy as np

from rankgold.core.accepted import PlotData
from rankgold.core.errors import counted
from rankgold.measures.metric import Measure
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.inputs import (
    NAMED,
    Documents,
    QueryValues,
    ShownQueries,
    documents_by_rank,
    single_measure,
    single_run,
    worst_to_best,
)
from rankgold.present.plots.labels import (
    axis_name,
    exact_format,
    heading,
    mean_name,
    measure_name,
    run_suffix,
    short_grade,
    title_number,
    unique_labels,
)
from rankgold.present.plots.layers import SORTED_HEIGHT, bar_edges, place_scale, thin_bars, with_edges
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import (
    GradeColours,
    band_axis,
    chart_data,
    cut_note,
    document_tooltip,
    last_rank,
    measure_scale,
    name_scale,
    none_if_nan,
    outlined_text,
    query_y,
    tooltips,
)
from rankgold.present.plots.theme import WIDTH, Theme, find_theme, rows_height


@plot()
def per_query(data: PlotData, measure: str | Measure | None = None, *, theme: str = "light") -> alt.LayerChart:
    """A measure of every query, with the mean.

    Queries far to the left of the dashed mean line have most to gain. Where all values are near 0 or 1, the mean
    between them describes no query.

    >>> import rankgold
    >>> chart = rankgold.plots.per_query([[1, 0], [0, 1]], "rr")
    >>> [(bar["query"], bar["value"]) for bar in chart.data.values]
    [('1', 1.0), ('2', 0.5)]
    """
    look = find_theme(theme)
    run = single_run(data)
    chosen = single_measure(measure, [run], "ap")
    values = run.values(chosen)
    shown = worst_to_best(values.values, higher_is_better=chosen.higher_is_better)
    text = f"{measure_name(chosen)} per query{run_suffix(run)}"
    title = heading(text, shown.note, ends_line(values, shown, chosen), undefined_line(values))
    return query_bars(values, shown, chosen, look, WIDTH).properties(title=title)


def undefined_line(values: QueryValues) -> str | None:
    """How many queries have no value; None where all have one."""
    count = int(np.isnan(values.values).sum())
    return f"{counted(count, 'query')} without a value" if count else None


def ends_line(values: QueryValues, shown: ShownQueries, measure: Measure) -> str | None:
    """How many of many queries have the worst and the best value: only some of them are named."""
    if not shown.is_crowded:
        return None
    ends = (values.values[shown.positions[0]], values.values[shown.positions[-1]])
    worst, best = (f"{title_number(value, measure)} in {int((values.values == value).sum()):,}" for value in ends)
    return f"worst: {worst}; best: {best}"


def query_bars(values: QueryValues, shown: ShownQueries, measure: Measure, theme: Theme, width: int) -> alt.LayerChart:
    """A bar for each query that is shown, and a line at the mean of all queries."""
    names = unique_labels(values.queries[i] for i in shown.positions)
    rows: list[dict[str, Any]] = [
        {"query": name, "value": none_if_nan(values.values[i])}
        for name, i in zip(names, shown.positions.tolist(), strict=True)
    ]
    label = axis_name(measure)
    base = alt.Chart().encode(
        x=alt.X("value:Q", title=label, scale=measure_scale(measure, [*(row["value"] for row in rows), values.mean])),
        tooltip=tooltips("query:N", alt.Tooltip("value:Q", title=label, format=exact_format(measure))),
    )
    highest = max([1.0, *(row["value"] or 0.0 for row in rows)])
    line = [] if np.isnan(values.mean) else _mean_line(values.mean, highest, measure, theme)
    if shown.is_crowded:
        rows = with_edges(rows, shown)
        bars = thin_bars(base.encode(color=alt.value(theme.series[0])), rows, shown, (NAMED, NAMED), theme)
        return theme.layer(*bars, *line, data=chart_data(rows), width=width, height=SORTED_HEIGHT)
    base = base.encode(y=query_y(names))
    text = alt.Text("value:Q", format=exact_format(measure))
    numbers = outlined_text(base, text, theme, align="left", dx=4, color=theme.muted)
    layers = [base.mark_bar(), *line, *numbers]
    return theme.layer(*layers, data=chart_data(rows), width=width, height=rows_height(len(rows)))


def _mean_line(mean: float, highest: float, measure: Measure, theme: Theme) -> list[alt.Chart]:
    """A dashed line at the mean, with its value above."""
    text = f"{mean_name(measure)} {title_number(mean, measure)}"
    row = chart_data([{"mean": float(mean), "text": text}])
    base = alt.Chart(row).encode(x=alt.X("mean:Q"), tooltip=alt.Tooltip("text:N", title="over all queries"))
    rule = base.mark_rule(color=theme.mark, strokeDash=[5, 3], strokeWidth=1.5)
    # Near an end of the axis the text is on the inner side of the line.
    side: Literal["left", "right", "center"] = (
        "left" if mean < 0.2 * highest else "right" if mean > 0.8 * highest else "center"
    )
    word = base.mark_text(y=-9, align=side, color=theme.mark, fontWeight=600).encode(text="text:N")
    return [rule, word]


_CELL = 24
_THIN_CELL = 14
_BARS = 250
_MAX_BARS = 300


@plot()
def grid(
    data: PlotData, measure: str | Measure | None = None, *, depth: int | None = None, theme: str = "light"
) -> alt.HConcatChart:
    """A measure of every query, with the mean, beside the grade of the document at every rank.

    Read a row from left to right: the bar is the score of the query, and the cells explain it. For the reciprocal rank
    only the first coloured cell counts.

    >>> import rankgold
    >>> chart = rankgold.plots.grid([[0, 0, 1], [1, 0, 0]])
    >>> [(bar["query"], round(bar["value"], 2)) for bar in chart.hconcat[0].data.values]
    [('1', 0.33), ('2', 1.0)]
    """
    look = find_theme(theme)
    run = single_run(data)
    chosen = single_measure(measure, [run], "rr")
    values = run.values(chosen)
    shown = worst_to_best(values.values, higher_is_better=chosen.higher_is_better, limit=_MAX_BARS)
    left = query_bars(values, shown, chosen, look, _BARS)
    longest = int(run.hits.returned.max(initial=0))
    last = last_rank(chosen, longest, depth)
    position = {query: i for i, query in enumerate(run.hits.queries)}
    queries = [values.queries[i] for i in shown.positions.tolist()]
    rankings = [documents_by_rank(run.hits, position[query], last) for query in queries]
    grades = GradeColours(run.grades, (grade for documents in rankings for _, grade, _ in documents), look)
    names = unique_labels(queries)
    right = _thin_cells(names, rankings, grades, shown) if shown.is_crowded else _cells(names, rankings, grades)
    title = heading(
        f"{measure_name(chosen)} per query{run_suffix(run)}, beside the grade at each rank",
        shown.note,
        ends_line(values, shown, chosen),
        undefined_line(values),
        cut_note(chosen, last, longest),
    )
    return look.hconcat(left, right, title=title, spacing=36)


def _cells(names: list[str], rankings: list[Documents], grades: GradeColours) -> alt.ChartType:
    """A row for each query and a cell for each rank, coloured by grade with the grade written on it."""
    rows = [
        {"query": name, **grades.document_row(rank, grade, document), "text": short_grade(grade)}
        for name, documents in zip(names, rankings, strict=True)
        for rank, grade, document in documents
    ]
    last = max([row["rank"] for row in rows], default=1)
    x = alt.X("rank:O", title="Rank of the document", axis=band_axis(last))
    base = alt.Chart().encode(
        x=x.scale(domain=list(range(1, last + 1)), padding=0),
        y=alt.Y("query:N", title=None, scale=name_scale(names, padding=0), axis=None),
        tooltip=[*tooltips("query:N"), *document_tooltip(rows)],
    )
    cells = base.mark_rect(stroke=grades.theme.background, strokeWidth=1.5).encode(color=grades.encoding())
    text = base.mark_text(fontSize=10).encode(text="text:N", fill=alt.Fill("ink:N", scale=None))
    width, height = max(_CELL * last, 60), rows_height(len(names))
    return alt.layer(cells, text, data=chart_data(rows), width=width, height=height)


def _thin_cells(
    names: list[str], rankings: list[Documents], grades: GradeColours, shown: ShownQueries
) -> alt.ChartType:
    """A thin row for each of many queries; neighbouring ranks with the same grade are one cell."""
    rows = []
    for name, documents, edges in zip(names, rankings, bar_edges(shown), strict=True):
        for grade, same in groupby(documents, key=itemgetter(1)):
            ranks = [rank for rank, *_ in same]
            which = f"{ranks[0]}" if len(ranks) == 1 else f"{ranks[0]} to {ranks[-1]}"
            cell = {"query": name, "ranks": which, "from": ranks[0] - 0.5, "to": ranks[-1] + 0.5}
            rows.append(cell | edges | grades.row(grade))
    last = max([len(documents) for documents in rankings], default=1)
    x = alt.X("from:Q", title="Rank of the document", axis=band_axis(last, grid=False))
    cells = alt.Chart().mark_rect()
    cells = cells.encode(
        x=x.scale(domain=[0.5, last + 0.5], nice=False),
        x2="to:Q",
        y=alt.Y("top:Q", scale=place_scale(shown.count), axis=None),
        y2="bottom:Q",
        color=grades.encoding(),
        tooltip=tooltips("query:N", "ranks:N", alt.Tooltip("level:N", title="grade")),
    )
    width = max(_THIN_CELL * last, 60)
    return alt.layer(cells, data=chart_data(rows), width=width, height=SORTED_HEIGHT)
