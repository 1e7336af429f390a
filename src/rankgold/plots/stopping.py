"""One ranking in, a chart of where the readers of expected reciprocal rank stop out."""

from __future__ import annotations

import math
from collections.abc import Hashable

from rankgold.accepted import PlotData
from rankgold.declaration.metric import Measure
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading, score_title
from rankgold.plots.cutoffs import last_rank
from rankgold.plots.inputs import measure_among, single_run
from rankgold.plots.registry import plot
from rankgold.plots.relevance_strip import graded_documents
from rankgold.plots.scales import band_axis, chart_data, document_tooltip, outlined_text
from rankgold.plots.theme import HEIGHT, WIDTH, find_theme
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
