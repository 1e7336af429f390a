"""One run in, a chart of a measure of every query beside the grades at every rank out."""

from __future__ import annotations

from typing import Any

from rankgold.hits import Hits
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading, run_suffix, short_grade, unique_labels
from rankgold.plots.cutoffs import last_rank
from rankgold.plots.inputs import documents_by_rank, single_measure, single_run
from rankgold.plots.measure_text import measure_name
from rankgold.plots.per_query import query_bars, undefined_line
from rankgold.plots.registry import plot
from rankgold.plots.scales import GradeColours, band_axis, chart_data, document_tooltip, tooltips
from rankgold.plots.selection import worst_and_best
from rankgold.plots.theme import Theme, find_theme, rows_height

_CELL = 24
_BARS = 250


@plot()
def grid(data: Any, measure: Any = None, *, depth: int | None = None, theme: str = "light") -> Any:
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
    hits = run.hits
    chosen = single_measure(measure, [run], "rr")
    values = run.values(chosen)
    order, note = worst_and_best(values.values, higher_is_better=chosen.higher_is_better)
    left = query_bars(values, order, chosen, look, _BARS)
    longest = int(hits.returned.max(initial=0))
    last = last_rank(chosen, longest, depth)
    right = _grade_cells(hits, [values.queries[i] for i in order.tolist()], last, look)
    title = heading(
        f"{measure_name(chosen)} per query{run_suffix(run)}, beside the grade at each rank",
        note,
        undefined_line(values),
        f"the first {last} ranks are shown" if longest > last else None,
    )
    return look.hconcat(left, right, title=title, spacing=36)


def _grade_cells(hits: Hits, queries: list[Any], depth: int, theme: Theme) -> Any:
    """A row for each query and a cell for each rank, coloured by grade with the grade written on it."""
    position = {query: i for i, query in enumerate(hits.queries)}
    rankings = [documents_by_rank(hits, position[query], depth) for query in queries]
    grades = GradeColours((grade for documents in rankings for _, grade, _ in documents), theme)
    names = unique_labels(queries)
    rows = [
        {"query": name, **grades.document_row(rank, grade, document), "text": short_grade(grade)}
        for name, documents in zip(names, rankings, strict=True)
        for rank, grade, document in documents
    ]
    last = max([row["rank"] for row in rows], default=1)
    x = alt.X("rank:O", title="Rank of the document", axis=band_axis(last))
    base = alt.Chart().encode(
        x=x.scale(domain=list(range(1, last + 1)), padding=0),
        y=alt.Y("query:N", title=None, sort=names, scale=alt.Scale(domain=names, padding=0), axis=None),
        tooltip=[*tooltips("query:N"), *document_tooltip(rows)],
    )
    cells = base.mark_rect(stroke=theme.background, strokeWidth=1.5).encode(color=grades.encoding())
    text = base.mark_text(fontSize=10).encode(text="text:N", fill=alt.Fill("ink:N", scale=None))
    width, height = max(_CELL * last, 60), rows_height(len(names))
    return alt.layer(cells, text, data=chart_data(rows), width=width, height=height)
