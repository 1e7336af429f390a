"""How the terms of a query's documents add up to its score."""

from __future__ import annotations

import math
from typing import Any

from rankgold.explanation import Explanation, explain
from rankgold.plots.inputs import chosen_measure, single_run
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import exact_format, number_format, number_text, records
from rankgold.plots.theme import WIDTH, dressed, rows_height, theme_called
from rankgold.plots.words import axis_name, counted, distinct, heading, measure_name, of_query, shown

_MOST_STEPS = 25


@plot()
def waterfall(data: Any, measure: Any = None, *, query: Any = None, theme: str = "light") -> Any:
    """The contributions of one query's documents, each starting where the one above ends, down to the score.

    The longest bar is the document that the score owes most to. What is missing between the last bar and 1 is what
    better documents higher up, or those not found, would have added.

    >>> import rankgold
    >>> chart = rankgold.plots.waterfall([1, 0, 1], "ap")
    >>> [(bar["label"], round(bar["end"], 4)) for bar in chart.data.values]
    [('1', 0.5), ('3', 0.8333), ('score', 0.8333)]
    """
    look = theme_called(theme)
    run = single_run(data).only(query)
    chosen = chosen_measure(measure, [run], "ap")
    explanation = explain(run.hits, measure=chosen)
    rows = _rows(explanation)
    names = [row["label"] for row in rows]
    label = measure_name(chosen)
    ends = [value for row in rows for value in (row["start"], row["end"])]
    low, high = chosen.metric.span
    fits = not math.isfinite(high)
    domain = [min([0.0, low, *ends]), max([high, *ends])]
    scale = alt.Scale(zero=True) if fits else alt.Scale(domain=domain, nice=False)
    has_documents = any(row["document"] for row in rows)
    base = alt.Chart().encode(
        y=alt.Y(
            "label:N",
            title="Rank and document" if has_documents else "Rank",
            sort=names,
            scale=alt.Scale(paddingInner=0.3, paddingOuter=0.15),
            axis=alt.Axis(labelLimit=220),
        ),
        tooltip=[
            alt.Tooltip("label:N", title="rank and document" if has_documents else "rank"),
            alt.Tooltip("grade:N", title="grade"),
            alt.Tooltip("part:Q", title="adds", format=exact_format(chosen)),
            alt.Tooltip("end:Q", title="so far", format=exact_format(chosen)),
        ],
    )
    colours = alt.Scale(domain=["adds", "takes", "score"], range=[look.gain, look.loss, look.muted])
    bars = base.mark_bar().encode(
        x=alt.X("start:Q", title=axis_name(chosen), scale=scale),
        x2="end:Q",
        color=alt.Color("kind:N", scale=colours, legend=None),
    )
    text = base.mark_text(align="left", dx=5, color=look.muted).encode(x="right:Q", text="text:N")
    title = heading(
        f"{label}{of_query(run.name, run.hits)}: {number_text(explanation.value, chosen)}",
        explanation.decided_by,
        _not_found(explanation),
    )
    chart = alt.layer(bars, text, data=records(rows)).properties(
        width=WIDTH, height=rows_height(len(rows)), title=title
    )
    return dressed(chart, look)


def _rows(explanation: Explanation) -> list[dict[str, Any]]:
    """A row for each document that counts, one for all that are too many to show, and one for the score."""
    norm = explanation.norm
    steps = explanation.steps if norm else ()
    names = distinct(_name(step) for step in steps[:_MOST_STEPS])
    rows: list[dict[str, Any]] = []
    before = 0.0
    for name, step in zip(names, steps, strict=False):
        after = step.running_sum / norm
        document = "" if step.document is None else shown(step.document)
        rows.append(_row(name, before, after) | {"grade": f"{step.grade:g}", "document": document})
        before = after
    if len(steps) > _MOST_STEPS:
        after = steps[-1].running_sum / norm
        rows.append(_row(counted(len(steps) - _MOST_STEPS, "more document"), before, after))
        before = after
    if explanation.missed:
        rows.append(_row(explanation.missed_is, before, explanation.sum / norm))
    value = 0.0 if math.isnan(explanation.value) else explanation.value
    rows.append(_row("score", 0.0, value) | {"kind": "score"})
    pattern = "{:.3f}" if number_format(explanation.measure) == ".2f" else "{:.4g}"
    for row in rows:
        plus = "" if row["kind"] == "score" else "+"
        sign = plus if row["part"] >= 0 else "−"
        row["text"] = sign + pattern.format(abs(row["part"]))
    if math.isnan(explanation.value):
        rows[-1]["text"] = "undefined"
    return rows


def _row(label: str, start: float, end: float) -> dict[str, Any]:
    part = end - start
    kind = "adds" if part >= 0 else "takes"
    return {
        "label": label, "document": "", "grade": "", "start": start, "end": end, "right": max(start, end),
        "part": part, "kind": kind,
    }  # fmt: skip


def _name(step: Any) -> str:
    return f"{step.rank}" if step.document is None else f"{step.rank}  {step.document}"


def _not_found(explanation: Explanation) -> str | None:
    missing = len(explanation.not_found)
    return f"{counted(missing, 'relevant document')} not found" if missing else None
