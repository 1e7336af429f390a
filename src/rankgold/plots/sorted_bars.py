"""Many sorted queries in, a thin bar for each out, with the names of those at both ends."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.plots import lazy_altair as alt
from rankgold.plots.scales import chart_data
from rankgold.plots.selection import ShownQueries
from rankgold.plots.short_labels import short_labels
from rankgold.plots.text_width import pixel_width
from rankgold.plots.theme import Theme

SORTED_HEIGHT = 560
_TEXT_HEIGHT = 14
_LEADER = 22
_SIZE = 10
_LONGEST_NAME = 150
_GAP = 0.15
_ROOM_FOR_GAPS = 2.5


def with_edges(rows: list[dict[str, Any]], shown: ShownQueries) -> list[dict[str, Any]]:
    """The row of each query with the edges of its bar."""
    return [row | edges for row, edges in zip(rows, bar_edges(shown), strict=True)]


def bar_edges(shown: ShownQueries) -> list[dict[str, float]]:
    """The upper and lower edge of each bar; where not every place has a bar, a bar reaches halfway to the next."""
    places, count = shown.places, shown.count
    middles = (places[1:] + places[:-1] + 1) / 2
    tops, bottoms = np.concatenate(([0.0], middles)), np.concatenate((middles, [float(count)]))
    gap = _GAP if SORTED_HEIGHT / count >= _ROOM_FOR_GAPS else 0.0
    return [{"top": float(top + gap), "bottom": float(low - gap)} for top, low in zip(tops, bottoms, strict=True)]


def thin_bars(
    base: alt.Chart, rows: list[dict[str, Any]], shown: ShownQueries, ends: tuple[int, int], theme: Theme
) -> list[alt.Chart]:
    """A bar from zero for each row of a query, and the names of so many queries at the top and at the bottom.

    Bars are thinner than text, so names spread from the end towards the middle, and lines lead from them to the bars.
    """
    places = [*range(ends[0]), *range(len(rows) - ends[1], len(rows))]
    queries = [rows[place]["query"] for place in places]
    step = max(1.0, _TEXT_HEIGHT * shown.count / SORTED_HEIGHT)
    names = []
    for i, (query, label) in enumerate(zip(queries, short_labels(queries, _LONGEST_NAME, _SIZE), strict=True)):
        # From the top for the first names, from the bottom for the last.
        start, away = (0, i + 0.5) if i < ends[0] else (shown.count, i - len(queries) + 0.5)
        names.append({"name": query, "label": label, "bar": start + away, "text": start + away * step})
    room = _LEADER + 8 + max((pixel_width(row["label"], _SIZE) for row in names), default=0)
    axis = alt.Axis(labels=False, ticks=False, grid=False, domain=False, titlePadding=room)
    y = alt.Y("top:Q", title="Query", scale=place_scale(shown.count), axis=axis)
    bars = base.mark_rect().encode(x2=alt.datum(0), y=y, y2="bottom:Q")
    return [bars, *_name_layers(names, shown.count, theme)]


def _name_layers(names: list[dict[str, Any]], count: int, theme: Theme) -> list[alt.Chart]:
    """The names left of the bars, each with a line to its bar."""
    base = alt.Chart(chart_data(names)).encode(tooltip=alt.Tooltip("name:N", title="query"))
    bar, text = (alt.Y(field, scale=place_scale(count)) for field in ("bar:Q", "text:Q"))
    lines = base.mark_rule(color=theme.axis, strokeWidth=0.8)
    lines = lines.encode(x=alt.value(-3), x2=alt.value(-_LEADER), y=bar, y2="text:Q")
    words = base.mark_text(align="right", dx=-3, fontSize=_SIZE, color=theme.muted)
    return [lines, words.encode(x=alt.value(-_LEADER), y=text, text="label:N")]


def place_scale(count: int) -> alt.Scale:
    """From the top edge of the first place down to the bottom edge of the last."""
    return alt.Scale(domain=[count, 0], nice=False)
