"""One ranking in, a chart of how the terms of its documents add up to the score out."""

import math
from collections.abc import Sequence
from typing import Any

from rankgold.errors import counted
from rankgold.explanation import Explanation, Step, explain
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import (
    below_cutoff_note,
    display_text,
    heading,
    not_found_note,
    score_title,
    unique_labels,
)
from rankgold.plots.inputs import single_measure, single_run
from rankgold.plots.measure_text import axis_name, exact_format, number_format
from rankgold.plots.registry import plot
from rankgold.plots.scales import chart_data, measure_scale, name_scale, outlined_text
from rankgold.plots.short_labels import short_labels
from rankgold.plots.theme import WIDTH, find_theme, rows_height

_MAX_STEPS = 25
_LONGEST = 140


@plot()
def waterfall(data: Any, measure: Any = None, *, query: Any = None, theme: str = "light") -> Any:
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
    rows = _waterfall_rows(explanation)
    names = [row["label"] for row in rows]
    ends = [value for row in rows for value in (row["start"], row["end"])]
    is_bounded = math.isfinite(chosen.metric.span[1])
    scale = measure_scale(chosen, ends) if is_bounded else alt.Scale(zero=True)
    label = "Rank and document" if any(row["document"] for row in rows) else "Rank"
    if any(step.subtopic is not None for step in explanation.steps):
        label = "Rank, document and subtopic"
    base = alt.Chart().encode(
        y=alt.Y("label:N", title=label, scale=name_scale(names, paddingInner=0.3, paddingOuter=0.15)),
        tooltip=[
            alt.Tooltip("label:N", title=label.lower()),
            *([alt.Tooltip("document:N", title="document")] if any(row["document"] for row in rows) else []),
            alt.Tooltip("grade:N", title="grade"),
            alt.Tooltip("part:Q", title="adds", format=exact_format(chosen)),
            alt.Tooltip("end:Q", title="so far", format=exact_format(chosen)),
        ],
    )
    colours = alt.Scale(domain=["adds", "takes", "score"], range=[look.gain, look.loss, look.muted])
    x, colour = alt.X("start:Q", title=axis_name(chosen), scale=scale), alt.Color("kind:N", scale=colours, legend=None)
    bars = base.mark_bar().encode(x=x, x2="end:Q", color=colour)
    numbers = outlined_text(base.encode(x="right:Q"), alt.Text("text:N"), look, align="left", dx=5, color=look.muted)
    missing = below_cutoff_note(explanation), not_found_note(explanation)
    title = heading(score_title(run, explanation), explanation.decided_by, *missing)
    return look.layer(bars, *numbers, data=chart_data(rows), width=WIDTH, height=rows_height(len(rows)), title=title)


def _waterfall_rows(explanation: Explanation) -> list[dict[str, Any]]:
    """A row for each document that counts, one for those that are too many to show, and one for the score."""
    norm = explanation.norm
    steps = explanation.steps if norm else ()
    names = _step_labels(steps[:_MAX_STEPS])
    rows: list[dict[str, Any]] = []
    before = 0.0
    for name, step in zip(names, steps, strict=False):
        after = step.running_sum / norm
        document = "" if step.document is None else display_text(step.document)
        rows.append(_bar(name, before, after) | {"grade": f"{step.grade:g}", "document": document})
        before = after
    if len(steps) > _MAX_STEPS:
        after = steps[-1].running_sum / norm
        rows.append(_bar(counted(len(steps) - _MAX_STEPS, "more document"), before, after))
        before = after
    if explanation.missed:
        rows.append(_bar(explanation.missed_is, before, explanation.sum / norm))
    value = 0.0 if math.isnan(explanation.value) else explanation.value
    rows.append(_bar("score", 0.0, value) | {"kind": "score"})
    pattern = "{:.3f}" if number_format(explanation.measure) == ".2f" else "{:.4g}"
    for row in rows:
        plus = "" if row["kind"] == "score" else "+"
        sign = plus if row["part"] >= 0 else "−"
        row["text"] = sign + pattern.format(abs(row["part"]))
    if math.isnan(explanation.value):
        rows[-1]["text"] = "undefined"
    return rows


def _bar(label: str, start: float, end: float) -> dict[str, Any]:
    part = end - start
    kind = "adds" if part >= 0 else "takes"
    return {
        "label": label, "document": "", "grade": "", "start": start, "end": end, "right": max(start, end),
        "part": part, "kind": kind,
    }  # fmt: skip


def _step_labels(steps: Sequence[Step]) -> list[str]:
    """Rank, document and subtopic of each step; long ids are cut."""
    names = [[name for name in (step.document, step.subtopic) if name is not None] for step in steps]
    documents = short_labels([": ".join(map(display_text, name)) for name in names], _LONGEST)
    return unique_labels(f"{step.rank}  {document}".strip() for step, document in zip(steps, documents, strict=True))
