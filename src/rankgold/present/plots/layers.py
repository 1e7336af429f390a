"""Builds layers that charts share: bars, strips, intervals."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankgold.comparison.choices import ComparisonSettings
from rankgold.comparison.mean_intervals import Ends, intervals_of_runs
from rankgold.comparison.paired_values import UnitSums
from rankgold.core.segments import Floats
from rankgold.measures.metric import Measure
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.chart_labels import short_labels
from rankgold.present.plots.inputs import PlottedRun, ShownQueries, documents_by_rank
from rankgold.present.plots.labels import axis_name, exact_format, is_bounded, pixel_width
from rankgold.present.plots.scales import (
    GradeColours,
    chart_data,
    document_tooltip,
    kind_colour,
    measure_scale,
    name_scale,
    outlined_text,
    rank_cell,
    rank_x,
)
from rankgold.present.plots.theme import WIDTH, Theme, rows_height
from rankgold.scoring.run_scores import label_of

SORTED_HEIGHT = 560
_TEXT_HEIGHT = 14
_LEADER = 22
_SIZE = 10
_LONGEST_NAME = 150
_GAP = 0.15
_ROOM_FOR_GAPS = 2.5


def with_edges(rows: list[dict[str, Any]], shown: ShownQueries) -> list[dict[str, Any]]:
    """The row of each query with the edges of its bar."""
    return [row | edges for row, edges in zip(rows, bar_edges(shown), strict=True)]


def bar_edges(shown: ShownQueries) -> list[dict[str, float]]:
    """The upper and lower edge of each bar; where not every place has a bar, a bar reaches halfway to the next."""
    places, count = shown.places, shown.count
    middles = (places[1:] + places[:-1] + 1) / 2
    tops, bottoms = np.concatenate(([0.0], middles)), np.concatenate((middles, [float(count)]))
    gap = _GAP if SORTED_HEIGHT / count >= _ROOM_FOR_GAPS else 0.0
    return [{"top": float(top + gap), "bottom": float(low - gap)} for top, low in zip(tops, bottoms, strict=True)]


def thin_bars(
    base: alt.Chart, rows: list[dict[str, Any]], shown: ShownQueries, ends: tuple[int, int], theme: Theme
) -> list[alt.Chart]:
    """A bar from zero for each row of a query, and the names of so many queries at the top and at the bottom.

    Bars are thinner than text, so names spread from the end towards the middle, and lines lead from them to the bars.
    """
    places = [*range(ends[0]), *range(len(rows) - ends[1], len(rows))]
    queries = [rows[place]["query"] for place in places]
    step = max(1.0, _TEXT_HEIGHT * shown.count / SORTED_HEIGHT)
    names = []
    for i, (query, label) in enumerate(zip(queries, short_labels(queries, _LONGEST_NAME, _SIZE), strict=True)):
        # From the top for the first names, from the bottom for the last.
        start, away = (0, i + 0.5) if i < ends[0] else (shown.count, i - len(queries) + 0.5)
        names.append({"name": query, "label": label, "bar": start + away, "text": start + away * step})
    room = _LEADER + 8 + max((pixel_width(row["label"], _SIZE) for row in names), default=0)
    axis = alt.Axis(labels=False, ticks=False, grid=False, domain=False, titlePadding=room)
    y = alt.Y("top:Q", title="Query", scale=place_scale(shown.count), axis=axis)
    bars = base.mark_rect().encode(x2=alt.datum(0), y=y, y2="bottom:Q")
    return [bars, *_name_layers(names, shown.count, theme)]


def _name_layers(names: list[dict[str, Any]], count: int, theme: Theme) -> list[alt.Chart]:
    """The names left of the bars, each with a line to its bar."""
    base = alt.Chart(chart_data(names)).encode(tooltip=alt.Tooltip("name:N", title="query"))
    bar, text = (alt.Y(field, scale=place_scale(count)) for field in ("bar:Q", "text:Q"))
    lines = base.mark_rule(color=theme.axis, strokeWidth=0.8)
    lines = lines.encode(x=alt.value(-3), x2=alt.value(-_LEADER), y=bar, y2="text:Q")
    words = base.mark_text(align="right", dx=-3, fontSize=_SIZE, color=theme.muted)
    return [lines, words.encode(x=alt.value(-_LEADER), y=text, text="label:N")]


def place_scale(count: int) -> alt.Scale:
    """From the top edge of the first place down to the bottom edge of the last."""
    return alt.Scale(domain=[count, 0], nice=False)


_TOTALS = ("run", "score")


def running_bar(label: str, start: float, end: float, kind: str, measure: Measure, **names: str) -> dict[str, Any]:
    """The data of a bar from one value to another; its text is what it adds. Only a total has no plus sign."""
    part = end - start
    sign = "−" if part < 0 else "" if kind in _TOTALS else "+"
    text = sign + (f"{abs(part):.3f}" if is_bounded(measure) else f"{abs(part):.4g}")
    row = {"label": label, "start": start, "end": end, "right": max(start, end), "part": part, "kind": kind}
    return {**row, "document": "", "grade": "", "text": text, **names}


def running_chart(
    rows: list[dict[str, Any]],
    measure: Measure,
    colours: Mapping[str, str],
    theme: Theme,
    *,
    label: str | None,
    names: list[alt.Tooltip],
    title: alt.TitleParams,
) -> alt.LayerChart:
    """A chart of the rows. `label` is the title of their axis, and `names` are the first lines of the tooltip."""
    ends = [row[end] for row in rows for end in ("start", "end")]
    scale = measure_scale(measure, ends) if is_bounded(measure) else alt.Scale(zero=True)
    labels = [row["label"] for row in rows]
    exact = exact_format(measure)
    base = alt.Chart().encode(
        y=alt.Y("label:N", title=label, scale=name_scale(labels, paddingInner=0.3, paddingOuter=0.15)),
        tooltip=[
            *names,
            alt.Tooltip("grade:N", title="grade"),
            alt.Tooltip("part:Q", title="adds", format=exact),
            alt.Tooltip("end:Q", title="so far", format=exact),
        ],
    )
    x = alt.X("start:Q", title=axis_name(measure), scale=scale)
    bars = base.mark_bar().encode(x=x, x2="end:Q", color=kind_colour(colours))
    numbers = outlined_text(base.encode(x="right:Q"), alt.Text("text:N"), theme, align="left", dx=5, color=theme.muted)
    return theme.layer(bars, *numbers, data=chart_data(rows), width=WIDTH, height=rows_height(len(rows)), title=title)


_ROOM_FOR_WORDS = 20
_ROOM_FOR_GAPS_OF_STRIP = 60
_HEIGHT, _HEIGHT_WITH_WORDS = 26, 74
_GAP_OF_STRIP = 8


def relevance_strip(run: PlottedRun, measure: Measure, depth: int, theme: Theme) -> alt.ChartType:
    """The documents of the first query down to a depth; each says whether it is relevant."""
    grades, documents = graded_documents(run, depth, theme)
    rows = [
        {**row, **rank_cell(row["rank"], depth), "relevance": _relevance_text(row["grade"], measure.threshold)}
        for row in documents
    ]
    base = alt.Chart().encode(tooltip=document_tooltip(rows, "relevance:N"))
    cells = base.encode(x=rank_x("from:Q", "Rank", depth), x2="to:Q")
    gap = 2 if depth <= _ROOM_FOR_GAPS_OF_STRIP else 0
    layers = [cells.mark_rect(stroke=theme.background, strokeWidth=gap).encode(color=grades.encoding(below=True))]
    if depth > _ROOM_FOR_GAPS_OF_STRIP:
        # Cells far down are thinner than a pixel: a line keeps relevant documents visible there.
        lines = base.transform_filter("datum.relevance === 'relevant'").mark_tick(thickness=1.2, size=_HEIGHT)
        layers.append(lines.encode(x=rank_x("rank:Q", "Rank", depth), color=grades.encoding(legend=None)))
    else:
        outline = cells.mark_rect(fill=None, stroke=theme.not_relevant, strokeWidth=1, strokeDash=[3, 2])
        layers.append(outline.transform_filter("datum.grade === null"))
    has_words = depth <= _ROOM_FOR_WORDS
    if has_words:
        words = base.mark_text(angle=270, fontSize=11).encode(x=rank_x("rank:Q", "Rank", depth))
        layers.append(words.encode(text="relevance:N", fill=alt.Fill("ink:N", scale=None)))
    height = _HEIGHT_WITH_WORDS if has_words else _HEIGHT
    return alt.layer(*layers, data=chart_data(rows)).properties(width=WIDTH, height=height)


def graded_documents(run: PlottedRun, depth: int, theme: Theme) -> tuple[GradeColours, list[dict[str, Any]]]:
    """The colours of the grades, and the data of the first query's documents down to a depth."""
    documents = documents_by_rank(run.hits, 0, depth)
    grades = GradeColours(run.grades, (grade for _, grade, _ in documents), theme)
    return grades, [grades.document_row(*document) for document in documents]


