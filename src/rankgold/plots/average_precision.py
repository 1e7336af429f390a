"""One ranking in, a chart of where its average precision comes from out."""

from typing import Any

from rankgold.declaration.metric import REGISTRY
from rankgold.explanation import explain
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading, not_found_note, score_title
from rankgold.plots.cutoffs import curve_cutoffs, values_at
from rankgold.plots.inputs import measure_among, single_run
from rankgold.plots.registry import plot
from rankgold.plots.relevance_strip import above_strip, relevance_strip
from rankgold.plots.scales import chart_data, outlined_text, rank_x, tooltips
from rankgold.plots.theme import HEIGHT, WIDTH, find_theme

_ROOM_FOR_NUMBERS = 15


@plot()
def average_precision(
    data: Any, measure: Any = None, *, query: Any = None, depth: int | None = None, theme: str = "light"
) -> Any:
    """Precision at each rank, with the relevant ranks marked, above the ranking; the title has the average precision.

    Only the marked points count: average precision is their sum divided by the number of relevant documents. A relevant
    document that was not found lowers it as a point at zero would.

    >>> import rankgold
    >>> chart = rankgold.plots.average_precision([1, 0, 1, 0, 1])
    >>> [(point["rank"], round(point["precision"], 2)) for point in chart.vconcat[0].data.values if point["relevant"]]
    [(1, 1.0), (3, 0.67), (5, 0.6)]
    """
    look = find_theme(theme)
    run = single_run(data).for_query(query)
    chosen = measure_among(measure, "ap")
    precision = REGISTRY["p"](rel=chosen.parameter("rel"))
    cutoffs = curve_cutoffs(chosen, int(run.hits.returned[0]), depth)
    explanation = explain(run.hits, measure=chosen)
    relevant = {step.rank for step in explanation.steps}
    points = values_at(run, precision, cutoffs)
    rows = [{"rank": k, "precision": value, "relevant": k in relevant} for k, value in points]
    base = alt.Chart().encode(
        x=rank_x("rank:Q", None, cutoffs[-1]),
        y=alt.Y("precision:Q", title="Precision", scale=alt.Scale(domain=[0, 1])),
        tooltip=tooltips("rank:Q", alt.Tooltip("precision:Q", title="precision", format=".4f"), "relevant:N"),
    )
    marked = base.transform_filter("datum.relevant")
    layers = [base.mark_line(), base.mark_point(size=36), marked.mark_point(size=110, color=look.mark)]
    if len(rows) <= _ROOM_FOR_NUMBERS or len(relevant) <= _ROOM_FOR_NUMBERS // 2:
        layers += outlined_text(marked, alt.Text("precision:Q", format=".2f"), look, dy=-14)
    curve = alt.layer(*layers, data=chart_data(rows)).properties(width=WIDTH, height=HEIGHT)
    strip = relevance_strip(run, chosen, cutoffs[-1], look)
    title = heading(
        score_title(run, explanation),
        "precision at each rank, marked where the document is relevant",
        explanation.decided_by,
        not_found_note(explanation),
    )
    return above_strip(curve, strip, look, title)
