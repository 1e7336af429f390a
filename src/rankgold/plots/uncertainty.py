"""Runs and measures in, the confidence intervals of their means out, as charts hold and name them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from rankgold.comparison.mean_intervals import Ends, intervals_of_runs
from rankgold.comparison.settings import ComparisonSettings
from rankgold.comparison.unit_sums import UnitSums
from rankgold.declaration.metric import Measure
from rankgold.kernels.segments import Floats
from rankgold.plots import lazy_altair as alt
from rankgold.plots.inputs import PlottedRun
from rankgold.plots.scales import chart_data
from rankgold.plots.theme import Theme
from rankgold.scoring.run_scores import label_of

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
