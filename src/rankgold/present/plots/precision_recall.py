"""Draws precision against recall, and where average precision comes from."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from rankgold.core.accepted import PlotData
from rankgold.core.errors import counted
from rankgold.core.segments import Floats
from rankgold.measures.metric import Measure
from rankgold.measures.rankings import parse_measure
from rankgold.measures.registry import REGISTRY
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.inputs import (
    PlottedRun,
    measure_among,
    pick_evenly,
    ranking_without_ties,
    runs_to_plot,
    single_run,
)
from rankgold.present.plots.labels import heading, missed_notes, run_suffix, score_title, title_number, unique_labels
from rankgold.present.plots.layers import above_strip, relevance_strip
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import (
    chart_data,
    curve_cutoffs,
    cut_note,
    last_rank,
    outlined_text,
    rank_x,
    series_lines,
    tooltips,
    values_at,
)
from rankgold.present.plots.theme import HEIGHT, WIDTH, Theme, find_theme
from rankgold.scoring import explain
from rankgold.scoring.explanation import Explanation

_LEVELS = np.linspace(0, 1, 11)
_MAX_LINES = 40
# A recall such as 3/10 and the level 0.3 may differ in the last bit.
_ROUNDING = 1e-9


@plot(max_runs=None)
def precision_recall(data: PlotData, *, theme: str = "light") -> alt.LayerChart:
    """Interpolated precision at eleven levels of recall: the mean over queries, and for a single run every query too.

    The height of the line at a recall is the best precision there or further down the list. A line that ends at zero
    belongs to a run that does not find all relevant documents.

    >>> import rankgold
    >>> chart = rankgold.plots.precision_recall([1, 0, 1])
    >>> [round(point["precision"], 2) for point in chart.data.values]
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.67, 0.67, 0.67, 0.67, 0.67]
    """
    look = find_theme(theme)
    runs = runs_to_plot(data)
    names = [run.name for run in runs]
    results = [interpolated_precision(run) for run in runs]
    rows = [
        {"run": name, **point}
        for name, (_, matrix) in zip(names, results, strict=True)
        for point in _curve_points(matrix.mean(axis=0) if len(matrix) else np.zeros(len(_LEVELS)))
    ]
    legend = "Run" if len(runs) > 1 else None
    base, lines = series_lines(_recall_axes(alt.Chart()), "run:N", names, look, legend)
    layers = [lines.mark_line(strokeWidth=2.5), base.mark_point(size=45)]
    count = max(len(queries) for queries, _ in results)
    note = f"mean of {counted(count, 'query')}" if count > 1 else None
    if len(runs) == 1 and count > 1:
        grey_lines, line_count = _query_lines(*results[0], look)
        layers.insert(0, grey_lines)
        some = "each" if line_count == count else f"{line_count} of them, from the worst to the best,"
        note = f"{note}; {some} in grey"
    title = heading(f"Precision against recall{run_suffix(*runs)}", note)
    return look.layer(*layers, data=chart_data(rows), width=WIDTH, height=max(HEIGHT, 320), title=title)


def interpolated_precision(run: PlottedRun) -> tuple[list[Any], Floats]:
    """The queries that have an average precision; for each a row with the best precision at every level or beyond.

    A term of average precision is the precision at a relevant hit. The number of relevant hits down to it, over the
    norm of recall, is the recall there.
    """
    hits = run.hits
    ranking_without_ties(hits)
    values = run.values(parse_measure("ap"))
    position = {query: i for i, query in enumerate(hits.queries)}
    pairs = zip(values.queries, values.values, strict=True)
    known = {position[query]: value for query, value in pairs if not np.isnan(value)}
    relevant = hits.relevant(1)
    precision, found = parse_measure("ap")(hits), parse_measure("r")(hits)
    ranking = found.ranking
    starts = ranking.starts
    recall = ranking.ordinal / np.maximum(found.norms, 1)[ranking.query]
    matrix = np.zeros((len(known), len(_LEVELS)))
    for row, (query, value) in enumerate(known.items()):
        if not relevant[query]:
            matrix[row] = value  # the policy decided it
            continue
        its_hits = slice(starts[query], starts[query + 1])
        best = np.maximum.accumulate(precision.terms.term[its_hits][::-1])[::-1]
        matrix[row] = np.append(best, 0.0)[np.searchsorted(recall[its_hits], _LEVELS - _ROUNDING)]
    return [hits.queries[i] for i in known], matrix


def _curve_points(precision: Floats) -> list[dict[str, float]]:
    points = zip(_LEVELS.round(1).tolist(), precision.tolist(), strict=True)
    return [{"recall": recall, "precision": value} for recall, value in points]


def _query_lines(queries: list[Any], matrix: Floats, theme: Theme) -> tuple[alt.Chart, int]:
    """A grey line for each query, and how many there are."""
    chosen = np.sort(pick_evenly(matrix.mean(axis=1), _MAX_LINES)).tolist()
    names = unique_labels(queries[i] for i in chosen)
    named = zip(names, matrix[chosen], strict=True)
    rows = [{"query": name, **point} for name, precision in named for point in _curve_points(precision)]
    exact = alt.Tooltip("precision:Q", format=".4f")
    lines = _recall_axes(alt.Chart(chart_data(rows))).encode(detail="query:N", tooltip=["query:N", "recall:Q", exact])
    return lines.mark_line(strokeWidth=1, color=theme.muted, opacity=0.3), len(chosen)


def _recall_axes(chart: alt.Chart) -> alt.Chart:
    scale = alt.Scale(domain=[0, 1])
    return chart.encode(
        x=alt.X("recall:Q", title="Recall", scale=scale, axis=alt.Axis(grid=False)),
        y=alt.Y("precision:Q", title="Interpolated precision", scale=scale),
        tooltip=["run:N", "recall:Q", alt.Tooltip("precision:Q", format=".4f")],
    )


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
