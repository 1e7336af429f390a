"""Several runs in, a chart of a measure at every cutoff out, with a line for each run."""

from __future__ import annotations

from typing import Any

from rankgold.accepted import PlotData
from rankgold.declaration.metric import Measure
from rankgold.errors import counted
from rankgold.hits import Hits
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading, undefined_note
from rankgold.plots.cutoffs import curve_cutoffs, cut_note, sampled_note, values_at
from rankgold.plots.inputs import runs_to_plot, single_measure
from rankgold.plots.measure_text import direction, exact_format, measure_name
from rankgold.plots.registry import plot
from rankgold.plots.scales import FEW_RANKS, chart_data, measure_scale, rank_x, series_lines, tooltips
from rankgold.plots.theme import HEIGHT, WIDTH, find_theme


@plot(max_runs=None)
def curves(
    data: PlotData, measure: str | Measure | None = None, *, depth: int | None = None, theme: str = "light"
) -> alt.LayerChart:
    """A measure at every cutoff, a line for each run.

    The higher line is better at that depth, unless lower is better. Where two lines cross, one run is better at the top
    and the other further down.

    >>> import rankgold
    >>> chart = rankgold.plots.curves({"top": [1, 1, 0], "bottom": [0, 1, 1]}, "p")
    >>> [round(point["value"], 2) for point in chart.data.values if point["run"] == "bottom"]
    [0.0, 0.5, 0.67]
    """
    look = find_theme(theme)
    runs = runs_to_plot(data)
    chosen = single_measure(measure, runs, "ndcg")
    longest = max((int(run.data.returned.max(initial=1)) for run in runs if isinstance(run.data, Hits)), default=1)
    cutoffs = curve_cutoffs(chosen, longest, depth)
    rows: list[dict[str, Any]] = [
        {"run": run.name, "k": k, "value": value} for run in runs for k, value in values_at(run, chosen, cutoffs)
    ]
    last = max(row["k"] for row in rows)
    names = [run.name for run in runs]
    label = measure_name(chosen, cutoff=False)
    scale = measure_scale(chosen, (row["value"] for row in rows))
    base = alt.Chart().encode(
        x=rank_x("k:Q", "k", last),
        y=alt.Y("value:Q", title=f"{label} at k{direction(chosen)}", scale=scale),
        tooltip=tooltips("run:N", "k:Q", alt.Tooltip("value:Q", title=label, format=exact_format(chosen))),
    )
    base, lines = series_lines(base, "run:N", names, look, "Run" if len(runs) > 1 else None)
    points = base.mark_point(size=40 if last <= FEW_RANKS else 18)
    counts = [run.count for run in runs]
    least = f"{min(counts):,} to " if min(counts) < max(counts) else ""
    over = f"{chosen.metric.aggregate.name} of {least}{counted(max(counts), 'query')}" if max(counts) > 1 else None
    left_out = undefined_note(runs, [chosen @ row["k"] for row in rows])
    has_lists = any(isinstance(run.data, Hits) for run in runs)
    cut = (cut_note(chosen, cutoffs[-1], longest), sampled_note(cutoffs)) if has_lists else ()
    title = heading(f"{label} at k", over, left_out, *cut)
    return look.layer(lines, points, data=chart_data(rows), width=WIDTH, height=HEIGHT, title=title)
