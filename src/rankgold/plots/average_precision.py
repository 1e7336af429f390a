"""Where the average precision of one ranking comes from."""

from __future__ import annotations

from typing import Any

from rankgold.declaration.metric import REGISTRY
from rankgold.errors import PlotError
from rankgold.explanation import explain
from rankgold.measures import parse
from rankgold.plots.cutoffs import cutoffs, values_at
from rankgold.plots.inputs import ranked, single_run
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import lettering, number_text, rank_axis, rank_scale, records
from rankgold.plots.strip import relevance_strip
from rankgold.plots.theme import HEIGHT, PANEL, dressed, theme_called
from rankgold.plots.words import counted, heading, measure_name, of_query

_ROOM_FOR_NUMBERS = 15


@plot()
def average_precision(
    data: Any, measure: Any = None, *, query: Any = None, depth: int | None = None, theme: str = "light"
) -> Any:
    """Precision at each rank with the relevant ranks marked, and the average precision they make, beside the ranking.

    Only the marked points count: the average precision is their sum over the number of relevant documents, so one that
    was never found pulls it down as a point at zero would.

    >>> import rankgold
    >>> chart = rankgold.plots.average_precision([1, 0, 1, 0, 1])
    >>> [(point["rank"], round(point["precision"], 2)) for point in chart.hconcat[0].data.values if point["relevant"]]
    [(1, 1.0), (3, 0.67), (5, 0.6)]
    """
    look = theme_called(theme)
    run = single_run(data).only(query)
    ranked(run.hits)
    chosen = parse(measure or "ap")
    if chosen.metric.name != "ap":
        raise PlotError(f"This plot shows ap, with its parameters or a cutoff, not {chosen}. curve shows others.")
    precision = REGISTRY["p"](rel=chosen.parameter("rel"))
    ks = cutoffs(chosen, int(run.hits.returned[0]), depth)
    explanation = explain(run.hits, measure=chosen)
    terms = {step.rank: step for step in explanation.steps}
    rows = [{"rank": k, "precision": value, "relevant": k in terms} for k, value in values_at(run, precision, ks)]
    base = alt.Chart().encode(
        x=alt.X("rank:Q", title="Rank", axis=rank_axis(ks[-1]), scale=rank_scale(ks[-1])),
        y=alt.Y("precision:Q", title="Precision", scale=alt.Scale(domain=[0, 1])),
        tooltip=[
            alt.Tooltip("rank:Q", title="rank"),
            alt.Tooltip("precision:Q", title="precision", format=".4f"),
            alt.Tooltip("relevant:N", title="relevant"),
        ],
    )
    marked = base.transform_filter("datum.relevant")
    layers = [
        base.mark_line(),
        base.mark_point(size=36),
        marked.mark_point(size=110, color=look.mark),
    ]
    if len(rows) <= _ROOM_FOR_NUMBERS or len(terms) <= _ROOM_FOR_NUMBERS // 2:
        layers += lettering(marked, alt.Text("precision:Q", format=".2f"), look, dy=-14)
    left = alt.layer(*layers, data=records(rows)).properties(width=PANEL, height=HEIGHT)
    title = f"{measure_name(chosen)}{of_query(run.name, run.hits)}: {number_text(explanation.value, chosen)}"
    lines = ["precision at each rank, marked where the document is relevant", explanation.decided_by]
    if explanation.not_found:
        lines.append(f"{counted(len(explanation.not_found), 'relevant document')} not found")
    right = relevance_strip(run.hits, chosen, ks[-1], look)
    return dressed(alt.hconcat(left, right, title=heading(title, *lines)), look)
