"""Draws how much of what was retrieved is judged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from rankgold.core.accepted import PlotData
from rankgold.core.hits import Hits
from rankgold.measures.registry import REGISTRY
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.inputs import PlottedRun, runs_to_plot
from rankgold.present.plots.labels import heading, run_suffix
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import (
    FEW_RANKS,
    chart_data,
    curve_cutoffs,
    cut_note,
    is_crowded,
    line_legend,
    rank_x,
    sampled_note,
    series_colour,
    values_at,
)
from rankgold.present.plots.theme import HEIGHT, WIDTH, Theme, find_theme

_KINDS = ["judged", "relevant"]
_SIDE = 160
_COLUMNS = 4


@plot(max_runs=None)
def judged(data: PlotData, *, depth: int | None = None, theme: str = "light") -> alt.LayerChart | alt.VConcatChart:
    """The share of the retrieved documents that are judged, and that are relevant, by depth.

    Where the solid line is low, scores are uncertain: a document that is not judged counts as not relevant. A run that
    did not contribute to the judgements falls sooner, and scores lower for it. Many runs have a panel each.

    >>> import rankgold
    >>> hits = rankgold.match({"q": {"a": 1, "b": 0}}, {"q": {"a": 4, "x": 3, "b": 2, "y": 1}})
    >>> chart = rankgold.plots.judged(hits)
    >>> [(point["k"], round(point["share"], 2)) for point in chart.data.values if point["kind"] == "judged"]
    [(1, 1.0), (2, 0.5), (3, 0.67), (4, 0.5)]
    """
    look = find_theme(theme)
    runs = runs_to_plot(data)
    longest = max(int(run.hits.returned.max(initial=1)) for run in runs)
    cutoffs = curve_cutoffs(REGISTRY["p"](), longest, depth)
    rows = [
        {"run": run.name, "kind": kind, "k": k, "share": share}
        for run in runs
        for kind, hits in zip(_KINDS, (_all_relevant(run.hits), run.hits), strict=True)
        for k, share in _shares(hits, cutoffs)
    ]
    names = [run.name for run in runs]
    title = heading(
        f"Judged and relevant documents by depth{run_suffix(*runs)}",
        "of the documents returned down to k, in the mean over the queries with a ranking",
        cut_note(REGISTRY["p"](), cutoffs[-1], longest),
        sampled_note(cutoffs),
    )
    if is_crowded(names, look):
        panel = _lines(_axes(None, cutoffs[-1], look)).properties(width=_SIDE, height=_SIDE)
        panels = panel.facet(alt.Facet("run:N", title=None, sort=names), columns=_COLUMNS, data=chart_data(rows))
        return look.vconcat(panels, title=title)
    base = _axes(names if len(runs) > 1 else None, cutoffs[-1], look)
    layers = [_lines(base, has_legend=len(runs) > 1)]
    if cutoffs[-1] <= FEW_RANKS:
        layers.append(base.mark_point(size=34))
    return look.layer(*layers, data=chart_data(rows), width=WIDTH, height=HEIGHT, title=title)


def _axes(names: list[str] | None, last: int, theme: Theme) -> alt.Chart:
    """Shares by depth, coloured by run; without names by kind."""
    colour = series_colour("kind:N", _KINDS, theme, line_legend(None))
    if names is not None:
        colour = series_colour("run:N", names, theme, line_legend("Run"))
    return alt.Chart().encode(
        x=rank_x("k:Q", "Depth k", last),
        y=alt.Y("share:Q", title="Share of the first k documents").axis(format=".0%").scale(domain=[0, 1]),
        color=colour,
        tooltip=["run:N", "kind:N", "k:Q", alt.Tooltip("share:Q", format=".1%")],
    )


def _lines(base: alt.Chart, *, has_legend: bool = False) -> alt.Chart:
    """A solid line for judged and a dashed one for relevant documents."""
    dashes = alt.Scale(domain=_KINDS, range=[[1, 0], [5, 3]])
    legend = line_legend(None) if has_legend else None
    lines: alt.Chart = base.mark_line()
    return lines.encode(strokeDash=alt.StrokeDash("kind:N", title=None, scale=dashes, legend=legend))


def _all_relevant(hits: Hits) -> Hits:
    """The same hits with every judged document relevant: their precision is the share that is judged."""
    rankings = hits.system.whole, hits.ideal.whole
    system, ideal = (replace(ranking, grade=np.ones(len(ranking))) for ranking in rankings)
    return replace(hits, system=system, ideal=ideal)


def _shares(hits: Hits, cutoffs: list[int]) -> list[tuple[int, float | None]]:
    """The precision among the documents returned; queries without a ranking are left out."""
    hits = replace(hits, policy=replace(hits.policy, missing="skip", no_relevant="zero"))
    return values_at(PlottedRun(hits.name, hits), REGISTRY["p"](norm="returned"), cutoffs)
