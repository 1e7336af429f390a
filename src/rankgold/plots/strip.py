"""Documents of one ranking side by side, coloured by grade: what stands beside a curve."""

from __future__ import annotations

from typing import Any

from rankgold.declaration.metric import Measure
from rankgold.hits import Hits
from rankgold.plots.inputs import grades_by_rank
from rankgold.plots.library import alt
from rankgold.plots.scales import Grades, band_axis, records
from rankgold.plots.theme import HEIGHT, PANEL, Theme
from rankgold.plots.words import shown

_ROOM_FOR_WORDS = 20
_ROOM_FOR_GAPS = 60


def relevance_word(grade: float | None, threshold: float) -> str:
    if grade is None:
        return "not judged"
    return "relevant" if grade >= threshold else "not relevant"


def relevance_strip(hits: Hits, measure: Measure, depth: int, theme: Theme) -> Any:
    """The documents of the first query, down to a depth, with whether they are relevant written on them."""
    documents = grades_by_rank(hits, 0, depth)
    grades = Grades((grade for _, grade, _ in documents), theme)
    rows = [
        {
            "rank": rank,
            **grades.row(grade),
            "relevance": relevance_word(grade, measure.threshold),
            "document": "" if document is None else shown(document),
        }
        for rank, grade, document in documents
    ]
    tooltip = [
        alt.Tooltip("rank:O", title="rank"),
        alt.Tooltip("level:N", title="grade"),
        alt.Tooltip("relevance:N", title="relevance"),
    ]
    if any(row["document"] for row in rows):
        tooltip.insert(1, alt.Tooltip("document:N", title="document"))
    base = alt.Chart().encode(
        x=alt.X("rank:O", title="Rank of the document", axis=band_axis(len(rows))), tooltip=tooltip
    )
    bars = base.mark_rect(stroke=theme.background, strokeWidth=2 if len(rows) <= _ROOM_FOR_GAPS else 0).encode(
        color=grades.encoding()
    )
    outline = base.mark_rect(fill=None, stroke=theme.axis, strokeWidth=1, strokeDash=[3, 2]).transform_filter(
        "datum.grade === null"
    )
    words = base.mark_text(angle=270, fontSize=12).encode(text="relevance:N", fill=alt.Fill("ink:N", scale=None))
    layers = [bars]
    if len(rows) <= _ROOM_FOR_GAPS:
        layers.append(outline)
    if len(rows) <= _ROOM_FOR_WORDS:
        layers.append(words)
    return alt.layer(*layers, data=records(rows)).properties(width=PANEL, height=HEIGHT)
