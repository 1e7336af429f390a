"""Draws values or differences of slices."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from rankgold.comparison.intervals import FEW_QUERIES
from rankgold.comparison.pairwise import interval_of_difference
from rankgold.comparison.slice_scores import parts_of, slice_scores
from rankgold.core.accepted import By, PlotData
from rankgold.core.errors import PlotError, counted, listing
from rankgold.data.slices import Slices
from rankgold.measures.metric import Measure
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.inputs import PlottedRun, runs_to_plot, single_measure
from rankgold.present.plots.labels import (
    axis_name,
    difference_name,
    display_text,
    exact_format,
    heading,
    measure_name,
    second_against_first,
    short_text,
    unique_labels,
)
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import (
    chart_data,
    difference_scale,
    kind_colour,
    measure_scale,
    name_scale,
    none_if_nan,
    signed_axis,
)
from rankgold.present.plots.theme import WIDTH, Theme, find_theme, rows_height
from rankgold.scoring.run_scores import RunScores, label_of
from rankgold.scoring.scores import Scores
from rankgold.scoring.slice_parts import SlicePart, slice_title, sliced_by_table

_ALL = "all queries"
_MAX_ROWS = 40


@plot(max_runs=2)
def forest(
    data: PlotData, measure: str | Measure | None = None, *, by: By = None, level: float = 0.95, theme: str = "light"
) -> alt.LayerChart:
    """The mean of a measure in each slice of the queries, with its confidence interval; of two runs the difference.

    The line of a slice is its interval. Of two runs, blue lines are slices in which the second run is better, orange
    lines those in which it is worse, and grey lines cross zero: there the difference is not certain. Intervals of few
    queries are too narrow, and their number is in the title. The dashed line is the value of all queries.

    >>> import rankgold
    >>> hits = rankgold.from_labels([[1, 0], [0, 1], [1, 0]])
    >>> chart = rankgold.plots.forest(hits, "rr", by={1: "short", 2: "short", 3: "long"})
    >>> [(row["slice"], round(row["value"], 2), row["queries"]) for row in chart.data.values]
    [('all queries', 0.83, 3), ('slice = long', 1.0, 1), ('slice = short', 0.75, 2)]
    """
    look = find_theme(theme)
    runs = runs_to_plot(data)
    if len(runs) > 2:
        raise PlotError(f"This plot shows one run or two, not {len(runs)}: {listing(run.name for run in runs)}.")
    chosen = single_measure(measure, runs, "ndcg@10")
    scores = _scores(data, runs, chosen, by)
    scores = replace(scores, parts=[SlicePart("", _ALL, replace(scores, parts=())), *scores.parts])
    rows = _means(scores, level) if len(runs) == 1 else _differences(scores, chosen, level)
    shown, note = _most_queries(rows)
    names = unique_labels(row["name"] for row in shown)
    table = [{"slice": name, **row, "name": display_text(row["run"])} for name, row in zip(names, shown, strict=True)]
    where = f": {second_against_first(*runs)}" if len(runs) == 2 else f" in {short_text(runs[0].name, 24)}"
    summary = f"{counted(rows[0]['queries'], 'query')}, {level * 100:g} % intervals"
    title = heading(f"{measure_name(chosen)} of slices{where}", summary, note, *_doubts(shown, scores))
    layers = _layers(table, chosen, len(runs) == 2, look)
    return look.layer(*layers, data=chart_data(table), width=WIDTH, height=rows_height(len(table)), title=title)


def _scores(data: PlotData, runs: list[PlottedRun], measure: Measure, by: By) -> Scores:
    """The scores of all runs under one measure, with their slices if there are any."""
    if isinstance(data, Scores) and by is None:
        parts = [replace(part, scores=_of_measure(part.scores, measure)) for part in data.parts]
        return replace(_of_measure(data, measure), parts=parts)
    by_run = [_of_measure(run.scores([measure]), measure) for run in runs]
    renamed = [replace(scores.run_list[0], name=run.name) for scores, run in zip(by_run, runs, strict=True)]
    scores: Scores = Scores(renamed, {str(measure): measure}, by_run[0].policy)
    slices = Slices.of(by)
    return scores if slices is None else sliced_by_table(scores, slices)


def _of_measure(scores: Scores, measure: Measure) -> Scores:
    """The scores with one of their measures, under its own name."""
    label, name = label_of(measure, scores.measures), str(measure)
    runs = [_only(scores.run_scores(run), label, name) for run in scores.runs]
    pairs = {pair: {name: sums[label]} for pair, sums in scores.pairs.items()}
    return replace(scores, run_list=runs, measures={name: measure}, pairs=pairs, parts=())


def _only(run: RunScores, label: str, name: str) -> RunScores:
    values = {name: run.values[label]} if run.totals is None else {}
    totals = None if run.totals is None else {name: run.totals[label]}
    return replace(run, values=values, means={name: run.means[label]}, totals=totals)


def _means(scores: Scores, level: float) -> list[dict[str, Any]]:
    return [
        _row(row.attribute, row.slice, row.run, (row.mean, row.low, row.high), row.queries, "same")
        for row in slice_scores(scores, level)
    ]


def _differences(scores: Scores, measure: Measure, level: float) -> list[dict[str, Any]]:
    first, second = scores.runs
    sign = 1 if measure.higher_is_better else -1
    rows = []
    for part in parts_of(scores):
        *numbers, queries = interval_of_difference(part.scores, str(measure), first, second, level)
        ends = sorted(sign * end for end in numbers[1:])
        kind = "gain" if ends[0] > 0 else "loss" if ends[1] < 0 else "same"
        rows.append(_row(part.attribute, part.name, f"{second} less {first}", numbers, queries, kind))
    return rows


def _row(attribute: str, name: str, run: str, numbers: Sequence[float], queries: int, kind: str) -> dict[str, Any]:
    value, low, high = map(none_if_nan, numbers)
    title = slice_title(attribute, name) if attribute else name
    return {"name": title, "run": run, "value": value, "low": low, "high": high, "queries": queries, "kind": kind}


def _most_queries(rows: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], str | None]:
    """All slices; of too many, those with most queries, in their order."""
    if len(rows) <= _MAX_ROWS:
        return rows, None
    largest = np.sort(np.argsort([-row["queries"] for row in rows], kind="stable")[:_MAX_ROWS])
    return [rows[i] for i in largest.tolist()], f"{_MAX_ROWS - 1} of {len(rows) - 1:,} slices: those with most queries"


def _doubts(rows: list[dict[str, Any]], scores: Scores) -> Iterator[str]:
    """Lines on intervals that are not there, and on those of bootstrap samples of few queries."""
    if without := sum(row["low"] is None for row in rows):
        yield f"{counted(without, 'row')} without an interval: too few queries"
    few = sum(row["low"] is not None and row["queries"] < FEW_QUERIES for row in rows)
    if few and scores.has_queries:
        yield f"{counted(few, 'interval')} of fewer than {FEW_QUERIES} queries: too narrow"


def _layers(rows: list[dict[str, Any]], measure: Measure, is_difference: bool, theme: Theme) -> list[alt.Chart]:
    """The interval and the value of each row, over lines at the value of all queries and at zero."""
    known = [number for row in rows for number in (row["value"], row["low"], row["high"]) if number is not None]
    exact = exact_format(measure)
    if is_difference:
        pattern, same = f"+{exact}", theme.muted
        x: dict[str, Any] = {
            "title": difference_name(measure),
            "scale": difference_scale(known),
            "axis": signed_axis(tickCount=7),
        }
    else:
        pattern, same = exact, theme.series[0]
        x = {"title": axis_name(measure), "scale": measure_scale(measure, known), "axis": alt.Axis(tickCount=6)}
    names = [row["slice"] for row in rows]
    base = alt.Chart().encode(
        y=alt.Y("slice:N", title="Slice", scale=name_scale(names, paddingInner=0.25, paddingOuter=0.125)),
        color=kind_colour({"gain": theme.gain, "loss": theme.loss, "same": same}),
        tooltip=[
            alt.Tooltip("slice:N", title="slice"),
            alt.Tooltip("name:N", title="difference" if is_difference else "run"),
            alt.Tooltip("value:Q", title="value", format=pattern),
            alt.Tooltip("low:Q", title="from", format=pattern),
            alt.Tooltip("high:Q", title="to", format=pattern),
            alt.Tooltip("queries:Q", title="queries", format=","),
        ],
    )
    ends = base.transform_filter("isValid(datum.low)").mark_rule(strokeWidth=3)
    points = base.mark_point(size=70)
    layers = [ends.encode(x=alt.X("low:Q", **x), x2="high:Q"), points.encode(x=alt.X("value:Q", **x))]
    lines = [(rows[0]["value"], [4, 4]), *([(0.0, [1, 0])] if is_difference else [])]
    for value, dash in lines:
        if value is not None and not math.isnan(value):
            line = alt.Chart(chart_data([{"at": value}])).mark_rule(color=theme.axis, strokeWidth=1.5, strokeDash=dash)
            layers.insert(0, line.encode(x=alt.X("at:Q", **x)))
    return layers
