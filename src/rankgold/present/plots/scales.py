"""Builds scales, axes and colours, and the cutoffs of curves."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from rankgold.core.errors import MeasureError, PlotError, check_whole_number
from rankgold.measures.metric import Measure
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.inputs import PlottedRun
from rankgold.present.plots.labels import display_text, grade_text
from rankgold.present.plots.theme import Theme

_MAX_GRADE_LEVELS = 7
_DASHES = ([1, 0], [6, 3], [2, 3], [8, 3, 2, 3])
FEW_RANKS = 20
"""Up to this many ranks, each has a tick and a point."""
MANY_RANKS = 30
"""With more ranks than this, the axis is logarithmic."""


def chart_data(rows: Iterable[dict[str, Any]]) -> alt.Data:
    """Rows as the data of a chart, which Altair's limit of 5,000 rows does not concern."""
    return alt.Data(values=list(rows))  # type: ignore[no-untyped-call]


def none_if_nan(value: float) -> float | None:
    """A number as charts hold it."""
    return None if math.isnan(value) else float(value)


def measure_scale(measure: Measure, values: Iterable[float | None]) -> alt.Scale:
    """The whole range of a measure that has one; else from zero to the highest value."""
    known = [value for value in values if value is not None and not math.isnan(value)]
    low, high = measure.metric.usual_span
    if not math.isfinite(high):
        return alt.Scale(zero=True, nice=True)
    return alt.Scale(domain=[min([min(low, 0.0), *known]), max([high, *known])], nice=False)


def difference_scale(differences: Iterable[float]) -> alt.Scale:
    """Zero in the middle, and room for the largest difference on both sides."""
    limit = max(map(abs, differences), default=0.0) or 1.0
    return alt.Scale(domain=[-limit * 1.05, limit * 1.05], nice=False)


def signed_axis(**options: Any) -> alt.Axis:
    """An axis of differences: all numbers but zero have a sign."""
    return alt.Axis(labelExpr="datum.value == 0 ? '0' : format(datum.value, '+.3~g')", **options)


def kind_colour(colours: Mapping[str, str]) -> alt.Color:
    """Colour by the field `kind`: kind -> colour. The title says what colours mean, so there is no legend."""
    return alt.Color("kind:N", scale=alt.Scale(domain=list(colours), range=list(colours.values())), legend=None)


def outlined_text(base: alt.Chart, text: alt.Text, theme: Theme, **mark: Any) -> list[alt.Chart]:
    """Two layers: an outline in the colour of the background, which interrupts lines, and the text on it."""
    outline: dict[str, Any] = {"stroke": theme.background, "strokeWidth": 6, "strokeJoin": "round"}
    behind = base.mark_text(**{**mark, "color": theme.background}, **outline)
    return [behind.encode(text=text), base.mark_text(**mark).encode(text=text)]


def rank_x(field: str, title: str | None, last: int, **options: object) -> alt.X:
    """The horizontal axis of a chart over ranks from 1 to the last; without a title it has ticks only."""
    axis = rank_axis(last, **options) if title is not None else rank_axis(last, labels=False, **options)
    return alt.X(field, title=title, axis=axis, scale=rank_scale(last))


def rank_cell(rank: int, last: int, half: float = 0.5) -> dict[str, float]:
    """Where the cell of a rank begins and ends on the axis of ranks to the last."""
    low, high = _rank_domain(last)
    return {"from": max(rank - half, low), "to": min(rank + half, high)}


def rank_axis(last: int, **options: object) -> alt.Axis:
    """An axis of whole ranks: each of them where they are few."""
    ticks: dict[str, Any] = {"values": list(range(1, last + 1))} if last <= FEW_RANKS else {"tickMinStep": 1}
    if last > MANY_RANKS:
        round_numbers = (step * 10**power for power in range(7) for step in (1, 2, 5))
        ticks = {"values": [rank for rank in round_numbers if rank <= last]}
    return alt.Axis(format="d", **{"grid": False, **ticks, **options})


def band_axis(last: int, **options: Any) -> alt.Axis:
    """An axis of ranks with a band each: every rank has a label where they are few."""
    step = max(1, math.ceil(last / FEW_RANKS))
    return alt.Axis(values=[1, *range(step, last + 1, step)], labelAngle=0, **{"domain": False, **options})


