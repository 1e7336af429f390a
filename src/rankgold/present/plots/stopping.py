"""Draws where readers stop, and what each rank counts."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence

from rankgold.core.accepted import PlotData
from rankgold.core.errors import PlotError
from rankgold.data.matching.labels import from_labels
from rankgold.measures.gains import discount as discount_family
from rankgold.measures.metric import Measure
from rankgold.measures.rankings.ndcg import discounted_cumulative_gain
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.inputs import measure_among, single_run
from rankgold.present.plots.labels import heading, score_title
from rankgold.present.plots.layers import graded_documents
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import (
    FEW_RANKS,
    band_axis,
    chart_data,
    check_depth,
    document_tooltip,
    last_rank,
    outlined_text,
    rank_x,
    series_lines,
    tooltips,
)
from rankgold.present.plots.theme import HEIGHT, WIDTH, Theme, find_theme
from rankgold.scoring import explain

_ROOM_FOR_NUMBERS = 12
_WORTH_A_NUMBER = 0.03


@plot()
def stopping(
    data: PlotData,
    measure: str | Measure | None = None,
    *,
    query: Hashable = None,
    depth: int | None = None,
    theme: str = "light",
) -> alt.LayerChart:
    """The share of readers who stop at each rank and who reach it, in the user model of expected reciprocal rank.

    The bars are the readers whom a document satisfies, and the line those who are still reading when they reach it.
    Where the line is near zero, documents further down hardly change the score.

    >>> import rankgold
    >>> chart = rankgold.plots.stopping([1, 0, 1], "err(max=1)")
    >>> [(bar["rank"], bar["stop"], bar["reached"]) for bar in chart.data.values]
    [(1, 0.5, 1.0), (2, 0.0, 0.5), (3, 0.25, 0.5)]
    """
    look = find_theme(theme)
    run = single_run(data).for_query(query)
    chosen = measure_among(measure, run, "err")
    grades, documents = graded_documents(run, last_rank(chosen, int(run.hits.returned[0]), depth), look)
    explanation = explain(run.hits, measure=chosen)
    # The term of a hit is chance * reached / rank: the chance to stop there, and the share of readers who reach it.
    numbers = {step.rank: step.numbers[:2] for step in explanation.steps}
    rows, still_reading = [], 1.0
    for row in documents:
        chance, reached = numbers.get(row["rank"], (0.0, still_reading))
        rows.append(row | {"stop": chance * reached, "reached": reached, "chance": chance})
        still_reading = reached * (1 - chance)
    base = alt.Chart().encode(
        x=alt.X("rank:O", title="Rank", axis=band_axis(max(len(rows), 1))),
        tooltip=document_tooltip(
            rows,
            alt.Tooltip("chance:Q", title="stops a reader who is there", format=".1%"),
            alt.Tooltip("reached:Q", title="readers who get there", format=".1%"),
            alt.Tooltip("stop:Q", title="readers who stop there", format=".1%"),
        ),
    )
    bar_top, line_y = (alt.Y(f"{field}:Q", title="Share of readers") for field in ("stop", "reached"))
    scale = alt.Scale(domain=[0, 1], nice=False)
    bars = base.mark_bar().encode(y=bar_top.axis(format=".0%").scale(scale), color=grades.encoding())
    line = base.mark_line(color=look.mark, strokeWidth=1.6).encode(y=line_y.scale(scale))
    layers = [bars, line, base.mark_point(color=look.mark, size=34).encode(y=line_y)]
    if len(rows) <= _ROOM_FOR_NUMBERS:
        stopped = base.transform_filter(f"datum.stop >= {_WORTH_A_NUMBER}").encode(y="stop:Q")
        layers += outlined_text(stopped, alt.Text("stop:Q", format=".0%"), look, dy=-7, color=look.muted)
    has_value = rows and not math.isnan(explanation.value)
    title = heading(
        score_title(run, explanation),
        "bars: readers who stop at a rank; line: readers who get there",
        f"{still_reading:.0%} stop at none of the ranks shown" if has_value else None,
    )
    return look.layer(*layers, data=chart_data(rows), width=WIDTH, height=HEIGHT, title=title)


_DEFAULTS = ("log2", "log(e)", "jk", "linear", "exponential", "zipf(0, 0.5)")
_DEPTH = 10
_ROOM_FOR_DISCOUNTS = 15
_MAX_DISCOUNTS = 20


@plot(min_runs=0, max_runs=0)
def discount(
    discounts: str | Sequence[str] = _DEFAULTS, *, depth: int = _DEPTH, theme: str = "light"
) -> alt.LayerChart:
    """The weight of each rank under one or more discounts.

    The steeper the line falls, the more a measure depends on the top ranks. Logarithms to different bases differ by a
    constant factor, which a normalised measure such as ndcg cancels out.

    >>> import rankgold
    >>> [round(bar["weight"], 3) for bar in rankgold.plots.discount("log2", depth=3).data.values]
    [1.0, 0.631, 0.5]
    """
    look = find_theme(theme)
    deepest = check_depth(depth, _DEPTH)
    wanted = [discounts] if isinstance(discounts, str) else list(discounts)
    chosen = list(dict.fromkeys(map(discount_family.parse, wanted)))
    if not 1 <= len(chosen) <= _MAX_DISCOUNTS:
        raise PlotError(f"This plot shows from 1 to {_MAX_DISCOUNTS} discounts, not {len(chosen)}.")
    all_relevant = from_labels([[1] * deepest])
    rows = [
        {"discount": str(function), "rank": rank, "weight": float(weight)}
        for function in chosen
        for rank, weight in enumerate(discounted_cumulative_gain(all_relevant, discount=function).terms.term, start=1)
    ]
    names = list(map(str, chosen))
    tooltip = tooltips("discount:N", "rank:Q", alt.Tooltip("weight:Q", title="counts", format=".4f"))
    draw, suffix = (_weight_bars, f": {names[0]} discount") if len(names) == 1 else (_weight_lines, "")
    layers = draw(alt.Chart().encode(tooltip=tooltip), names, deepest, look)
    title = heading(f"What a document counts at each rank{suffix}")
    return look.layer(*layers, data=chart_data(rows), width=WIDTH, height=HEIGHT, title=title)


def _weight_bars(base: alt.Chart, names: list[str], deepest: int, theme: Theme) -> list[alt.Chart]:
    base = base.encode(
        x=alt.X("rank:O", title="Rank", axis=band_axis(deepest, domain=alt.Undefined)),
        y=alt.Y("weight:Q", title=f"1 / {names[0]} discount", scale=alt.Scale(zero=True)),
    )
    layers = [base.mark_bar()]
    if deepest <= _ROOM_FOR_DISCOUNTS:
        layers += outlined_text(base, alt.Text("weight:Q", format=".3f"), theme, dy=-8, color=theme.muted)
    return layers


def _weight_lines(base: alt.Chart, names: list[str], deepest: int, theme: Theme) -> list[alt.Chart]:
    base = base.encode(
        x=rank_x("rank:Q", "Rank", deepest),
        y=alt.Y("weight:Q", title="1 / discount", scale=alt.Scale(zero=True)),
    )
    base, lines = series_lines(base, "discount:N", names, theme, "Discount")
    return [lines, base.mark_point(size=36)] if deepest <= FEW_RANKS else [lines]
