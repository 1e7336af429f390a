"""Draws first relevant ranks."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.core.accepted import PlotData
from rankgold.core.errors import counted
from rankgold.data.matching.labels import from_labels
from rankgold.measures.rankings import parse_measure
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.inputs import PlottedRun, single_run
from rankgold.present.plots.labels import heading, run_suffix, title_number
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import (
    FEW_RANKS,
    chart_data,
    check_depth,
    kind_colour,
    outlined_text,
    rank_x,
    some_ranks,
    tooltips,
)
from rankgold.present.plots.theme import HEIGHT, WIDTH, Theme, find_theme
from rankgold.scoring import evaluate

_DEPTH = 10
_ROOM_FOR_NUMBERS = 12
_MAX_TICKS = 10


@plot(min_runs=0)
def reciprocal_rank(data: PlotData | None = None, *, depth: int = _DEPTH, theme: str = "light") -> alt.LayerChart:
    """The reciprocal rank against the rank of the first relevant document; for a run, how many queries have it there.

    From rank 1 to rank 2 half of the value is lost, from 9 to 10 hardly anything. So the mean depends on how many
    queries have a relevant document at the very top: the first bars of the histogram.

    >>> import rankgold
    >>> [round(point["value"], 2) for point in rankgold.plots.reciprocal_rank(depth=4).data.values]
    [1.0, 0.5, 0.33, 0.25]
    >>> chart = rankgold.plots.reciprocal_rank([[1, 0], [0, 1], [1, 1], [0, 0]], depth=2)
    >>> [(bar["rank"], bar["queries"]) for bar in chart.data.values]
    [('1', 2), ('2', 1), ('none', 1)]
    """
    look = find_theme(theme)
    deepest = check_depth(depth, _DEPTH)
    return _value_line(deepest, look) if data is None else _rank_histogram(single_run(data), deepest, look)


def _value_line(deepest: int, theme: Theme) -> alt.LayerChart:
    """The reciprocal rank at every rank; at some of them where they are many."""
    ranks = some_ranks(deepest)
    values = evaluate(from_labels([[0] * (rank - 1) + [1] for rank in ranks]), ["rr"]).values("rr")
    rows = [{"rank": rank, "value": float(value)} for rank, value in zip(ranks, values, strict=True)]
    base = alt.Chart().encode(
        x=rank_x("rank:Q", "Rank of the first relevant document", deepest),
        y=alt.Y("value:Q", title="Reciprocal rank", scale=alt.Scale(domain=[0, 1])),
        tooltip=tooltips("rank:Q", alt.Tooltip("value:Q", title="reciprocal rank", format=".4f")),
    )
    layers = [base.mark_line(), base.mark_point(size=55)]
    if deepest <= _ROOM_FOR_NUMBERS:
        outline, numbers = outlined_text(base, alt.Text("value:Q", format=".4f"), theme, dy=-9, dx=20)
        layers = [layers[0], outline, layers[1], numbers]
    title = heading("Reciprocal rank against the rank of the first relevant document")
    return theme.layer(*layers, data=chart_data(rows), width=WIDTH, height=HEIGHT, title=title)


def _rank_histogram(run: PlottedRun, deepest: int, theme: Theme) -> alt.LayerChart:
    """How many queries have their first relevant document at each rank, further down, and nowhere."""
    scores = evaluate(run.hits, ["frp", "rr"])
    first_ranks = scores.values("frp")  # NaN where no document is relevant
    below, nowhere = int((first_ranks > deepest).sum()), int(np.isnan(first_ranks).sum())
    rows: list[dict[str, Any]] = []
    for low, high in _rank_ranges(deepest):
        count = int(((low <= first_ranks) & (first_ranks <= high)).sum())
        name = f"{low:,}" if low == high else f"{low:,}–{high:,}"
        rows.append({"rank": name, "queries": count, "kind": "rank"})
    others = {f"> {deepest:,}": below, "none": nowhere}
    rows += [{"rank": name, "queries": count, "kind": "other"} for name, count in others.items() if count]
    names = [row["rank"] for row in rows]
    axis = alt.Axis(labelAngle=0) if deepest <= FEW_RANKS else alt.Axis(labelAngle=-40)
    base = alt.Chart().encode(
        x=alt.X("rank:N", title="Rank of the first relevant document", sort=names, axis=axis),
        y=alt.Y("queries:Q", title="Queries", axis=_count_axis(max(row["queries"] for row in rows))),
        tooltip=tooltips("rank:N", alt.Tooltip("queries:Q", title="queries", format=",")),
    )
    bars = base.mark_bar().encode(color=kind_colour({"rank": theme.series[0], "other": theme.not_relevant}))
    counts = outlined_text(base, alt.Text("queries:Q", format=","), theme, dy=-8, color=theme.muted)
    title = heading(
        f"Rank of the first relevant document{run_suffix(run)}",
        f"{counted(len(first_ranks), 'query')}; first relevant document below rank {deepest:,} in {below:,},"
        f" nowhere in {nowhere:,}",
        f"mean reciprocal rank {title_number(scores['rr'], parse_measure('rr'))}",
    )
    return theme.layer(bars, *counts, data=chart_data(rows), width=WIDTH, height=HEIGHT, title=title)


def _count_axis(most: int) -> alt.Axis:
    """An axis of whole numbers."""
    ticks: dict[str, Any] = {"values": list(range(most + 1))} if most <= _MAX_TICKS else {}
    return alt.Axis(format=",d", **ticks)


def _rank_ranges(deepest: int) -> list[tuple[int, int]]:
    """The first and last rank of each bar: one rank where they are few; else also 11 to 20, 21 to 50, 51 to 100 ..."""
    if deepest <= FEW_RANKS:
        return [(rank, rank) for rank in range(1, deepest + 1)]
    ends = [*range(1, 11), *(step * 10**power for power in range(1, 7) for step in (2, 5, 10))]
    ends = [*(end for end in ends if end < deepest), deepest]
    return list(zip([1, *(end + 1 for end in ends[:-1])], ends, strict=True))
