"""Draws mean ranks and which differ."""

from __future__ import annotations

import numpy as np

from rankgold.comparison.significance_tests import MeanRanks, mean_ranks
from rankgold.core.accepted import PlotData
from rankgold.core.errors import ComparisonError, PlotError, counted
from rankgold.core.segments import Floats
from rankgold.measures.metric import Measure
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.chart_labels import short_labels
from rankgold.present.plots.inputs import MAX_RUNS, PlottedRun, best_runs_note, runs_to_plot, single_measure
from rankgold.present.plots.labels import heading, measure_name
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import chart_data, tooltips
from rankgold.present.plots.theme import WIDTH, Theme, find_theme

_ROW = 24
_BAR_GAP = 10
_NAME = 150


@plot(min_runs=2, max_runs=None)
def critical_difference(
    data: PlotData, measure: str | Measure | None = None, *, theme: str = "light"
) -> alt.LayerChart:
    """The mean rank of each run over the queries, with a bar over runs that do not differ significantly.

    Every query ranks the runs, and 1 is the best. Runs under a common bar are closer to each other than the critical
    difference of Nemenyi's test at 0.05, which is drawn above the axis. Ranks ignore by how much runs differ. Needs
    SciPy.

    >>> import rankgold
    >>> runs = {"good": [[1, 0]] * 9, "poor": [[0, 1]] * 9, "none": [[0, 0]] * 9}
    >>> chart = rankgold.plots.critical_difference(runs, "rr")
    >>> [(line["run"], line["rank"]) for line in chart.layer[0].data.values]
    [('good', 1.0), ('poor', 2.0), ('none', 3.0)]
    """
    look = find_theme(theme)
    runs = runs_to_plot(data)
    chosen = single_measure(measure, runs, "ndcg@10")
    if len(runs) < 2:
        raise PlotError("This plot compares two runs or more, and there is one.")
    try:
        found = mean_ranks(_values(runs, chosen))
    except ComparisonError as error:
        raise PlotError(f"{measure_name(chosen)}: {error}") from None
    shown = np.argsort(found.ranks, kind="stable")[:MAX_RUNS].tolist()
    p = "< 0.001" if found.p < 0.001 else f"= {found.p:.3f}"
    friedman = "" if np.isnan(found.p) else f"; all runs alike: p {p} (Friedman)"
    title = heading(
        f"Mean rank by {measure_name(chosen)}",
        f"{counted(found.queries, 'query')} that all runs have{friedman}",
        best_runs_note(len(runs)),
    )
    return _diagram([run.name for run in runs], found, shown, look).properties(title=title)


def _values(runs: list[PlottedRun], measure: Measure) -> Floats:
    """(query, run): the values of the queries that all runs have; more is better."""
    by_run = []
    for run in runs:
        known = run.values(measure)
        by_run.append(dict(zip(map(str, known.queries), known.values.tolist(), strict=True)))
    queries = [query for query in by_run[0] if all(query in values for values in by_run)]
    sign = 1 if measure.higher_is_better else -1
    return sign * np.array([[values[query] for values in by_run] for query in queries]).reshape(-1, len(runs))


def _diagram(names: list[str], found: MeanRanks, shown: list[int], theme: Theme) -> alt.LayerChart:
    """The names of the better half are on the left, and of the others on the right."""
    half = (len(shown) + 1) // 2
    bars = [group for group in found.groups() if len({*group} & {*shown}) > 1]
    below_bars = 14 + _BAR_GAP * len(bars)
    labels = short_labels([names[i] for i in shown], _NAME, 12)
    last = max(float(len(names)), 1 + found.critical)
    rows = []
    for place, run in enumerate(shown):
        is_left = place < half
        level = place if is_left else len(shown) - 1 - place
        rows.append(
            {
                "run": names[run],
                "rank": float(found.ranks[run]),
                "top": 0,
                "level": below_bars + _ROW * (level + 0.5),
                "edge": 1.0 if is_left else last,
                "side": "left" if is_left else "right",
                "label": f"{labels[place]} ({found.ranks[run]:.2f})",
            }
        )
    height = below_bars + _ROW * half
    # The critical difference is in the room above the axis.
    x_scale, y_scale = alt.Scale(domain=[1, last], nice=False), alt.Scale(domain=[height, 0], nice=False)
    step = 1 + len(names) // 20
    ticks = [1, *range(step, len(names) + 1, step)]
    axis = alt.Axis(orient="top", grid=False, values=ticks, format="d", titlePadding=26)
    x = alt.X("rank:Q", title="Mean rank, 1 is the best", scale=x_scale, axis=axis)
    y = alt.Y("level:Q", scale=y_scale, axis=None)
    tip = tooltips("run:N", alt.Tooltip("rank:Q", title="mean rank", format=".4f"))
    base = alt.Chart(chart_data(rows)).encode(x=x, y=y, tooltip=tip)
    down = base.mark_rule(color=theme.axis).encode(y2="top:Q")
    across = base.mark_rule(color=theme.axis).encode(x2="edge:Q")
    dots = base.mark_point(size=45).encode(y=alt.Y("top:Q", scale=y_scale, axis=None))
    left, right = (base.transform_filter(f"datum.side == '{side}'") for side in ("left", "right"))
    labelled = (left.mark_text(align="right", dx=-6, fontSize=12), right.mark_text(align="left", dx=6, fontSize=12))
    texts = [side.encode(x=alt.X("edge:Q"), text="label:N") for side in labelled]
    groups, critical = _bars(bars, found, x_scale, y_scale, theme), _critical(found, x_scale, theme)
    return theme.layer(down, across, dots, *texts, *groups, *critical, width=WIDTH, height=height)


def _bars(
    bars: list[tuple[int, ...]], found: MeanRanks, x_scale: alt.Scale, y_scale: alt.Scale, theme: Theme
) -> list[alt.Chart]:
    """A thick line from the best to the worst run of each group."""
    rows = []
    for place, group in enumerate(bars):
        ranks = found.ranks[list(group)]
        rows.append({"from": float(ranks.min()), "to": float(ranks.max()), "at": 12 + _BAR_GAP * place})
    if not rows:
        return []
    base = alt.Chart(chart_data(rows)).mark_rule(color=theme.mark, strokeWidth=4, strokeCap="round")
    x = alt.X("from:Q", scale=x_scale)
    return [base.encode(x=x, x2="to:Q", y=alt.Y("at:Q", scale=y_scale, axis=None))]


def _critical(found: MeanRanks, x_scale: alt.Scale, theme: Theme) -> list[alt.Chart]:
    """The critical difference as a line above the axis, from rank 1 on."""
    row = {"from": 1.0, "to": 1 + found.critical, "label": f"critical difference {found.critical:.2f}"}
    base = alt.Chart(chart_data([row])).encode(y=alt.value(-30))
    line = base.mark_rule(color=theme.ink, strokeWidth=2).encode(x=alt.X("from:Q", scale=x_scale), x2="to:Q")
    text = base.mark_text(align="left", dx=6, color=theme.muted).encode(x=alt.X("to:Q", scale=x_scale), text="label:N")
    return [line, text]