def rank_scale(last: int) -> alt.Scale:
    """Ranks from 1 to the last, with a margin; logarithmic where they are many."""
    kind: dict[str, Any] = {"type": "log"} if last > MANY_RANKS else {"zero": False}
    return alt.Scale(domain=list(_rank_domain(last)), nice=False, **kind)


def _rank_domain(last: int) -> tuple[float, float]:
    if last > MANY_RANKS:
        return 0.85, last * 1.1
    margin = max(0.55, 0.02 * last)
    return 1 - margin, last + margin


def query_y(names: Sequence[str]) -> alt.Y:
    """The vertical axis of a chart with a bar for each query, in the order of the names."""
    return alt.Y("query:N", title="Query", scale=name_scale(names, paddingInner=0.25, paddingOuter=0.125))


def name_scale(names: Sequence[str], **padding: Any) -> alt.Scale:
    """A band for each name. Vega sorts names in a table of JavaScript, which fails for `constructor` and the like.

    So an axis of names has its order from here.
    """
    return alt.Scale(domain=list(names), **padding)


def series_colour(field: str, names: Sequence[str], theme: Theme, legend: alt.Legend | None = None) -> alt.Color:
    return alt.Color(field, scale=series_scale(names, theme), legend=legend)


def series_scale(names: Sequence[str], theme: Theme) -> alt.Scale:
    """A colour for each name. Where there are more names than colours, colours repeat and dashes differ."""
    colours = theme.series
    return alt.Scale(domain=list(names), range=[colours[i % len(colours)] for i in range(len(names))])


def is_crowded(names: Sequence[str], theme: Theme) -> bool:
    """Whether there are more names than colours; each then needs a panel of its own."""
    return len(names) > len(theme.series)


