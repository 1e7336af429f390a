"""A measure of every query, beside the grades at every rank."""

from __future__ import annotations

from typing import Any

from rankgold.hits import Hits
from rankgold.plots.cutoffs import DEPTH, checked_depth
from rankgold.plots.inputs import chosen_measure, grades_by_rank, single_run
from rankgold.plots.library import alt
from rankgold.plots.per_query import query_bars, undefined_line
from rankgold.plots.registry import plot
from rankgold.plots.scales import Grades, band_axis, records
from rankgold.plots.selection import worst_and_best
from rankgold.plots.theme import Theme, dressed, rows_height, theme_called
from rankgold.plots.words import distinct, grade_in_cell, heading, in_run, measure_name, shown

_CELL = 24
_BARS = 250


@plot()
def grid(data: Any, measure: Any = None, *, depth: int | None = None, theme: str = "light") -> Any:
    """A measure of every query, with the mean, beside the grade of the document at every rank.

    Read a row from left to right: the bar is what the query scored, the cells are why. For the reciprocal rank only the
    first coloured cell counts.

    >>> import rankgold
    >>> chart = rankgold.plots.grid([[0, 0, 1], [1, 0, 0]])
    >>> [(bar["query"], round(bar["value"], 2)) for bar in chart.hconcat[0].data.values]
    [('1', 0.33), ('2', 1.0)]
    """
    look = theme_called(theme)
    run = single_run(data)
    hits = run.hits
    chosen = chosen_measure(measure, [run], "rr")
    known = run.values(chosen)
    which, told = worst_and_best(known.values, higher_is_better=chosen.higher_is_better)
    shown_queries = [known.queries[i] for i in which.tolist()]
    left = query_bars(known, which, chosen, look, _BARS)
    deepest = checked_depth(depth) or chosen.k or min(max(int(hits.returned.max(initial=1)), 1), DEPTH)
    right = grade_cells(hits, shown_queries, deepest, look)
    title = f"{measure_name(chosen)} per query{in_run(run.name)}, beside the grade at each rank"
    lines = [told, undefined_line(known)]
    if int(hits.returned.max(initial=0)) > deepest:
        lines.append(f"the first {deepest} ranks are shown")
    return dressed(alt.hconcat(left, right, title=heading(title, *lines), spacing=36), look)


def grade_cells(hits: Hits, queries: list[Any], depth: int, theme: Theme) -> Any:
    """A row for each query and a cell for each rank, coloured by grade with the grade written on it."""
    at = {query: i for i, query in enumerate(hits.queries)}
    lists = [grades_by_rank(hits, at[query], depth) for query in queries]
    grades = Grades((grade for ranking in lists for _, grade, _ in ranking), theme)
    names = distinct(queries)
    rows = [
        {
            "query": name,
            "rank": rank,
            **grades.row(grade),
            "text": grade_in_cell(grade),
            "document": shown(document or ""),
        }
        for name, ranking in zip(names, lists, strict=True)
        for rank, grade, document in ranking
    ]
    tooltip = [
        alt.Tooltip("query:N", title="query"),
        alt.Tooltip("rank:O", title="rank"),
        alt.Tooltip("level:N", title="grade"),
    ]
    if any(row["document"] for row in rows):
        tooltip.insert(2, alt.Tooltip("document:N", title="document"))
    last = max([row["rank"] for row in rows], default=1)
    base = alt.Chart().encode(
        x=alt.X(
            "rank:O",
            title="Rank of the document",
            axis=band_axis(last),
            scale=alt.Scale(domain=list(range(1, last + 1)), padding=0),
        ),
        y=alt.Y("query:N", title=None, sort=names, scale=alt.Scale(domain=names, padding=0), axis=None),
        tooltip=tooltip,
    )
    cells = base.mark_rect(stroke=theme.background, strokeWidth=1.5).encode(color=grades.encoding())
    text = base.mark_text(fontSize=10).encode(text="text:N", fill=alt.Fill("ink:N", scale=None))
    return alt.layer(cells, text, data=records(rows)).properties(
        width=max(_CELL * last, 60), height=rows_height(len(names))
    )
