"""One ranking in, the panel beside a curve out: its documents side by side, coloured by grade."""

from typing import Any

from rankgold.declaration.metric import Measure
from rankgold.plots import lazy_altair as alt
from rankgold.plots.inputs import PlottedRun, documents_by_rank
from rankgold.plots.scales import GradeColours, band_axis, chart_data, document_tooltip
from rankgold.plots.theme import HEIGHT, PANEL, Theme

_ROOM_FOR_WORDS = 20
_ROOM_FOR_GAPS = 60


def relevance_strip(run: PlottedRun, measure: Measure, depth: int, theme: Theme) -> Any:
    """The documents of the first query down to a depth; each says whether it is relevant."""
    documents = documents_by_rank(run.hits, 0, depth)
    grades = GradeColours(run.grades, (grade for _, grade, _ in documents), theme)
    rows = [
        {**grades.document_row(rank, grade, document), "relevance": _relevance_text(grade, measure.threshold)}
        for rank, grade, document in documents
    ]
    base = alt.Chart().encode(
        x=alt.X("rank:O", title="Rank of the document", axis=band_axis(len(rows))),
        tooltip=document_tooltip(rows, "relevance:N"),
    )
    gap = 2 if len(rows) <= _ROOM_FOR_GAPS else 0
    layers = [base.mark_rect(stroke=theme.background, strokeWidth=gap).encode(color=grades.encoding())]
    if len(rows) <= _ROOM_FOR_GAPS:
        outline = base.mark_rect(fill=None, stroke=theme.axis, strokeWidth=1, strokeDash=[3, 2])
        layers.append(outline.transform_filter("datum.grade === null"))
    if len(rows) <= _ROOM_FOR_WORDS:
        words = base.mark_text(angle=270, fontSize=12)
        layers.append(words.encode(text="relevance:N", fill=alt.Fill("ink:N", scale=None)))
    return alt.layer(*layers, data=chart_data(rows)).properties(width=PANEL, height=HEIGHT)


def _relevance_text(grade: float | None, threshold: float) -> str:
    if grade is None:
        return "not judged"
    return "relevant" if grade >= threshold else "not relevant"
