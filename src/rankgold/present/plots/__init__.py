"""Lists the plots; `plots.bump` draws one.

`theme="dark"` is for dark pages. The values come from rankgold's measures: no plot has a formula of its own.

>>> import rankgold
>>> hits = rankgold.match({"q1": {"d1": 1}}, {"q1": {"d1": 0.9, "d2": 0.8}})
>>> rankgold.plots.curve(hits, "p").to_dict()["title"]["text"]
'Precision at k of query q1'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgold.core.errors import PlotError
from rankgold.core.hits import Hits
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.attribution import attribution, waterfall
from rankgold.present.plots.bump import bump
from rankgold.present.plots.correlation import correlation
from rankgold.present.plots.critical_difference import critical_difference
from rankgold.present.plots.curve import curve, curves, ndcg
from rankgold.present.plots.difference import difference
from rankgold.present.plots.distribution import distribution
from rankgold.present.plots.forest import forest
from rankgold.present.plots.judged import judged
from rankgold.present.plots.leaderboard import leaderboard
from rankgold.present.plots.per_query import grid, per_query
from rankgold.present.plots.precision_recall import average_precision, precision_recall
from rankgold.present.plots.reciprocal_rank import reciprocal_rank
from rankgold.present.plots.registry import PLOTS, Plot, find_plot
from rankgold.present.plots.scatter import scatter
from rankgold.present.plots.stopping import discount, stopping

if TYPE_CHECKING:
    from rankgold.scoring.scores import Scores


__all__ = [
    "PLOTS", "Plot", "attribution", "average_precision", "bump", "correlation", "critical_difference", "curve",
    "curves", "default_plot", "difference", "discount", "distribution", "draw", "find_plot", "forest", "grid",
    "judged", "leaderboard", "ndcg", "per_query", "precision_recall", "reciprocal_rank", "scatter", "stopping",
    "waterfall",
]  # fmt: skip


def default_plot(data: Hits | Scores) -> Plot:
    """The plot that `hits.plot()` and `scores.plot()` draw."""
    if isinstance(data, Hits):
        if len(data) > 1:
            return PLOTS["grid"]
        return PLOTS["ndcg" if data.max_grade > 1 else "average-precision"]
    if len(data.runs) > 2 or not data.has_queries:
        return PLOTS["leaderboard"]
    if len(data.runs) == 2:
        return PLOTS["difference"]
    return PLOTS["distribution" if len(data.measures) > 1 else "per-query"]


def draw(data: Hits | Scores, name: str | None = None) -> alt.ChartType:
    """A chart of the data: the plot with this name, or the default plot."""
    plot = default_plot(data) if name is None else find_plot(name)
    if plot.max_runs == 0:
        raise PlotError(f"The plot {plot.name} is not of data: call rankgold.plots.{plot.name.replace('-', '_')}().")
    return plot.function(data)
