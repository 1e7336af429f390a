"""One ranking in, a chart of how the terms of its documents add up to the score out."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

from rankgold.accepted import PlotData
from rankgold.declaration.metric import Measure
from rankgold.errors import counted
from rankgold.explanation import Explanation, Step
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import display_text, heading, missed_notes, score_title, unique_labels
from rankgold.plots.inputs import single_measure, single_run
from rankgold.plots.registry import plot
from rankgold.plots.running_bars import running_bar, running_chart
from rankgold.plots.scales import tooltips
from rankgold.plots.short_labels import short_labels
from rankgold.plots.theme import find_theme
from rankgold.scoring import explain

_MAX_STEPS = 25
_LONGEST = 140


@plot()
def waterfall(
    data: PlotData, measure: str | Measure | None = None, *, query: Hashable = None, theme: str = "light"
) -> alt.LayerChart:
    """The contributions of one query's documents to the score, each starting where the one above ends.

    The longest bar is the document that adds most to the score. The gap between the last bar and 1 is what better
    documents higher up, or those not found, would have added.

    >>> import rankgold
    >>> chart = rankgold.plots.waterfall([1, 0, 1], "ap")
    >>> [(bar["label"], round(bar["end"], 4)) for bar in chart.data.values]
    [('1', 0.5), ('3', 0.8333), ('score', 0.8333)]
    """
    look = find_theme(theme)
    run = single_run(data).for_query(query)
    chosen = single_measure(measure, [run], "ap")
    explanation = explain(run.hits, measure=chosen)
    rows = _bars(explanation)
    has_ids = any(row["document"] for row in rows)
    label = "Rank and document" if has_ids else "Rank"
    if any(step.subtopic is not None for step in explanation.steps):
        label = "Rank, document and subtopic"
    return running_chart(
        rows,
        chosen,
        {"adds": look.gain, "takes": look.loss, "score": look.muted},
        look,
        label=label,
        names=[alt.Tooltip("label:N", title=label.lower()), *tooltips(*["document:N"] * has_ids)],
        title=heading(score_title(run, explanation), explanation.decided_by, *missed_notes(explanation)),
    )


def _bars(explanation: Explanation) -> list[dict[str, Any]]:
    """A row for each document that counts, one for those that are too many to show, and one for the score."""
    norm, measure = explanation.norm, explanation.measure
    steps = explanation.steps if norm else ()
    rows: list[dict[str, Any]] = []

    def add(label: str, end: float, **names: str) -> None:
        start = rows[-1]["end"] if rows else 0.0
        rows.append(running_bar(label, start, end, "adds" if end >= start else "takes", measure, **names))

    for label, step in zip(_step_labels(steps[:_MAX_STEPS]), steps, strict=False):
        document = "" if step.document is None else display_text(step.document)
        add(label, step.running_sum / norm, document=document, grade=f"{step.grade:g}")
    if len(steps) > _MAX_STEPS:
        add(counted(len(steps) - _MAX_STEPS, "more document"), steps[-1].running_sum / norm)
    if explanation.rest:
        add(explanation.rest_is, explanation.sum / norm)
    if math.isnan(explanation.value):
        return [*rows, running_bar("score", 0.0, 0.0, "score", measure, text="undefined")]
    return [*rows, running_bar("score", 0.0, explanation.value, "score", measure)]


def _step_labels(steps: Sequence[Step]) -> list[str]:
    """Rank, document and subtopic of each step; long ids are cut."""
    names = [[name for name in (step.document, step.subtopic) if name is not None] for step in steps]
    documents = short_labels([": ".join(map(display_text, name)) for name in names], _LONGEST)
    return unique_labels(f"{step.rank}  {document}".strip() for step, document in zip(steps, documents, strict=True))