def above_strip(curve: alt.ChartType, strip: alt.ChartType, theme: Theme, title: alt.TitleParams) -> alt.VConcatChart:
    """A curve, and below it a strip on the same axis."""
    return theme.vconcat(curve, strip, title=title, spacing=_GAP_OF_STRIP)


def _relevance_text(grade: float | None, threshold: float) -> str:
    if grade is None:
        return "not judged"
    return "relevant" if grade >= threshold else "not relevant"


USUAL = ComparisonSettings()
"""As `scores.intervals()` and `compare` have it, so that charts show the same ends."""
LEVEL = f"{USUAL.level * 100:g} %"
_UNKNOWN = (math.nan, math.nan)


def mean_intervals(runs: Sequence[PlottedRun], measures: list[Measure]) -> list[dict[Measure, Ends]]:
    """For each run, measure -> the ends of the interval of its mean; NaN without the values of queries."""
    found: list[dict[Measure, Ends]] = [dict.fromkeys(measures, _UNKNOWN) for _ in runs]
    labelled, known = [], []
    for place, run in enumerate(runs):
        scores = run.scores(measures)
        if scores.has_queries:
            values = scores.run_scores(scores.runs[0])
            by_name = {str(measure): values.values[label_of(measure, scores.measures)] for measure in measures}
            labelled.append(replace(values, values=by_name))
            known.append(place)
    named = {str(measure): measure for measure in measures}
    for place, ends in zip(known, intervals_of_runs(labelled, named, USUAL), strict=True):
        found[place] = {measure: ends[str(measure)] for measure in measures}
    return found


