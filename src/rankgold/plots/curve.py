"""A measure at every cutoff of one ranking."""

from __future__ import annotations

import math
from typing import Any

from rankgold.declaration.metric import Measure
from rankgold.plots.cutoffs import cutoffs, values_at
from rankgold.plots.inputs import Run, chosen_measure, single_run
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import exact_format, lettering, measure_scale, number_format, rank_axis, rank_scale, records
from rankgold.plots.strip import relevance_strip
from rankgold.plots.theme import HEIGHT, PANEL, Theme, dressed, theme_called
from rankgold.plots.words import heading, measure_name, of_query

_ROOM_FOR_NUMBERS = 12


@plot()
def curve(data: Any, measure: Any = None, *, query: Any = None, depth: int | None = None, theme: str = "light") -> Any:
    """A measure at every cutoff of one ranking, beside the ranking itself.

    Follow the line from left to right as a reader goes down the list: precision falls at each document that is not
    relevant and rises at each that is; the strip shows which is which, darker for better grades.

    >>> import rankgold
    >>> chart = rankgold.plots.curve([1, 0, 1, 0, 1], "p")
    >>> [round(point["value"], 2) for point in chart.hconcat[0].data.values]
    [1.0, 0.5, 0.67, 0.5, 0.6]
    """
    look = theme_called(theme)
    run = single_run(data).only(query)
    chosen = chosen_measure(measure, [run], "p")
    ks = cutoffs(chosen, int(run.hits.returned[0]), depth)
    left = cutoff_line(run, chosen, ks, look)
    right = relevance_strip(run.hits, chosen, ks[-1], look)
    title = heading(f"{measure_name(chosen, cutoff=False)} at k{of_query(run.name, run.hits)}")
    return dressed(alt.hconcat(left, right, title=title), look)


def cutoff_line(run: Run, measure: Measure, ks: list[int], theme: Theme) -> Any:
    """The line of a measure over the cutoffs, with its values."""
    points = values_at(run, measure, ks)
    dips = _dips([value for _, value in points])
    rows = [{"k": k, "value": value, "dip": dip} for (k, value), dip in zip(points, dips, strict=True)]
    name = measure_name(measure, cutoff=False)
    base = alt.Chart().encode(
        x=alt.X("k:Q", title="k", axis=rank_axis(ks[-1]), scale=rank_scale(ks[-1])),
        y=alt.Y("value:Q", title=f"{name} at k", scale=measure_scale(measure, (row["value"] for row in rows))),
        tooltip=[alt.Tooltip("k:Q", title="k"), alt.Tooltip("value:Q", title=name, format=exact_format(measure))],
    )
    layers = [base.mark_line(), base.mark_point(size=55)]
    if len(rows) <= _ROOM_FOR_NUMBERS:
        text = alt.Text("value:Q", format=number_format(measure))
        layers += lettering(base.transform_filter("!datum.dip"), text, theme, dy=-12)
        layers += lettering(base.transform_filter("datum.dip"), text, theme, dy=14)
    return alt.layer(*layers, data=records(rows)).properties(width=PANEL, height=HEIGHT)


def _dips(values: list[float | None]) -> list[bool]:
    """Where a line comes down and goes up again: the number then stands below, clear of it, if there is room."""
    known = [value or 0.0 for value in values]
    room = 0.12 * max([*known, 0.0])
    around = zip([math.inf, *known], known, [*known[1:], math.inf], strict=False)
    return [before > value < after and value > room for before, value, after in around]
