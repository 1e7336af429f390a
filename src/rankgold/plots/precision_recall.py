"""Runs in, a chart of interpolated precision against recall out."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.accepted import PlotData
from rankgold.errors import counted
from rankgold.kernels.segments import Floats
from rankgold.measures import parse_measure
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading, run_suffix, unique_labels
from rankgold.plots.inputs import PlottedRun, ranking_without_ties, runs_to_plot
from rankgold.plots.registry import plot
from rankgold.plots.scales import chart_data, series_lines
from rankgold.plots.selection import pick_evenly
from rankgold.plots.theme import HEIGHT, WIDTH, Theme, find_theme

_LEVELS = np.linspace(0, 1, 11)
_MAX_LINES = 40
# A recall such as 3/10 and the level 0.3 may differ in the last bit.
_ROUNDING = 1e-9


@plot(max_runs=None)
def precision_recall(data: PlotData, *, theme: str = "light") -> alt.LayerChart:
    """Interpolated precision at eleven levels of recall: the mean over queries, and for a single run every query too.

    The height of the line at a recall is the best precision there or further down the list. A line that ends at zero
    belongs to a run that does not find all relevant documents.

    >>> import rankgold
    >>> chart = rankgold.plots.precision_recall([1, 0, 1])
    >>> [round(point["precision"], 2) for point in chart.data.values]
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.67, 0.67, 0.67, 0.67, 0.67]
    """
    look = find_theme(theme)
    runs = runs_to_plot(data)
    names = [run.name for run in runs]
    results = [interpolated_precision(run) for run in runs]
    rows = [
        {"run": name, **point}
        for name, (_, matrix) in zip(names, results, strict=True)
        for point in _curve_points(matrix.mean(axis=0) if len(matrix) else np.zeros(len(_LEVELS)))
    ]
    legend = "Run" if len(runs) > 1 else None
    base, lines = series_lines(_recall_axes(alt.Chart()), "run:N", names, look, legend)
    layers = [lines.mark_line(strokeWidth=2.5), base.mark_point(size=45)]
    count = max(len(queries) for queries, _ in results)
    note = f"mean of {counted(count, 'query')}" if count > 1 else None
    if len(runs) == 1 and count > 1:
        grey_lines, line_count = _query_lines(*results[0], look)
        layers.insert(0, grey_lines)
        some = "each" if line_count == count else f"{line_count} of them, from the worst to the best,"
        note = f"{note}; {some} in grey"
    title = heading(f"Precision against recall{run_suffix(*runs)}", note)
    return look.layer(*layers, data=chart_data(rows), width=WIDTH, height=max(HEIGHT, 320), title=title)


def interpolated_precision(run: PlottedRun) -> tuple[list[Any], Floats]:
    """The queries that have an average precision; for each a row with the best precision at every level or beyond.

    A term of average precision is the precision at a relevant hit. The number of relevant hits down to it, over the
    norm of recall, is the recall there.
    """
    hits = run.hits
    ranking_without_ties(hits)
    values = run.values(parse_measure("ap"))
    position = {query: i for i, query in enumerate(hits.queries)}
    pairs = zip(values.queries, values.values, strict=True)
    known = {position[query]: value for query, value in pairs if not np.isnan(value)}
    relevant = hits.relevant(1)
    precision, found = parse_measure("ap")(hits), parse_measure("r")(hits)
    ranking = found.ranking
    starts = ranking.starts
    recall = ranking.ordinal / np.maximum(found.norms, 1)[ranking.query]
    matrix = np.zeros((len(known), len(_LEVELS)))
    for row, (query, value) in enumerate(known.items()):
        if not relevant[query]:
            matrix[row] = value  # the policy decided it
            continue
        its_hits = slice(starts[query], starts[query + 1])
        best = np.maximum.accumulate(precision.terms.term[its_hits][::-1])[::-1]
        matrix[row] = np.append(best, 0.0)[np.searchsorted(recall[its_hits], _LEVELS - _ROUNDING)]
    return [hits.queries[i] for i in known], matrix


def _curve_points(precision: Floats) -> list[dict[str, float]]:
    points = zip(_LEVELS.round(1).tolist(), precision.tolist(), strict=True)
    return [{"recall": recall, "precision": value} for recall, value in points]


def _query_lines(queries: list[Any], matrix: Floats, theme: Theme) -> tuple[alt.Chart, int]:
    """A grey line for each query, and how many there are."""
    chosen = np.sort(pick_evenly(matrix.mean(axis=1), _MAX_LINES)).tolist()
    names = unique_labels(queries[i] for i in chosen)
    named = zip(names, matrix[chosen], strict=True)
    rows = [{"query": name, **point} for name, precision in named for point in _curve_points(precision)]
    exact = alt.Tooltip("precision:Q", format=".4f")
    lines = _recall_axes(alt.Chart(chart_data(rows))).encode(detail="query:N", tooltip=["query:N", "recall:Q", exact])
    return lines.mark_line(strokeWidth=1, color=theme.muted, opacity=0.3), len(chosen)


def _recall_axes(chart: alt.Chart) -> alt.Chart:
    scale = alt.Scale(domain=[0, 1])
    return chart.encode(
        x=alt.X("recall:Q", title="Recall", scale=scale, axis=alt.Axis(grid=False)),
        y=alt.Y("precision:Q", title="Interpolated precision", scale=scale),
        tooltip=["run:N", "recall:Q", alt.Tooltip("precision:Q", format=".4f")],
    )