def interval_of_mean(values: Floats) -> Ends:
    """The ends of the interval of the mean of values."""
    low, high = USUAL.interval_of(UnitSums.of(values[:, None]))
    return float(low[0]), float(high[0])


def are_known(intervals: Iterable[Ends]) -> bool:
    """Whether any of the intervals can be shown."""
    return bool(np.isfinite(list(intervals)).any())


def interval_tooltip(intervals: Iterable[Ends], pattern: str) -> list[alt.Tooltip]:
    """The lines of a tooltip for the fields `low` and `high`; none if no interval is known."""
    if not are_known(intervals):
        return []
    return [alt.Tooltip(f"{end}:Q", title=f"{LEVEL} interval, {end}", format=pattern) for end in ("low", "high")]


def mean_layers(mean: float, interval: Ends, theme: Theme) -> tuple[list[alt.Chart], list[alt.Chart]]:
    """A band of the interval to put behind a chart, and a dashed line at the mean to put over it; none if unknown."""
    if not are_known([interval]):
        return [], []
    low, high = interval
    base = alt.Chart(chart_data([{"mean": mean, "low": low, "high": high}]))
    band = base.mark_rect(color=theme.muted, opacity=0.16).encode(x="low:Q", x2="high:Q")
    line = base.mark_rule(color=theme.ink, strokeDash=[5, 3], strokeWidth=1.5).encode(x="mean:Q")
    return [band], [line]