def series_lines(
    base: alt.Chart, field: str, names: Sequence[str], theme: Theme, title: str | None
) -> tuple[alt.Chart, alt.Chart]:
    """The chart in the colours of its series, and a line for each of them. Without a title there is no legend."""
    legend = None if title is None else line_legend(title)
    count = len(theme.series)
    dashes = [_DASHES[(i // count) % len(_DASHES)] for i in range(len(names))]
    dash = alt.StrokeDash(field, scale=alt.Scale(domain=list(names), range=dashes), legend=legend)
    coloured = base.encode(color=series_colour(field, names, theme, legend))
    return coloured, coloured.mark_line().encode(strokeDash=dash)


def line_legend(title: str | None, **options: Any) -> alt.Legend:
    """A legend that shows lines with their dashes."""
    return alt.Legend(title=title, symbolType="stroke", symbolStrokeWidth=2.5, symbolSize=300, **options)


class GradeColours:
    """The colours of the grades of a collection: a grade has the same colour in every chart of it.

    `judged` are the grades of all judgements, `shown` those of the documents in the chart, with None where one is not
    judged.
    """

    def __init__(self, judged: Iterable[float], shown: Iterable[float | None], theme: Theme) -> None:
        different: set[float | None] = {*judged, *shown}
        self.theme = theme
        self.levels = sorted(grade for grade in different if grade is not None)
        self.has_unjudged = None in different
        positive = [grade for grade in self.levels if grade > 0]
        self.low, self.high = (positive[0], positive[-1]) if positive else (1.0, 1.0)

    def colour(self, grade: float | None) -> str:
        if grade is None:
            return self.theme.not_judged
        if grade <= 0:
            return self.theme.not_relevant
        return self.theme.shade(0.5 if self.high == self.low else (grade - self.low) / (self.high - self.low))

    def row(self, grade: float | None) -> dict[str, Any]:
        """The fields of a grade in the data, with the text colour that can be read on its colour."""
        return {"grade": grade, "level": grade_text(grade), "ink": self.theme.text_colour_on(self.colour(grade))}

    def document_row(self, rank: int, grade: float | None, document: object) -> dict[str, Any]:
        """The fields of a ranked document in the data."""
        return {"rank": rank, **self.row(grade), "document": "" if document is None else display_text(document)}

    def encoding(self, *, below: bool = False, **options: Any) -> alt.Color:
        """Colour by grade: one for each level where they are few, else a gradient. The legend may be below."""
        place: dict[str, Any] = {"orient": "bottom", "direction": "horizontal"} if below else {}
        if len(self.levels) <= _MAX_GRADE_LEVELS:
            known: list[float | None] = [*self.levels, *([None] if self.has_unjudged else [])]
            scale = alt.Scale(domain=list(map(grade_text, known)), range=list(map(self.colour, known)))
            outline: dict[str, Any] = {"symbolStrokeColor": self.theme.not_relevant, "symbolStrokeWidth": 0.7}
            legend = alt.Legend(title="Grade", symbolType="square", **outline, **place)
            return alt.Color("level:N", scale=scale, **{"legend": legend, **options})
        scale = alt.Scale(domain=[self.low, self.high], range=list(self.theme.shades), clamp=True)
        legend = alt.Legend(title="Grade", gradientLength=90, **place)
        tests = {"datum.grade === null": None, "datum.grade <= 0": 0.0}
        outside = [{"test": test, "value": self.colour(grade)} for test, grade in tests.items()]
        return alt.Color("grade:Q", scale=scale, condition=outside, **{"legend": legend, **options})


def document_tooltip(rows: list[dict[str, Any]], *further: str | alt.Tooltip) -> list[alt.Tooltip]:
    """Rank, document where documents have ids, and grade; then what else is passed."""
    document = ["document:N"] if any(row["document"] for row in rows) else []
    return tooltips("rank:O", *document, alt.Tooltip("level:N", title="grade"), *further)


def tooltips(*lines: str | alt.Tooltip) -> list[alt.Tooltip]:
    """The lines of a tooltip. A line that is only the text of a field has the field's name as title."""
    return [alt.Tooltip(line, title=line[:-2]) if isinstance(line, str) else line for line in lines]


_DEFAULT_DEPTH = 20
_MAX_DEPTH = 1_000_000


def check_depth(depth: int | None, default: int) -> int:
    """The depth that the user passed, or the default for None."""
    return default if depth is None else check_whole_number("depth", depth, 1, _MAX_DEPTH, error=PlotError)


def last_rank(measure: Measure, longest: int, depth: int | None) -> int:
    """The last rank of a chart: the depth, the measure's cutoff, or the end of the longest list."""
    return check_depth(depth, measure.k or min(max(longest, 1), _DEFAULT_DEPTH))


def curve_cutoffs(measure: Measure, longest: int, depth: int | None = None) -> list[int]:
    """The cutoffs of a curve: every one where they are few."""
    if not measure.metric.takes_cutoff:
        raise MeasureError(f"{measure.metric.name} takes no cutoff, so it has no curve. p, r and ndcg have one.")
    return some_ranks(last_rank(measure, longest, depth))


def some_ranks(last: int) -> list[int]:
    """All ranks to the last where they are few; else some, in steps that grow."""
    if last <= MANY_RANKS:
        return list(range(1, last + 1))
    return sorted(set(np.geomspace(1, last, MANY_RANKS).round().astype(int).tolist()))


def cut_note(measure: Measure, last: int, longest: int) -> str | None:
    """The note that lists go on below the last rank of a chart, unless the measure stops there too."""
    is_cut = last < min(longest, measure.k or longest)
    return f"the first {last:,} of {longest:,} ranks" if is_cut else None


def sampled_note(cutoffs: list[int]) -> str | None:
    """The note that a line joins only some cutoffs; None if it has them all."""
    return f"values at {len(cutoffs)} of {cutoffs[-1]:,} cutoffs" if len(cutoffs) < cutoffs[-1] else None


def values_at(run: PlottedRun, measure: Measure, cutoffs: list[int]) -> list[tuple[int, float | None]]:
    """Cutoffs with the mean of the measure there. Scores have only the cutoffs that were evaluated."""
    if not cutoffs:
        return []
    wanted = [measure @ k for k in cutoffs]
    if run.measures:
        wanted = sorted((known for known in run.measures if _is_same(known, measure)), key=lambda known: known.k or 0)
        if not wanted:
            raise MeasureError(f"{measure.metric.name} was evaluated at no cutoff, so it has no curve. Pass Hits.")
    scores = run.scores(wanted)
    return [(cut.k or 0, none_if_nan(scores[cut])) for cut in wanted]


def _is_same(cut: Measure, measure: Measure) -> bool:
    """Whether the two differ at most in the cutoff."""
    return cut.k is not None and (cut.metric, cut.chosen) == (measure.metric, measure.chosen)
