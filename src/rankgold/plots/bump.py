"""Where one query's documents stand in two runs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rankgold.errors import PlotError
from rankgold.hits import Hits
from rankgold.plots.cutoffs import checked_depth
from rankgold.plots.inputs import document_of, ranked, two_runs
from rankgold.plots.library import alt
from rankgold.plots.registry import plot
from rankgold.plots.scales import Grades, records
from rankgold.plots.theme import Theme, dressed, theme_called
from rankgold.plots.words import counted, distinct, heading, short

_DEPTH = 20
_MOST = 40
_ROW = 20
_WIDTH = 300

Ranks = dict[Any, tuple[int, float]]
"""Document -> its rank and its grade."""


@plot(fewest=2, most=2)
def bump(data: Any, *, query: Any = None, depth: int = _DEPTH, theme: str = "light") -> Any:
    """Where the judged documents of one query stand in two runs, coloured by grade.

    Dark lines should rise from left to right, pale ones fall: then the second run moves good documents up and poor ones
    out of the way. Below the dashed line stand those that one of the runs has further down or not at all.

    >>> import rankgold
    >>> qrels, old, new = {"q": {"a": 2, "b": 1}}, {"q": {"a": 1, "b": 2}}, {"q": {"a": 2, "b": 1}}
    >>> chart = rankgold.plots.bump({"old": rankgold.match(qrels, old), "new": rankgold.match(qrels, new)}, query="q")
    >>> [(end["run"], end["rank"]) for end in chart.data.values if end["document"] == "a"]
    [('old', 2), ('new', 1)]
    """
    look = theme_called(theme)
    first, second = (run.only(query) for run in two_runs(data))
    deepest = checked_depth(depth) or _DEPTH
    ranks = _ranks(first.hits), _ranks(second.hits)
    grade_of = {one: grade for side in ranks for one, (_, grade) in side.items()}
    near = _near(ranks, deepest)
    chosen, told = near[:_MOST], None
    if len(near) > _MOST:
        told = f"{_MOST} of {counted(len(near), 'judged document')} in the first {deepest}: the best grades"
    if not chosen:
        told = f"neither run has a judged document among its first {deepest}"
    runs = distinct([first.name, second.name])
    # A line is thin: what colours a field well enough would be lost.
    grades = Grades((grade_of[one] for one in chosen), replace(look, not_relevant=look.axis))
    documents = [(one, name, grades.row(grade_of[one])) for one, name in zip(chosen, distinct(chosen), strict=True)]
    rows = [
        {**row, "run": run, "side": side}
        for run, side, here, there in zip(runs, ("left", "right"), ranks, reversed(ranks), strict=True)
        for row in _side(documents, here, there, deepest)
    ]
    title = heading(f"Judged documents of query {short(first.hits.queries[0])}", told)
    return dressed(_chart(rows, runs, grades, deepest, look).properties(title=title), look)


def _ranks(hits: Hits) -> Ranks:
    """The rank and the grade of each judged document that was retrieved."""
    system = ranked(hits)
    if system.documents is None:
        raise PlotError("This plot follows documents from run to run, and labels do not say which they are.")
    return {document_of(system, i): (int(system.rank[i]), float(system.grade[i])) for i in range(len(system))}


def _near(ranks: tuple[Ranks, Ranks], deepest: int) -> list[Any]:
    """The documents that either run has down to a depth, the best grades first."""
    best: dict[Any, tuple[float, int]] = {}
    for side in ranks:
        for one, (rank, grade) in side.items():
            if rank <= deepest:
                best[one] = (-grade, min(rank, best[one][1]) if one in best else rank)
    return sorted(best, key=lambda one: best[one])


def _side(documents: list[tuple[Any, str, Any]], here: Ranks, there: Ranks, deepest: int) -> Iterator[dict[str, Any]]:
    """Where documents stand in one run: at their rank, or below all ranks in the order of the other run."""
    below = [one for one, *_ in documents if one not in here or here[one][0] > deepest]
    place = {one: deepest + 2 + i for i, one in enumerate(sorted(below, key=lambda one: there[one][0]))}
    for one, name, grade in documents:
        rank = here[one][0] if one in here else None
        where = "" if one not in place else " (not found)" if rank is None else f" (rank {rank:,})"
        yield {"document": name, "rank": rank, "place": place.get(one, rank), "text": short(name, 28) + where, **grade}


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
