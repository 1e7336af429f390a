"""Interpolated precision against recall."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.hits import Hits
from rankgold.kernels.segments import Floats
from rankgold.measures import parse
from rankgold.plots.inputs import Run, ranked, runs_in
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import line_legend, records, run_colours, run_dashes
from rankgold.plots.selection import spread_evenly
from rankgold.plots.theme import HEIGHT, WIDTH, Theme, dressed, theme_called
from rankgold.plots.words import distinct, heading, in_run, queries

LEVELS = np.linspace(0, 1, 11)
_MOST_LINES = 40
# Shares such as 3/10 and the level 0.3 may differ in the last bit.
_ROUNDING = 1e-9


@plot(most=None)
def precision_recall(data: Any, *, theme: str = "light") -> Any:
    """Interpolated precision at eleven levels of recall: the mean over queries, and of a single run every query too.

    Go along the line to the recall a reader wants: its height is the best precision to be had there or further down the
    list. A line that ends at zero belongs to a run which does not find all relevant documents.

    >>> import rankgold
    >>> chart = rankgold.plots.precision_recall([1, 0, 1])
    >>> [round(point["precision"], 2) for point in chart.data.values]
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 0.67, 0.67, 0.67, 0.67, 0.67]
    """
    look = theme_called(theme)
    runs = runs_in(data)
    names = distinct(run.name for run in runs)
    each = [interpolated(run) for run in runs]
    rows = [
        {"run": name, "recall": round(float(level), 1), "precision": float(value)}
        for name, (_, matrix) in zip(names, each, strict=True)
        for level, value in zip(LEVELS, matrix.mean(axis=0) if len(matrix) else np.zeros(len(LEVELS)), strict=True)
    ]
    legend = line_legend("Run") if len(runs) > 1 else None
    base = _axes(alt.Chart()).encode(color=alt.Color("run:N", scale=run_colours(names, look), legend=legend))
    layers = [
        base.mark_line(strokeWidth=2.5).encode(
            strokeDash=alt.StrokeDash("run:N", scale=run_dashes(names, look), legend=legend)
        ),
        base.mark_point(size=45),
    ]
    count = max(len(asked) for asked, _ in each)
    line = f"mean of {queries(count)}" if count > 1 else None
    if len(runs) == 1 and count > 1:
        faint, drawn = _each_query(*each[0], look)
        layers.insert(0, faint)
        some = "each" if drawn == count else f"{drawn} of them, from the worst to the best,"
        line = f"{line}; {some} in grey"
    title = heading(f"Precision against recall{in_run(names[0]) if len(runs) == 1 else ''}", line)
    chart = alt.layer(*layers, data=records(rows)).properties(width=WIDTH, height=max(HEIGHT, 320), title=title)
    return dressed(chart, look)


def interpolated(run: Run) -> tuple[list[Any], Floats]:
    """The queries that have an average precision, and the best precision of each at every level of recall or beyond.

    A term of average precision is the precision at a relevant hit; the terms of recall so far, over its norm, are the
    recall there.
    """
    hits: Hits = run.hits
    ranked(hits)
    known = run.values(parse("ap"))
    at = {query: i for i, query in enumerate(hits.queries)}
    kept = {at[query]: value for query, value in zip(known.queries, known.values, strict=True) if not np.isnan(value)}
    relevant = hits.relevant(1)
    precision, found = parse("ap")(hits), parse("r")(hits)
    starts = found.of.starts
    reached = found.of.ordinal / np.maximum(np.broadcast_to(found.norm, len(hits)), 1)[found.of.query]
    matrix = np.zeros((len(kept), len(LEVELS)))
    for row, (query, value) in enumerate(kept.items()):
        if not relevant[query]:
            matrix[row] = value  # the policy's
            continue
        here = slice(starts[query], starts[query + 1])
        best = np.maximum.accumulate(precision.term[here][::-1])[::-1]
        place = np.searchsorted(reached[here], LEVELS - _ROUNDING)
        matrix[row] = np.append(best, 0.0)[place]
    return [hits.queries[i] for i in kept], matrix


def _each_query(asked: list[Any], matrix: Floats, look: Theme) -> tuple[Any, int]:
    drawn = np.sort(spread_evenly(matrix.mean(axis=1), _MOST_LINES)).tolist()
    rows = [
        {"query": name, "recall": round(float(level), 1), "precision": float(value)}
        for name, i in zip(distinct(asked[i] for i in drawn), drawn, strict=True)
        for level, value in zip(LEVELS, matrix[i], strict=True)
    ]
    lines = _axes(alt.Chart(records(rows))).encode(
        detail="query:N", tooltip=["query:N", "recall:Q", alt.Tooltip("precision:Q", format=".4f")]
    )
    return lines.mark_line(strokeWidth=1, color=look.muted, opacity=0.3), len(drawn)


def _axes(chart: Any) -> Any:
    whole = alt.Scale(domain=[0, 1])
    return chart.encode(
        x=alt.X("recall:Q", title="Recall", scale=whole, axis=alt.Axis(grid=False)),
        y=alt.Y("precision:Q", title="Interpolated precision", scale=whole),
        tooltip=["run:N", "recall:Q", alt.Tooltip("precision:Q", format=".4f")],
    )
