"""No data or one run in, a chart of the reciprocal rank against the first relevant rank out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from rankgold.evaluation import evaluate
from rankgold.matching.labels import from_labels
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading, query_count, run_suffix
from rankgold.plots.cutoffs import check_depth
from rankgold.plots.inputs import single_run
from rankgold.plots.registry import plot
from rankgold.plots.scales import chart_data, outlined_text, rank_x, tooltips
from rankgold.plots.theme import HEIGHT, WIDTH, find_theme

_DEPTH = 10
_ROOM_FOR_NUMBERS = 12


@plot(min_runs=0)
def reciprocal_rank(data: Any = None, *, depth: int = _DEPTH, theme: str = "light") -> Any:
    """The reciprocal rank against the rank of the first relevant document; for a run, how many queries have it there.

    From rank 1 to rank 2 half of the value is lost, from 9 to 10 hardly anything. So the mean depends on how many
    queries have a relevant document at the very top.

    >>> import rankgold
    >>> [round(point["value"], 2) for point in rankgold.plots.reciprocal_rank(depth=4).data.values]
    [1.0, 0.5, 0.33, 0.25]
    """
    look = find_theme(theme)
    deepest = check_depth(depth, _DEPTH)
    # Query i has its only relevant document at rank i.
    values = evaluate(from_labels(np.eye(deepest).tolist()), ["rr"]).values("rr")
    rows: list[dict[str, Any]] = [{"rank": i + 1, "value": float(value)} for i, value in enumerate(values)]
    tooltip = tooltips("rank:Q", alt.Tooltip("value:Q", title="reciprocal rank", format=".4f"))
    note, size = None, None
    if data is not None:
        run = single_run(data)
        first_ranks = evaluate(run.hits, ["frp"]).values("frp")  # NaN where no document is relevant
        for row in rows:
            row["queries"] = int((first_ranks == row["rank"]).sum())
        tooltip.append(alt.Tooltip("queries:Q", title="queries", format=","))
        below, nowhere = int((first_ranks > deepest).sum()), int(np.isnan(first_ranks).sum())
        note = (
            f"{query_count(len(first_ranks))}{run_suffix(run)}; first relevant document below rank {deepest} in"
            f" {below:,}, nowhere in {nowhere:,}"
        )
        size = _query_size(max(row["queries"] for row in rows))
    base = alt.Chart().encode(
        x=rank_x("rank:Q", "Rank of the first relevant document", deepest),
        y=alt.Y("value:Q", title="Reciprocal rank", scale=alt.Scale(domain=[0, 1])),
        tooltip=tooltip,
    )
    layers = [base.mark_line(), base.mark_point(size=55)]
    if deepest <= _ROOM_FOR_NUMBERS:
        layers += outlined_text(base, alt.Text("value:Q", format=".2f"), look, dy=-9, dx=15)
    if size is not None:
        layers.insert(1, base.mark_point(color=look.mark, opacity=0.35).encode(size=size))
    title = heading("Reciprocal rank against the rank of the first relevant document", note)
    return look.layer(*layers, data=chart_data(rows), width=WIDTH, height=HEIGHT, title=title)


def _query_size(most: int) -> Any:
    """The area of a point by its number of queries, of which the largest is `most`."""
    values = sorted({math.ceil(most * share) for share in (0.1, 0.5, 1)})
    legend = alt.Legend(title="Queries", format=",d", values=values)
    return alt.Size("queries:Q", scale=alt.Scale(range=[0, 1200], domain=[0, max(most, 1)]), legend=legend)
