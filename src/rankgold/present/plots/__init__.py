"""Lists the plots; `plots.bump` draws one.

`theme="dark"` is for dark pages. The values come from rankgold's measures: no plot has a formula of its own.

>>> import rankgold
>>> hits = rankgold.match({"q1": {"d1": 1}}, {"q1": {"d1": 0.9, "d2": 0.8}})
>>> rankgold.plots.curve(hits, "p").to_dict()["title"]["text"]
'Precision at k of query q1'
"""

from __future__ import annotations

from importlib import import_module
from pkgutil import iter_modules
from typing import TYPE_CHECKING

from rankgold.core.errors import PlotError
from rankgold.core.hits import Hits
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.registry import PLOTS as PLOTS
from rankgold.present.plots.registry import Plot as Plot
from rankgold.present.plots.registry import find_plot as find_plot

if TYPE_CHECKING:
    from rankgold.scoring.scores import Scores

# What type checkers and editors know, written by scripts/generate_docs.py.
if TYPE_CHECKING:  # begin plots
    from rankgold.present.plots.attribution import attribution as attribution
    from rankgold.present.plots.attribution import waterfall as waterfall
    from rankgold.present.plots.bump import bump as bump
    from rankgold.present.plots.correlation import correlation as correlation
    from rankgold.present.plots.critical_difference import critical_difference as critical_difference
    from rankgold.present.plots.curve import curve as curve
    from rankgold.present.plots.curve import curves as curves
    from rankgold.present.plots.curve import ndcg as ndcg
    from rankgold.present.plots.difference import difference as difference
    from rankgold.present.plots.distribution import distribution as distribution
    from rankgold.present.plots.forest import forest as forest
    from rankgold.present.plots.judged import judged as judged
    from rankgold.present.plots.leaderboard import leaderboard as leaderboard
    from rankgold.present.plots.per_query import grid as grid
    from rankgold.present.plots.per_query import per_query as per_query
    from rankgold.present.plots.precision_recall import average_precision as average_precision
    from rankgold.present.plots.precision_recall import precision_recall as precision_recall
    from rankgold.present.plots.reciprocal_rank import reciprocal_rank as reciprocal_rank
    from rankgold.present.plots.scatter import scatter as scatter
    from rankgold.present.plots.stopping import discount as discount
    from rankgold.present.plots.stopping import stopping as stopping
# end plots
else:
    for _file in iter_modules(__path__):
        if _file.name != "themed_charts":  # classes of Altair, which is loaded when a chart is drawn
            import_module(f"{__name__}.{_file.name}")
    _FUNCTIONS = {plot.function.__name__: plot.function for plot in PLOTS.values()}
    globals().update(_FUNCTIONS)
    __all__ = ["PLOTS", "Plot", "default_plot", "draw", "find_plot", *_FUNCTIONS]


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
