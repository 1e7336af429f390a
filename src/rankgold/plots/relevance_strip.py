"""One ranking in, the strip below a curve out: its documents by rank, coloured by grade."""

from __future__ import annotations

from typing import Any

from rankgold.declaration.metric import Measure
from rankgold.plots import lazy_altair as alt
from rankgold.plots.inputs import PlottedRun, documents_by_rank
from rankgold.plots.scales import GradeColours, chart_data, document_tooltip, rank_cell, rank_x
from rankgold.plots.theme import WIDTH, Theme

_ROOM_FOR_WORDS = 20
_ROOM_FOR_GAPS = 60
_HEIGHT, _HEIGHT_WITH_WORDS = 26, 74
_GAP = 8


def relevance_strip(run: PlottedRun, measure: Measure, depth: int, theme: Theme) -> alt.ChartType:
    """The documents of the first query down to a depth; each says whether it is relevant."""
    grades, documents = graded_documents(run, depth, theme)
    rows = [
        {**row, **rank_cell(row["rank"], depth), "relevance": _relevance_text(row["grade"], measure.threshold)}
        for row in documents
    ]
    base = alt.Chart().encode(tooltip=document_tooltip(rows, "relevance:N"))
    cells = base.encode(x=rank_x("from:Q", "Rank", depth), x2="to:Q")
    gap = 2 if depth <= _ROOM_FOR_GAPS else 0
    layers = [cells.mark_rect(stroke=theme.background, strokeWidth=gap).encode(color=grades.encoding(below=True))]
    if depth > _ROOM_FOR_GAPS:
        # Cells far down are thinner than a pixel: a line keeps relevant documents visible there.
        lines = base.transform_filter("datum.relevance === 'relevant'").mark_tick(thickness=1.2, size=_HEIGHT)
        layers.append(lines.encode(x=rank_x("rank:Q", "Rank", depth), color=grades.encoding(legend=None)))
    else:
        outline = cells.mark_rect(fill=None, stroke=theme.not_relevant, strokeWidth=1, strokeDash=[3, 2])
        layers.append(outline.transform_filter("datum.grade === null"))
    has_words = depth <= _ROOM_FOR_WORDS
    if has_words:
        words = base.mark_text(angle=270, fontSize=11).encode(x=rank_x("rank:Q", "Rank", depth))
        layers.append(words.encode(text="relevance:N", fill=alt.Fill("ink:N", scale=None)))
    height = _HEIGHT_WITH_WORDS if has_words else _HEIGHT
    return alt.layer(*layers, data=chart_data(rows)).properties(width=WIDTH, height=height)


def graded_documents(run: PlottedRun, depth: int, theme: Theme) -> tuple[GradeColours, list[dict[str, Any]]]:
    """The colours of the grades, and the data of the first query's documents down to a depth."""
    documents = documents_by_rank(run.hits, 0, depth)
    grades = GradeColours(run.grades, (grade for _, grade, _ in documents), theme)
    return grades, [grades.document_row(*document) for document in documents]


def above_strip(curve: alt.ChartType, strip: alt.ChartType, theme: Theme, title: alt.TitleParams) -> alt.VConcatChart:
    """A curve, and below it a strip on the same axis."""
    return theme.vconcat(curve, strip, title=title, spacing=_GAP)


def _relevance_text(grade: float | None, threshold: float) -> str:
    if grade is None:
        return "not judged"
    return "relevant" if grade >= threshold else "not relevant"
