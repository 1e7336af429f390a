"""Draws where documents rank in two runs."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from rankgold.core.accepted import PlotData
from rankgold.core.errors import PlotError, counted
from rankgold.core.hits import Hits
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.chart_labels import short_labels
from rankgold.present.plots.inputs import ranking_without_ties, two_runs
from rankgold.present.plots.labels import heading, pixel_width, short_text, unique_labels
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import GradeColours, chart_data, check_depth, name_scale, tooltips
from rankgold.present.plots.theme import Theme, find_theme

_DEPTH = 20
_MAX_DOCUMENTS = 40
_ROW = 20
_WIDTH = 300

Ranks = dict[Any, tuple[int, float]]
"""Document -> its rank and its grade."""


@plot(min_runs=2, max_runs=2)
def bump(data: PlotData, *, query: Hashable = None, depth: int = _DEPTH, theme: str = "light") -> alt.LayerChart:
    """The ranks of one query's judged documents in two runs, coloured by grade.

    Lines of high grades should rise from left to right and those of low grades fall: then the second run moves good
    documents up and poor ones down. Below the dashed line are documents that a run has further down or not at all.

    >>> import rankgold
    >>> qrels, old, new = {"q": {"a": 2, "b": 1}}, {"q": {"a": 1, "b": 2}}, {"q": {"a": 2, "b": 1}}
    >>> chart = rankgold.plots.bump({"old": rankgold.match(qrels, old), "new": rankgold.match(qrels, new)}, query="q")
    >>> [(end["run"], end["rank"]) for end in chart.data.values if end["document"] == "a"]
    [('old', 2), ('new', 1)]
    """
    look = find_theme(theme)
    first, second = (run.for_query(query) for run in two_runs(data))
    deepest = check_depth(depth, _DEPTH)
    ranks = _ranks(first.hits), _ranks(second.hits)
    grade_of = {document: grade for run_ranks in ranks for document, (_, grade) in run_ranks.items()}
    candidates = _documents_by_grade(ranks, deepest)
    chosen, note = candidates[:_MAX_DOCUMENTS], None
    if len(candidates) > _MAX_DOCUMENTS:
        judged = counted(len(candidates), "judged document")
        note = f"{_MAX_DOCUMENTS} of {judged} in the first {deepest}: the best grades"
    if not chosen:
        note = f"neither run has a judged document among its first {deepest}"
    shown = (grade_of[document] for document in chosen)
    grades = GradeColours([*first.grades, *second.grades], shown, look)
    labels = unique_labels(chosen)
    # Tooltips show the whole names, marks the short ones.
    documents = {
        document: {"document": label, "text": text, **grades.row(grade_of[document])}
        for document, label, text in zip(chosen, labels, short_labels(labels), strict=True)
    }
    rows = [
        {**row, "run": run.name, "side": side}
        for run, side, run_ranks, others in zip((first, second), ("left", "right"), ranks, ranks[::-1], strict=True)
        for row in _side(documents, run_ranks, others, deepest)
    ]
    title = heading(f"Judged documents of query {short_text(first.hits.queries[0])}", note, width=_WIDTH)
    return _chart(rows, [first.name, second.name], grades, deepest, look).properties(title=title)


def _ranks(hits: Hits) -> Ranks:
    """The judged documents that were retrieved."""
    system = ranking_without_ties(hits)
    if system.documents is None:
        raise PlotError("This plot follows documents from run to run, and labels do not say which they are.")
    return {system.document_id(i): (int(system.rank[i]), float(system.grade[i])) for i in range(len(system))}


def _documents_by_grade(ranks: tuple[Ranks, Ranks], deepest: int) -> list[Any]:
    """The documents that either run has down to a depth, the best grades first."""
    best: dict[Any, tuple[float, int]] = {}
    for run_ranks in ranks:
        for document, (rank, grade) in run_ranks.items():
            if rank <= deepest:
                best[document] = (-grade, min(rank, best[document][1]) if document in best else rank)
    return sorted(best, key=lambda document: best[document])


def _side(documents: dict[Any, dict[str, Any]], ranks: Ranks, others: Ranks, deepest: int) -> Iterator[dict[str, Any]]:
    """A row for each document in one run: at its rank, or below all ranks in the order of the other run."""
    below = [document for document in documents if document not in ranks or ranks[document][0] > deepest]
    below.sort(key=lambda document: others[document][0])
    place = {document: deepest + 2 + i for i, document in enumerate(below)}
    for document, fields in documents.items():
        rank = ranks[document][0] if document in ranks else None
        note = "" if document not in place else " (not found)" if rank is None else f" (rank {rank:,})"
        yield {**fields, "text": fields["text"] + note, "rank": rank, "place": place.get(document, rank)}


def _chart(
    rows: list[dict[str, Any]], runs: list[str], grades: GradeColours, deepest: int, theme: Theme
) -> alt.LayerChart:
    shallow = max([row["rank"] for row in rows if row["rank"] is not None and row["rank"] <= deepest], default=1)
    for row in rows:
        if row["place"] > deepest:
            row["place"] -= deepest - shallow
    last = max([row["place"] for row in rows], default=1)
    labels: dict[str, Any] = {"labelAngle": 0, "labelFontSize": 13, "labelColor": theme.ink, "labelLimit": 220}
    x = alt.X("run:N", title=None, scale=name_scale(runs, padding=0.0))
    x = x.axis(orient="top", domain=False, ticks=False, **labels)
    offset = 30 + max([pixel_width(row["text"]) for row in rows if row["run"] == runs[0]], default=0)
    ticks = [rank for rank in range(1, shallow + 1) if shallow <= 25 or rank == 1 or rank % 5 == 0]
    y = alt.Y("place:Q", title="Rank").scale(domain=[last + 0.5, 0.5], nice=False)
    y = y.axis(values=ticks, grid=False, domain=False, ticks=False, offset=offset, format="d")
    tooltip = tooltips("document:N", "run:N", "rank:Q", alt.Tooltip("level:N", title="grade"))
    base = alt.Chart().encode(x=x, y=y, tooltip=tooltip)
    lines = base.mark_line(strokeWidth=2.2).encode(detail="document:N", color=grades.encoding(below=True))
    points = base.mark_point(size=80, stroke=theme.axis, strokeWidth=0.6).encode(color=grades.encoding(below=True))
    left = base.transform_filter("datum.side == 'left'").mark_text(align="right", dx=-10)
    right = base.transform_filter("datum.side == 'right'").mark_text(align="left", dx=10)
    layers = [lines, points, left.encode(text="text:N"), right.encode(text="text:N")]
    if any(row["place"] > shallow for row in rows):
        rule = alt.Chart(chart_data([{"place": shallow + 1}])).mark_rule(strokeDash=[4, 3])
        layers.insert(0, rule.encode(y=y))
    return theme.layer(*layers, data=chart_data(rows), width=_WIDTH, height=_ROW * max(last, 2))
