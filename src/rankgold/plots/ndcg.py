"""NDCG at every cutoff of one ranking, beside its grades."""

from __future__ import annotations

from typing import Any

from rankgold.errors import PlotError
from rankgold.hits import Hits
from rankgold.measures import parse
from rankgold.plots.curve import cutoff_line
from rankgold.plots.cutoffs import cutoffs
from rankgold.plots.inputs import grades_by_rank, single_run
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import Grades, band_axis, records
from rankgold.plots.theme import HEIGHT, PANEL, Theme, dressed, theme_called
from rankgold.plots.words import grade_in_cell, heading, measure_name, of_query, shown

_ROOM_FOR_LETTERS = 45
_MOST_TICKS = 10


@plot()
def ndcg(data: Any, measure: Any = None, *, query: Any = None, depth: int | None = None, theme: str = "light") -> Any:
    """NDCG at every cutoff of one ranking, beside the grades of its documents.

    The line is at 1 as long as no better document could have stood higher; it drops where the bars show a low grade
    while a better one is still to come, or was not found at all.

    >>> import rankgold
    >>> chart = rankgold.plots.ndcg([3, 0, 2])
    >>> [(bar["rank"], bar["grade"]) for bar in chart.hconcat[1].data.values]
    [(1, 3.0), (2, 0.0), (3, 2.0)]
    """
    look = theme_called(theme)
    run = single_run(data).only(query)
    chosen = parse(measure or "ndcg")
    if chosen.metric.name not in ("ndcg", "dcg", "cg"):
        raise PlotError(f"This plot shows ndcg, dcg or cg, with their parameters, not {chosen}. curve shows others.")
    ks = cutoffs(chosen, int(run.hits.returned[0]), depth)
    title = heading(f"{measure_name(chosen, cutoff=False)} at k{of_query(run.name, run.hits)}")
    left, right = cutoff_line(run, chosen, ks, look), grade_bars(run.hits, ks[-1], look)
    return dressed(alt.hconcat(left, right, title=title), look)


def grade_bars(hits: Hits, depth: int, theme: Theme) -> Any:
    """The grades of the first query's documents as bars; a dash where a document is not judged."""
    documents = grades_by_rank(hits, 0, depth)
    grades = Grades((grade for _, grade, _ in documents), theme)
    rows = [
        {"rank": rank, **grades.row(grade), "height": grade or 0.0, "document": shown(document or "")}
        for rank, grade, document in documents
    ]
    for row in rows:
        row["label"] = grade_in_cell(row["grade"])
    letters = sum(max(len(row["label"]), 2) for row in rows)
    tooltip = [alt.Tooltip("rank:O", title="rank"), alt.Tooltip("level:N", title="grade")]
    if any(row["document"] for row in rows):
        tooltip.insert(1, alt.Tooltip("document:N", title="document"))
    whole = all(float(row["height"]).is_integer() for row in rows)
    top = max([hits.max_grade, 1.0, *(row["height"] for row in rows)])
    ticks = {"format": "d", "values": list(range(int(top) + 1))} if whole and top <= _MOST_TICKS else {}
    base = alt.Chart().encode(
        x=alt.X("rank:O", title="Rank of the document", axis=band_axis(len(rows)), scale=alt.Scale(paddingInner=0.15)),
        y=alt.Y(
            "height:Q",
            title="Grade",
            scale=alt.Scale(domain=[min([0.0, *(row["height"] for row in rows)]), top], nice=False),
            axis=alt.Axis(**ticks),
        ),
        tooltip=tooltip,
    )
    bars = base.mark_bar().encode(color=grades.encoding(legend=None))
    layers = [bars]
    if letters <= _ROOM_FOR_LETTERS:
        layers.append(base.mark_text(dy=-7, color=theme.muted).encode(text="label:N"))
    return alt.layer(*layers, data=records(rows)).properties(width=PANEL, height=HEIGHT)
