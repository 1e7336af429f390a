"""Where one query's documents stand in two runs."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from karat.errors import PlotError
from karat.hits import Hits
from karat.plots.cutoffs import checked_depth
from karat.plots.inputs import document_of, ranked, two_runs
from karat.plots.library import alt
from karat.plots.registry import plot
from karat.plots.scales import Grades, records
from karat.plots.theme import Theme, dressed, theme_called
from karat.plots.words import counted, distinct, heading, short

_DEPTH = 20
_MOST = 40
_ROW = 20
_WIDTH = 300


@plot(fewest=2, most=2)
def bump(data: Any, *, query: Any = None, depth: int = _DEPTH, theme: str = "light") -> Any:
    """Where the judged documents of one query stand in two runs, coloured by grade.

    Dark lines should rise from left to right, pale ones fall: then the second run moves good documents up and poor ones
    out of the way. Below the dashed line stand those that one of the runs has further down or not at all.

    >>> import karat
    >>> qrels, old, new = {"q": {"a": 2, "b": 1}}, {"q": {"a": 1, "b": 2}}, {"q": {"a": 2, "b": 1}}
    >>> chart = karat.plots.bump({"old": karat.match(qrels, old), "new": karat.match(qrels, new)}, query="q")
    >>> [(end["run"], end["rank"]) for end in chart.data.values if end["document"] == "a"]
    [('old', 2), ('new', 1)]
    """
    look = theme_called(theme)
    first, second = (run.only(query) for run in two_runs(data))
    deepest = checked_depth(depth) or _DEPTH
    ranks = _ranks(first.hits), _ranks(second.hits)
    every = {**ranks[0], **ranks[1]}
    near = [one for one in every if any(one in side and side[one][0] <= deepest for side in ranks)]
    near.sort(key=lambda one: (-every[one][1], min(side[one][0] for side in ranks if one in side)))
    chosen, told = near[:_MOST], []
    if len(near) > _MOST:
        told.append(f"{_MOST} of {counted(len(near), 'judged document')} in the first {deepest}: the best grades")
    if not chosen:
        told.append(f"neither run has a judged document among its first {deepest}")
    names = dict(zip(chosen, distinct(chosen), strict=True))
    runs = distinct([first.name, second.name])
    # A line is thin: what colours a field well enough would be lost.
    grades = Grades((every[one][1] for one in chosen), replace(look, not_relevant=look.axis))
    rows = []
    for run, side, other in zip(runs, ranks, reversed(ranks), strict=True):
        below = sorted(
            (one for one in chosen if side.get(one, (deepest + 1,))[0] > deepest), key=lambda one: other[one][0]
        )
        place = {one: deepest + 2 + i for i, one in enumerate(below)}
        for one in chosen:
            rank = side[one][0] if one in side else None
            where = place.get(one, rank)
            text = f"{short(names[one], 28)}"
            if one in place:
                text += f" (rank {rank:,})" if rank is not None else " (not found)"
            side_of_chart = "left" if run == runs[0] else "right"
            rows.append(
                {"document": names[one], "run": run, "side": side_of_chart, "rank": rank, "place": where, "text": text,
                 **grades.row(every[one][1])}
            )  # fmt: skip
    title = f"Judged documents of query {short(first.hits.queries[0])}"
    chart = _chart(rows, runs, grades, deepest, look)
    return dressed(chart.properties(title=heading(title, *told)), look)


def _ranks(hits: Hits) -> dict[Any, tuple[int, float]]:
    """The rank and the grade of each judged document that was retrieved."""
    system = ranked(hits)
    if system.documents is None:
        raise PlotError("This plot follows documents from run to run, and labels do not say which they are.")
    return {document_of(system, i): (int(system.rank[i]), float(system.grade[i])) for i in range(len(system))}


def _chart(rows: list[dict[str, Any]], runs: list[str], grades: Grades, deepest: int, look: Theme) -> Any:
    shallow = max([row["rank"] for row in rows if row["rank"] is not None and row["rank"] <= deepest], default=1)
    for row in rows:
        if row["place"] > deepest:
            row["place"] -= deepest - shallow
    last = max([row["place"] for row in rows], default=1)
    x = alt.X(
        "run:N", title=None, sort=runs, scale=alt.Scale(domain=runs, padding=0.0),
        axis=alt.Axis(
            orient="top", labelAngle=0, labelFontSize=13, labelColor=look.ink, domain=False, ticks=False, labelLimit=220
        ),
    )  # fmt: skip
    offset = 30 + 6 * max([len(row["text"]) for row in rows if row["run"] == runs[0]], default=0)
    ticks = [rank for rank in range(1, shallow + 1) if shallow <= 25 or rank == 1 or rank % 5 == 0]
    y = alt.Y(
        "place:Q", title="Rank", scale=alt.Scale(domain=[last + 0.5, 0.5], nice=False),
        axis=alt.Axis(values=ticks, grid=False, domain=False, ticks=False, offset=offset, format="d"),
    )  # fmt: skip
    tooltip = [
        alt.Tooltip("document:N", title="document"),
        alt.Tooltip("run:N", title="run"),
        alt.Tooltip("rank:Q", title="rank"),
        alt.Tooltip("level:N", title="grade"),
    ]
    base = alt.Chart().encode(x=x, y=y, tooltip=tooltip)
    lines = base.mark_line(strokeWidth=2.2).encode(detail="document:N", color=grades.encoding(legend=None))
    points = base.mark_point(size=80, stroke=look.axis, strokeWidth=0.6).encode(color=grades.encoding())
    left = base.transform_filter("datum.side == 'left'").mark_text(align="right", dx=-10)
    right = base.transform_filter("datum.side == 'right'").mark_text(align="left", dx=10)
    layers = [lines, points, left.encode(text="text:N"), right.encode(text="text:N")]
    if any(row["place"] > shallow for row in rows):
        rule = alt.Chart(records([{"place": shallow + 1}])).mark_rule(strokeDash=[4, 3])
        layers.insert(0, rule.encode(y=y))
    return alt.layer(*layers, data=records(rows)).properties(width=_WIDTH, height=_ROW * max(last, 2))
