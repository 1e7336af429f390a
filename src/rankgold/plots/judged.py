"""How much of what was retrieved is judged, and how much is relevant."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from rankgold.declaration.metric import REGISTRY
from rankgold.plots.cutoffs import cutoffs, values_at
from rankgold.plots.inputs import Run, runs_in
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import line_legend, rank_axis, rank_scale, records, run_colours
from rankgold.plots.theme import HEIGHT, WIDTH, dressed, theme_called
from rankgold.plots.words import distinct, heading, in_run

_ROOM_FOR_POINTS = 20


@plot(most=None)
def judged(data: Any, *, depth: int | None = None, theme: str = "light") -> Any:
    """The share of the retrieved documents that are judged, and that are relevant, by depth.

    Where the solid line falls, scores rest on guesses: what is not judged counts as not relevant. A run that was not
    among those judged falls sooner, and is punished for it.

    >>> import rankgold
    >>> hits = rankgold.match({"q": {"a": 1, "b": 0}}, {"q": {"a": 4, "x": 3, "b": 2, "y": 1}})
    >>> chart = rankgold.plots.judged(hits)
    >>> [(point["k"], round(point["share"], 2)) for point in chart.data.values if point["kind"] == "judged"]
    [(1, 1.0), (2, 0.5), (3, 0.67), (4, 0.5)]
    """
    look = theme_called(theme)
    runs = runs_in(data)
    names = distinct(run.name for run in runs)
    longest = max(int(run.hits.returned.max(initial=1)) for run in runs)
    ks = cutoffs(REGISTRY["p"](), longest, depth)
    rows = [
        {"run": name, "kind": kind, "k": k, "share": share}
        for name, run in zip(names, runs, strict=True)
        for kind, one in (("judged", _all_relevant(run)), ("relevant", run))
        for k, share in _shares(one, ks)
    ]
    several = len(runs) > 1
    base = alt.Chart().encode(
        x=alt.X("k:Q", title="Depth k", axis=rank_axis(ks[-1]), scale=rank_scale(ks[-1])),
        y=alt.Y(
            "share:Q",
            title="Share of the first k documents",
            axis=alt.Axis(format=".0%"),
            scale=alt.Scale(domain=[0, 1]),
        ),
        color=alt.Color(
            "run:N" if several else "kind:N",
            scale=run_colours(names if several else ["judged", "relevant"], look),
            legend=line_legend("Run" if several else None),
        ),
        tooltip=["run:N", "kind:N", "k:Q", alt.Tooltip("share:Q", format=".1%")],
    )
    dashes = alt.Scale(domain=["judged", "relevant"], range=[[1, 0], [5, 3]])
    legend = line_legend(None) if several else None
    line = base.mark_line().encode(strokeDash=alt.StrokeDash("kind:N", title=None, scale=dashes, legend=legend))
    layers = [line]
    if ks[-1] <= _ROOM_FOR_POINTS:
        layers.append(base.mark_point(size=34))
    title = heading(
        f"Judged and relevant documents by depth{'' if several else in_run(names[0])}",
        "of the documents returned down to k, in the mean over the queries with a ranking",
    )
    chart = alt.layer(*layers, data=records(rows)).properties(width=WIDTH, height=HEIGHT, title=title)
    return dressed(chart, look)


def _all_relevant(run: Run) -> Run:
    """The same run, had every judged document been found relevant: its precision is the share that is judged."""
    hits = run.hits
    system, ideal = (replace(one, grade=np.ones(len(one))) for one in (hits.system.whole, hits.ideal.whole))
    return Run(run.name, replace(hits, system=system, ideal=ideal))


def _shares(run: Run, ks: list[int]) -> list[tuple[int, float | None]]:
    """The precision among the documents returned; a query without a ranking has no such share."""
    hits = replace(run.hits, policy=replace(run.hits.policy, missing="skip", no_relevant="zero"))
    return values_at(Run(run.name, hits), REGISTRY["p"](norm="returned"), ks)
