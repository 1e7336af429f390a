"""Axes and colours that several plots share."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from rankgold.declaration.metric import Measure
from rankgold.plots.library import alt
from rankgold.plots.theme import Theme
from rankgold.plots.words import grade_text

_MOST_LEVELS = 7
_DASHES = ([1, 0], [6, 3], [2, 3], [8, 3, 2, 3])
_FEW_RANKS = 20
MANY_RANKS = 30
"""Beyond these, ranks are shown by their logarithm."""


def records(rows: Iterable[dict[str, Any]]) -> Any:
    """Rows as a chart's data. Charts hold few rows, so no limit on their number is in the way."""
    return alt.Data(values=list(rows))


def defined(value: float) -> float | None:
    """A number as charts hold it: nothing where it is undefined."""
    return None if math.isnan(value) else float(value)


def measure_scale(measures: Measure | Sequence[Measure], values: Iterable[float | None]) -> Any:
    """The whole range of a measure that has one; else from zero as far as the values go."""
    several = [measures] if isinstance(measures, Measure) else measures
    known = [value for value in values if value is not None and not math.isnan(value)]
    low, high = min(one.metric.span[0] for one in several), max(one.metric.span[1] for one in several)
    if not math.isfinite(high):
        return alt.Scale(zero=True, nice=True)
    return alt.Scale(domain=[min([min(low, 0.0), *known]), max([high, *known])], nice=False)


def number_format(measures: Measure | Sequence[Measure]) -> str:
    """How values are written on the chart."""
    several = [measures] if isinstance(measures, Measure) else measures
    return ".2f" if all(math.isfinite(one.metric.span[1]) for one in several) else ".4~g"


def exact_format(measures: Measure | Sequence[Measure]) -> str:
    """How values are written in tooltips and titles."""
    return ".4f" if number_format(measures) == ".2f" else ".6~g"


def number_text(value: float, measure: Measure) -> str:
    """A value in a title."""
    if math.isnan(value):
        return "undefined"
    return f"{value:.4f}" if number_format(measure) == ".2f" else f"{value:.4g}"


def lettering(base: Any, text: Any, theme: Theme, **mark: Any) -> list[Any]:
    """Text that can be read across lines: each letter has a rim in the colour of the background."""
    rim = base.mark_text(
        **{**mark, "color": theme.background}, stroke=theme.background, strokeWidth=3, strokeJoin="round"
    )
    return [rim.encode(text=text), base.mark_text(**mark).encode(text=text)]


def rank_axis(last: int, **options: Any) -> Any:
    """An axis of whole ranks: each where they are few."""
    ticks: dict[str, Any] = {"values": list(range(1, last + 1))} if last <= _FEW_RANKS else {"tickMinStep": 1}
    if last > MANY_RANKS:
        round_ones = (step * 10**power for power in range(7) for step in (1, 2, 5))
        ticks = {"values": [rank for rank in round_ones if rank <= last]}
    return alt.Axis(format="d", **{"grid": False, **ticks, **options})


def band_axis(last: int) -> Any:
    """An axis of ranks that have a band each: every one labelled where they are few."""
    every = max(1, math.ceil(last / _FEW_RANKS))
    return alt.Axis(values=[1, *range(every, last + 1, every)], labelAngle=0, domain=False)


def rank_scale(last: int) -> Any:
    """Ranks from 1 to the last, with a little air; many of them by their logarithm, as attention falls."""
    if last > MANY_RANKS:
        return alt.Scale(type="log", domain=[0.9, last * 1.1], nice=False)
    air = max(0.35, 0.02 * last)
    return alt.Scale(domain=[1 - air, max(last, 2 if last > 1 else 1) + air], nice=False, zero=False)


def run_colours(names: Sequence[str], theme: Theme) -> Any:
    """A colour for each run; when they run out they come again, and dashes tell the lines apart."""
    series = theme.series
    return alt.Scale(domain=list(names), range=[series[i % len(series)] for i in range(len(names))])


def run_dashes(names: Sequence[str], theme: Theme) -> Any:
    used = len(theme.series)
    return alt.Scale(domain=list(names), range=[_DASHES[(i // used) % len(_DASHES)] for i in range(len(names))])


def line_legend(title: str | None) -> Any:
    """A legend of lines, dashes and all."""
    return alt.Legend(title=title, symbolType="stroke", symbolStrokeWidth=2.5, symbolSize=300)


class Grades:
    """The colours of the grades that a chart shows."""

    def __init__(self, grades: Iterable[float | None], theme: Theme) -> None:
        every = set(grades)
        self.theme = theme
        self.levels = sorted(grade for grade in every if grade is not None)
        self.has_unjudged = None in every
        positive = [grade for grade in self.levels if grade > 0]
        self.low, self.high = (positive[0], positive[-1]) if positive else (1.0, 1.0)

    def colour(self, grade: float | None) -> str:
        if grade is None:
            return self.theme.not_judged
        if grade <= 0:
            return self.theme.not_relevant
        return self.theme.shade(1.0 if self.high == self.low else (grade - self.low) / (self.high - self.low))

    def row(self, grade: float | None) -> dict[str, Any]:
        """A grade as charts hold it, with the colour that can be read on it."""
        return {"grade": grade, "level": grade_text(grade), "ink": self.theme.ink_on(self.colour(grade))}

    def encoding(self, **options: Any) -> Any:
        """Colour by grade: a level each where these are few, else in between."""
        if len(self.levels) <= _MOST_LEVELS:
            known: list[float | None] = [*self.levels, *([None] if self.has_unjudged else [])]
            scale = alt.Scale(domain=[grade_text(one) for one in known], range=[self.colour(one) for one in known])
            legend = alt.Legend(
                title="Grade", symbolType="square", symbolStrokeColor=self.theme.axis, symbolStrokeWidth=0.7
            )
            return alt.Color("level:N", scale=scale, **{"legend": legend, **options})
        scale = alt.Scale(domain=[self.low, self.high], range=list(self.theme.shades), clamp=True)
        return alt.condition(
            "datum.grade === null",
            alt.value(self.theme.not_judged),
            alt.Color("grade:Q", scale=scale, **{"legend": alt.Legend(title="Grade", gradientLength=90), **options}),
        )
