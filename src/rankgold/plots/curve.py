"""One ranking in, a chart of a measure at every cutoff of it out."""

from __future__ import annotations

import math
from collections.abc import Hashable

from rankgold.accepted import PlotData
from rankgold.declaration.metric import Measure
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading, query_suffix
from rankgold.plots.cutoffs import curve_cutoffs, cut_note, sampled_note, values_at
from rankgold.plots.inputs import PlottedRun, single_measure, single_run
from rankgold.plots.measure_text import exact_format, measure_name, number_format
from rankgold.plots.registry import plot
from rankgold.plots.relevance_strip import above_strip, relevance_strip
from rankgold.plots.scales import chart_data, measure_scale, outlined_text, rank_x, tooltips
from rankgold.plots.theme import HEIGHT, WIDTH, Theme, find_theme

_ROOM_FOR_NUMBERS = 15


@plot()
def curve(
    data: PlotData,
    measure: str | Measure | None = None,
    *,
    query: Hashable = None,
    depth: int | None = None,
    theme: str = "light",
) -> alt.VConcatChart:
    """A measure at every cutoff of one ranking, above the ranking.

    Read the line from left to right, as a user reads down the list: precision falls at each document that is not
    relevant and rises at each that is. The strip shows the documents, coloured by grade.

    >>> import rankgold
    >>> chart = rankgold.plots.curve([1, 0, 1, 0, 1], "p")
    >>> [round(point["value"], 2) for point in chart.vconcat[0].data.values]
    [1.0, 0.5, 0.67, 0.5, 0.6]
    """
    look = find_theme(theme)
    run = single_run(data).for_query(query)
    chosen = single_measure(measure, [run], "p")
    cutoffs = curve_cutoffs(chosen, int(run.hits.returned[0]), depth)
    line = cutoff_line(run, chosen, cutoffs, look)
    strip = relevance_strip(run, chosen, cutoffs[-1], look)
    return above_strip(line, strip, look, curve_title(run, chosen, cutoffs))


def curve_title(run: PlottedRun, measure: Measure, cutoffs: list[int]) -> alt.TitleParams:
    """The title of a curve of one query, with what the curve does not show."""
    text = f"{measure_name(measure, cutoff=False)} at k{query_suffix(run)}"
    return heading(text, cut_note(measure, cutoffs[-1], int(run.hits.returned[0])), sampled_note(cutoffs))


def cutoff_line(run: PlottedRun, measure: Measure, cutoffs: list[int], theme: Theme) -> alt.ChartType:
    """A panel with the line of a measure over the cutoffs; its axis has labels only in the panel below."""
    values = values_at(run, measure, cutoffs)
    dips = _dips([value for _, value in values])
    rows = [{"k": k, "value": value, "dip": dip} for (k, value), dip in zip(values, dips, strict=True)]
    name = measure_name(measure, cutoff=False)
    base = alt.Chart().encode(
        x=rank_x("k:Q", None, cutoffs[-1]),
        y=alt.Y("value:Q", title=f"{name} at k", scale=measure_scale(measure, (row["value"] for row in rows))),
        tooltip=tooltips("k:Q", alt.Tooltip("value:Q", title=name, format=exact_format(measure))),
    )
    line, points = base.mark_line(), base.mark_point(size=55)
    layers = [line, points]
    if len(rows) <= _ROOM_FOR_NUMBERS:
        text = alt.Text("value:Q", format=number_format(measure))
        above = outlined_text(base.transform_filter("!datum.dip"), text, theme, dy=-12)
        below = outlined_text(base.transform_filter("datum.dip"), text, theme, dy=14)
        # The outlines interrupt the line, but cover no point.
        layers = [line, above[0], below[0], points, above[1], below[1]]
    return alt.layer(*layers, data=chart_data(rows)).properties(width=WIDTH, height=HEIGHT)


def _dips(values: list[float | None]) -> list[bool]:
    """Where the line falls and rises again: there the number is put below the line, if there is room."""
    known = [value or 0.0 for value in values]
    room = 0.12 * max([*known, 0.0])
    neighbours = zip([math.inf, *known], known, [*known[1:], math.inf], strict=False)
    return [before > value < after and value > room for before, value, after in neighbours]
