"""Bars that each start where the one above ends in, a chart of them out, with what each adds written beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rankgold.declaration.metric import Measure
from rankgold.plots import lazy_altair as alt
from rankgold.plots.measure_text import axis_name, exact_format, is_bounded
from rankgold.plots.scales import chart_data, kind_colour, measure_scale, name_scale, outlined_text
from rankgold.plots.theme import WIDTH, Theme, rows_height

_TOTALS = ("run", "score")


def running_bar(label: str, start: float, end: float, kind: str, measure: Measure, **names: str) -> dict[str, Any]:
    """The data of a bar from one value to another; its text is what it adds. Only a total has no plus sign."""
    part = end - start
    sign = "−" if part < 0 else "" if kind in _TOTALS else "+"
    text = sign + (f"{abs(part):.3f}" if is_bounded(measure) else f"{abs(part):.4g}")
    row = {"label": label, "start": start, "end": end, "right": max(start, end), "part": part, "kind": kind}
    return {**row, "document": "", "grade": "", "text": text, **names}


def running_chart(
    rows: list[dict[str, Any]],
    measure: Measure,
    colours: Mapping[str, str],
    theme: Theme,
    *,
    label: str | None,
    names: list[alt.Tooltip],
    title: alt.TitleParams,
) -> alt.LayerChart:
    """A chart of the rows. `label` is the title of their axis, and `names` are the first lines of the tooltip."""
    ends = [row[end] for row in rows for end in ("start", "end")]
    scale = measure_scale(measure, ends) if is_bounded(measure) else alt.Scale(zero=True)
    labels = [row["label"] for row in rows]
    exact = exact_format(measure)
    base = alt.Chart().encode(
        y=alt.Y("label:N", title=label, scale=name_scale(labels, paddingInner=0.3, paddingOuter=0.15)),
        tooltip=[
            *names,
            alt.Tooltip("grade:N", title="grade"),
            alt.Tooltip("part:Q", title="adds", format=exact),
            alt.Tooltip("end:Q", title="so far", format=exact),
        ],
    )
    x = alt.X("start:Q", title=axis_name(measure), scale=scale)
    bars = base.mark_bar().encode(x=x, x2="end:Q", color=kind_colour(colours))
    numbers = outlined_text(base.encode(x="right:Q"), alt.Text("text:N"), theme, align="left", dx=5, color=theme.muted)
    return theme.layer(bars, *numbers, data=chart_data(rows), width=WIDTH, height=rows_height(len(rows)), title=title)
