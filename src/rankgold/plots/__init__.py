"""Labels, Hits, Scores or several of them by name in, an Altair chart out, which can be changed, combined and saved.

`theme="dark"` is for dark pages. The values come from rankgold's measures: no plot has a formula of its own.

>>> import rankgold
>>> hits = rankgold.match({"q1": {"d1": 1}}, {"q1": {"d1": 0.9, "d2": 0.8}})
>>> rankgold.plots.curve(hits, "p").to_dict()["title"]["text"]
'Precision at k of query q1'
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rankgold.errors import PlotError
from rankgold.hits import Hits
from rankgold.plots import lazy_altair as alt
from rankgold.plots.attribution import attribution
from rankgold.plots.average_precision import average_precision
from rankgold.plots.bump import bump
from rankgold.plots.correlation import correlation
from rankgold.plots.critical_difference import critical_difference
from rankgold.plots.curve import curve
from rankgold.plots.curve_means import curves
from rankgold.plots.difference import difference
from rankgold.plots.discount import discount
from rankgold.plots.distribution import distribution
from rankgold.plots.forest import forest
from rankgold.plots.grid import grid
from rankgold.plots.judged import judged
from rankgold.plots.leaderboard import leaderboard
from rankgold.plots.ndcg import ndcg
from rankgold.plots.per_query import per_query
from rankgold.plots.precision_recall import precision_recall
from rankgold.plots.reciprocal_rank import reciprocal_rank
from rankgold.plots.registry import PLOTS, Plot, find_plot
from rankgold.plots.scatter import scatter
from rankgold.plots.stopping import stopping
from rankgold.plots.waterfall import waterfall

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
