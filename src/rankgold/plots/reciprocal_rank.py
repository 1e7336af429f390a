"""What the reciprocal rank makes of the first relevant rank."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rankgold.evaluation import evaluate
from rankgold.matching.labels import from_labels
from rankgold.plots.cutoffs import checked_depth
from rankgold.plots.inputs import single_run
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import lettering, rank_axis, rank_scale, records
from rankgold.plots.theme import HEIGHT, WIDTH, dressed, theme_called
from rankgold.plots.words import heading, in_run, queries

_DEPTH = 10
_ROOM_FOR_NUMBERS = 12


@plot(fewest=0)
def reciprocal_rank(data: Any = None, *, depth: int = _DEPTH, theme: str = "light") -> Any:
    """The reciprocal rank against the rank of the first relevant document; with a run, how many queries have it there.

    From rank 1 to rank 2 half of the value is lost, from 9 to 10 hardly anything: a mean of it is decided by how many
    queries are answered at the very top.

    >>> import rankgold
    >>> [round(point["value"], 2) for point in rankgold.plots.reciprocal_rank(depth=4).data.values]
    [1.0, 0.5, 0.33, 0.25]
    """
    look = theme_called(theme)
    deepest = checked_depth(depth) or _DEPTH
    # Query i has its only relevant document at rank i.
    values = evaluate(from_labels(np.eye(deepest).tolist()), ["rr"]).values("rr")
    counts = None if data is None else _first_ranks(data)
    rows: list[dict[str, Any]] = [{"rank": i + 1, "value": float(value)} for i, value in enumerate(values)]
    tooltip = [alt.Tooltip("rank:Q", title="rank"), alt.Tooltip("value:Q", title="reciprocal rank", format=".4f")]
    lines = []
    if counts is not None:
        for row in rows:
            row["queries"] = int((counts == row["rank"]).sum())
        tooltip.append(alt.Tooltip("queries:Q", title="queries", format=","))
        below, nowhere = int((counts > deepest).sum()), int(np.isnan(counts).sum())
        lines.append(
            f"{queries(len(counts))}{in_run(single_run(data).name)}; first relevant document below rank {deepest} in"
            f" {below:,}, nowhere in {nowhere:,}"
        )
    base = alt.Chart().encode(
        x=alt.X(
            "rank:Q", title="Rank of the first relevant document", axis=rank_axis(deepest), scale=rank_scale(deepest)
        ),
        y=alt.Y("value:Q", title="Reciprocal rank", scale=alt.Scale(domain=[0, 1])),
        tooltip=tooltip,
    )
    layers = [base.mark_line(), base.mark_point(size=55)]
    if deepest <= _ROOM_FOR_NUMBERS:
        layers += lettering(base, alt.Text("value:Q", format=".2f"), look, dy=-9, dx=15)
    if counts is not None:
        most = max(row["queries"] for row in rows)
        legend = alt.Legend(
            title="Queries", format=",d", values=sorted({math.ceil(most * share) for share in (0.1, 0.5, 1)})
        )
        scale = alt.Scale(range=[0, 1200], domain=[0, max(most, 1)])
        size = alt.Size("queries:Q", scale=scale, legend=legend)
        layers.insert(1, base.mark_point(color=look.mark, opacity=0.35).encode(size=size))
    title = heading("Reciprocal rank against the rank of the first relevant document", *lines)
    chart = alt.layer(*layers, data=records(rows)).properties(width=WIDTH, height=HEIGHT, title=title)
    return dressed(chart, look)


def _first_ranks(data: Any) -> Any:
    """The first relevant rank of each query; NaN where there is none."""
    scores = evaluate(single_run(data).hits, ["frp"])
    return scores.values("frp")
