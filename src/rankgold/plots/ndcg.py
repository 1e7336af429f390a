"""One ranking in, a chart of NDCG at every cutoff above its grades out."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

from rankgold.accepted import PlotData
from rankgold.declaration.metric import Measure
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import short_grade
from rankgold.plots.curve import curve_title, cutoff_line
from rankgold.plots.cutoffs import curve_cutoffs
from rankgold.plots.inputs import PlottedRun, measure_among, single_run
from rankgold.plots.registry import plot
from rankgold.plots.relevance_strip import above_strip, graded_documents
from rankgold.plots.scales import chart_data, document_tooltip, outlined_text, rank_cell, rank_x
from rankgold.plots.theme import WIDTH, Theme, find_theme

_ROOM_FOR_LETTERS = 55
_HEIGHT = 90
_MAX_TICKS = 10


@plot()
def ndcg(
    data: PlotData,
    measure: str | Measure | None = None,
    *,
    query: Hashable = None,
    depth: int | None = None,
    theme: str = "light",
) -> alt.VConcatChart:
    """NDCG at every cutoff of one ranking, above the grades of its documents.

    The line is at 1 as long as no better document could be higher up. It drops where the bars show a low grade while a
    better document comes later or was not found.

    >>> import rankgold
    >>> chart = rankgold.plots.ndcg([3, 0, 2])
    >>> [(bar["rank"], bar["grade"]) for bar in chart.vconcat[1].data.values]
    [(1, 3.0), (2, 0.0), (3, 2.0)]
    """
    look = find_theme(theme)
    run = single_run(data).for_query(query)
    chosen = measure_among(measure, run, "ndcg", "dcg", "cg")
    cutoffs = curve_cutoffs(chosen, int(run.hits.returned[0]), depth)
    line, bars = cutoff_line(run, chosen, cutoffs, look), _grade_bars(run, cutoffs[-1], look)
    return above_strip(line, bars, look, curve_title(run, chosen, cutoffs))


def _grade_bars(run: PlottedRun, depth: int, theme: Theme) -> alt.ChartType:
    """The grades of the first query's documents as bars; a dash where a document is not judged."""
    grades, documents = graded_documents(run, depth, theme)
    rows = [
        {
            **row,
            **rank_cell(row["rank"], depth, 0.42),
            "height": row["grade"] or 0.0,
            "label": short_grade(row["grade"]),
        }
        for row in documents
    ]
    letters = sum(max(len(row["label"]), 2) for row in rows)
    heights = [float(row["height"]) for row in rows]
    top = max([run.hits.max_grade, 1.0, *heights])
    has_whole_ticks = all(height.is_integer() for height in heights) and top <= _MAX_TICKS
    ticks: dict[str, Any] = {"format": "d", "values": list(range(int(top) + 1))} if has_whole_ticks else {}
    base = alt.Chart().encode(
        y=alt.Y("height:Q", title="Grade").scale(domain=[min([0.0, *heights]), top], nice=False).axis(**ticks),
        tooltip=document_tooltip(rows),
    )
    bars = base.mark_bar().encode(
        x=rank_x("from:Q", "Rank", depth).bin("binned"), x2="to:Q", color=grades.encoding(legend=None)
    )
    layers = [bars]
    if letters <= _ROOM_FOR_LETTERS:
        above = base.encode(x=rank_x("rank:Q", "Rank", depth))
        layers += outlined_text(above, alt.Text("label:N"), theme, dy=-7, color=theme.muted)
    return alt.layer(*layers, data=chart_data(rows)).properties(width=WIDTH, height=_HEIGHT)
