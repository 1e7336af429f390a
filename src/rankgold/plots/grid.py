"""One run in, a chart of a measure of every query beside the grades at every rank out."""

from __future__ import annotations

from itertools import groupby
from operator import itemgetter

from rankgold.accepted import PlotData
from rankgold.declaration.metric import Measure
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading, run_suffix, short_grade, unique_labels
from rankgold.plots.cutoffs import cut_note, last_rank
from rankgold.plots.inputs import Documents, documents_by_rank, single_measure, single_run
from rankgold.plots.measure_text import measure_name
from rankgold.plots.per_query import ends_line, query_bars, undefined_line
from rankgold.plots.registry import plot
from rankgold.plots.scales import GradeColours, band_axis, chart_data, document_tooltip, name_scale, tooltips
from rankgold.plots.selection import ShownQueries, worst_to_best
from rankgold.plots.sorted_bars import SORTED_HEIGHT, bar_edges, place_scale
from rankgold.plots.theme import find_theme, rows_height

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
