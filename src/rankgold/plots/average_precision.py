"""One ranking in, a chart of where its average precision comes from out."""

from __future__ import annotations

from collections.abc import Hashable

from rankgold.accepted import PlotData
from rankgold.declaration.families import REGISTRY
from rankgold.declaration.metric import Measure
from rankgold.errors import counted
from rankgold.explanation import Explanation
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import heading, missed_notes, score_title
from rankgold.plots.cutoffs import curve_cutoffs, cut_note, last_rank, values_at
from rankgold.plots.inputs import measure_among, single_run
from rankgold.plots.measure_text import title_number
from rankgold.plots.registry import plot
from rankgold.plots.relevance_strip import above_strip, relevance_strip
from rankgold.plots.scales import chart_data, outlined_text, rank_x, tooltips
from rankgold.plots.theme import HEIGHT, WIDTH, find_theme
from rankgold.scoring import explain

_ROOM_FOR_NUMBERS = 15
_ROOM_FOR_MARKS = 25
_MAX_RANKS = 1000


@plot()
def average_precision(
    data: PlotData,
    measure: str | Measure | None = None,
    *,
    query: Hashable = None,
    depth: int | None = None,
    theme: str = "light",
) -> alt.VConcatChart:
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
    chosen = measure_among(measure, run, "ap")
    explanation = explain(run.hits, measure=chosen)
    longest = int(run.hits.returned[0])
    last = _deepest_rank(explanation, longest, depth)
    # The term of a relevant document is the precision at its rank.
    relevant = {step.rank: step.term for step in explanation.steps if step.rank <= last}
    # The line turns just above relevant documents, so these ranks are shown even where not all ranks are.
    corners = {rank - 1 for rank in relevant if 1 < rank <= _MAX_RANKS}
    cutoffs = corners.union(curve_cutoffs(chosen, last, last)).difference(relevant)
    precision = REGISTRY["p"](rel=chosen.parameter("rel"))
    points = sorted([*values_at(run, precision, sorted(cutoffs)), *relevant.items()])
    rows = [{"rank": rank, "precision": value, "relevant": rank in relevant} for rank, value in points]
    base = alt.Chart().encode(
        x=rank_x("rank:Q", None, last),
        y=alt.Y("precision:Q", title="Precision", scale=alt.Scale(domain=[0, 1])),
        tooltip=tooltips("rank:Q", alt.Tooltip("precision:Q", title="precision", format=".4f"), "relevant:N"),
    )
    marked = base.transform_filter("datum.relevant")
    size = 110 if len(relevant) <= _ROOM_FOR_MARKS else 36
    layers = [base.mark_line(), base.mark_point(size=size / 3), marked.mark_point(size=size, color=look.mark)]
    if len(rows) <= _ROOM_FOR_NUMBERS or len(relevant) <= _ROOM_FOR_NUMBERS // 2:
        outline, numbers = outlined_text(marked, alt.Text("precision:Q", format=".2f"), look, dy=-15)
        layers = [layers[0], outline, *layers[1:], numbers]
    curve = alt.layer(*layers, data=chart_data(rows)).properties(width=WIDTH, height=HEIGHT)
    strip = relevance_strip(run, chosen, last, look)
    ranks = "each rank" if len(rows) == last else f"{len(rows)} of {last:,} ranks"
    title = heading(
        score_title(run, explanation),
        f"precision at {ranks}, marked where the document is relevant",
        explanation.decided_by,
        _hidden_note(explanation, last) or cut_note(chosen, last, longest),
        *missed_notes(explanation),
    )
    return above_strip(curve, strip, look, title)


def _deepest_rank(explanation: Explanation, longest: int, depth: int | None) -> int:
    """The last rank of the chart: as given, else that of the last relevant document that counts."""
    last = last_rank(explanation.measure, longest, depth)
    relevant = [step.rank for step in explanation.steps if step.rank <= _MAX_RANKS]
    return last if depth is not None else max([last, *relevant])


def _hidden_note(explanation: Explanation, last: int) -> str | None:
    """How many relevant documents are below the chart, and what they add to the score."""
    hidden = [step.term for step in explanation.steps if step.rank > last]
    if not hidden:
        return None
    added = title_number(sum(hidden) / explanation.norm, explanation.measure)
    return f"{counted(len(hidden), 'relevant document')} below rank {last:,}, not shown: {added} of the score"
