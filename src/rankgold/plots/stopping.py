"""Where the readers of expected reciprocal rank stop."""

from __future__ import annotations

import math
from typing import Any

from rankgold.errors import PlotError
from rankgold.explanation import explain
from rankgold.measures import parse
from rankgold.plots.cutoffs import DEPTH, checked_depth
from rankgold.plots.inputs import grades_by_rank, ranked, single_run
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import Grades, band_axis, lettering, number_text, records
from rankgold.plots.theme import HEIGHT, WIDTH, dressed, theme_called
from rankgold.plots.words import heading, measure_name, of_query, shown

_ROOM_FOR_NUMBERS = 12
_WORTH_A_NUMBER = 0.03


@plot()
def stopping(
    data: Any, measure: Any = None, *, query: Any = None, depth: int | None = None, theme: str = "light"
) -> Any:
    """The chance that a reader stops at each rank, and that one gets there at all, as expected reciprocal rank sees it.

    The bars are the readers who are satisfied at a document, the line those still reading when they come to it. Once
    the line is near zero, nothing further down can change the score.

    >>> import rankgold
    >>> chart = rankgold.plots.stopping([1, 0, 1], "err(max=1)")
    >>> [(bar["rank"], bar["stop"], bar["reached"]) for bar in chart.data.values]
    [(1, 0.5, 1.0), (2, 0.0, 0.5), (3, 0.25, 0.5)]
    """
    look = theme_called(theme)
    run = single_run(data).only(query)
    ranked(run.hits)
    chosen = parse(measure or "err")
    if chosen.metric.name != "err":
        raise PlotError(f"This plot shows err, with its parameters or a cutoff, not {chosen}.")
    explanation = explain(run.hits, measure=chosen)
    last = checked_depth(depth) or chosen.k or DEPTH
    documents = grades_by_rank(run.hits, 0, last)
    grades = Grades((grade for _, grade, _ in documents), look)
    # A term of err is stop * reached / rank, and its working holds the three.
    stops = {step.rank: (step.numbers[0], step.numbers[1]) for step in explanation.steps}
    rows, reached = [], 1.0
    for rank, grade, document in documents:
        stop, here = stops.get(rank, (0.0, reached))
        rows.append(
            {"rank": rank, "stop": stop * here, "reached": here, "chance": stop, **grades.row(grade),
             "document": shown(document or "")}
        )  # fmt: skip
        reached = here * (1 - stop)
    tooltip = [
        alt.Tooltip("rank:O", title="rank"),
        alt.Tooltip("level:N", title="grade"),
        alt.Tooltip("chance:Q", title="stops a reader who is there", format=".1%"),
        alt.Tooltip("reached:Q", title="readers who get there", format=".1%"),
        alt.Tooltip("stop:Q", title="readers who stop there", format=".1%"),
    ]
    if any(row["document"] for row in rows):
        tooltip.insert(1, alt.Tooltip("document:N", title="document"))
    base = alt.Chart().encode(x=alt.X("rank:O", title="Rank", axis=band_axis(max(len(rows), 1))), tooltip=tooltip)
    share = alt.Axis(format=".0%")
    whole = alt.Scale(domain=[0, 1], nice=False)
    bars = base.mark_bar().encode(
        y=alt.Y("stop:Q", title="Share of readers", axis=share, scale=whole), color=grades.encoding()
    )
    line = base.mark_line(color=look.mark, strokeWidth=1.6).encode(
        y=alt.Y("reached:Q", title="Share of readers", scale=whole)
    )
    points = base.mark_point(color=look.mark, size=34).encode(y=alt.Y("reached:Q", title="Share of readers"))
    layers = [bars, line, points]
    if len(rows) <= _ROOM_FOR_NUMBERS:
        stopped = base.transform_filter(f"datum.stop >= {_WORTH_A_NUMBER}").encode(y="stop:Q")
        layers += lettering(stopped, alt.Text("stop:Q", format=".0%"), look, dy=-7, color=look.muted)
    value = explanation.value
    title = f"{measure_name(chosen)}{of_query(run.name, run.hits)}: {number_text(value, chosen)}"
    told = "bars: readers who stop at a rank; line: readers who get there"
    left = f"{reached:.0%} stop at none of the ranks shown" if rows and not math.isnan(value) else None
    chart = alt.layer(*layers, data=records(rows)).properties(
        width=WIDTH, height=HEIGHT, title=heading(title, told, left)
    )
    return dressed(chart, look)
