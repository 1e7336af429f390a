"""Two runs in, a chart of the documents whose movement makes their difference for one query out."""

import math
from typing import Any

from rankgold.comparison.attribution import Movement, QueryChange, query_changes
from rankgold.comparison.paired_values import require_differences
from rankgold.declaration.metric import Measure
from rankgold.errors import PlotError, counted
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import display_text, heading, short_text, unique_labels
from rankgold.plots.inputs import PlottedRun, single_measure, two_runs
from rankgold.plots.measure_text import axis_name, exact_format, measure_name, number_format, title_number
from rankgold.plots.registry import plot
from rankgold.plots.scales import chart_data, measure_scale, name_scale, outlined_text
from rankgold.plots.short_labels import short_labels
from rankgold.plots.theme import WIDTH, find_theme, rows_height

_MAX_MOVEMENTS = 20
_LONGEST = 150


@plot(min_runs=2, max_runs=2)
def attribution(data: Any, measure: Any = None, *, query: Any = None, theme: str = "light") -> Any:
    """The documents whose movement makes the difference between two runs for one query, each from where the last ends.

    The first bar is the value in the first run, and the last bar the value in the second. Between them each document
    adds or takes what its new rank is worth, and the parts add up to the difference. Without a query, it is the one
    that changed most.

    >>> import rankgold
    >>> qrels = {"q1": {"d1": 1, "d2": 1}}
    >>> a = rankgold.match(qrels, {"q1": {"d1": 4, "d2": 3, "x": 2, "y": 1}})
    >>> b = rankgold.match(qrels, {"q1": {"d1": 4, "x": 3, "y": 2, "d2": 1}})
    >>> chart = rankgold.plots.attribution({"a": a, "b": b}, "ap")
    >>> [(bar["label"], bar["start"], bar["end"]) for bar in chart.data.values]
    [('a', 0, 1.0), ('d2 (2 → 4)', 1.0, 0.75), ('b', 0, 0.75)]
    """
    look = find_theme(theme)
    first, second = two_runs(data)
    chosen = single_measure(measure, [first, second], "ndcg@10")
    change = _change(first, second, chosen, query)
    rows = _bars(change, (first.name, second.name), chosen)
    ends = [value for row in rows for value in (row["start"], row["end"])]
    scale = measure_scale(chosen, ends) if math.isfinite(chosen.metric.span[1]) else alt.Scale(zero=True)
    names = [row["label"] for row in rows]
    exact = exact_format(chosen)
    base = alt.Chart().encode(
        y=alt.Y("label:N", title=None, scale=name_scale(names, paddingInner=0.3, paddingOuter=0.15)),
        tooltip=[
            alt.Tooltip("document:N", title="document or run"),
            alt.Tooltip("grade:N", title="grade"),
            alt.Tooltip("part:Q", title="adds", format=exact),
            alt.Tooltip("end:Q", title="so far", format=exact),
        ],
    )
    colours = alt.Scale(domain=["gain", "loss", "run"], range=[look.gain, look.loss, look.muted])
    x, colour = alt.X("start:Q", title=axis_name(chosen), scale=scale), alt.Color("kind:N", scale=colours, legend=None)
    bars = base.mark_bar().encode(x=x, x2="end:Q", color=colour)
    numbers = outlined_text(base.encode(x="right:Q"), alt.Text("text:N"), look, align="left", dx=5, color=look.muted)
    title = heading(
        f"{measure_name(chosen)} of query {short_text(change.query)}: {short_text(second.name, 24)} against"
        f" {short_text(first.name, 24)}",
        f"{title_number(change.value_a, chosen)} → {title_number(change.value_b, chosen)}",
    )
    return look.layer(bars, *numbers, data=chart_data(rows), width=WIDTH, height=rows_height(len(rows)), title=title)


def _change(first: PlottedRun, second: PlottedRun, measure: Measure, query: Any) -> QueryChange:
    """The change of the query; without one, the largest change of all."""
    if query is not None:
        first, second = first.for_query(query), second.for_query(query)
    require_differences(str(measure), measure)
    changes = query_changes(measure, first.hits, second.hits)
    if not changes and query is not None:
        raise PlotError(f"Query {query!r} has no value of {measure} in {first.name}, or none in {second.name}.")
    if not changes:
        raise PlotError(f"{first.name} and {second.name} have no query in common that has a value of {measure}.")
    return max(changes, key=lambda change: abs(change.difference))


def _bars(change: QueryChange, names: tuple[str, str], measure: Measure) -> list[dict[str, Any]]:
    """A row for each run and between them for each document, the largest change first; one for those not shown."""
    shown, left = change.seen[:_MAX_MOVEMENTS], change.seen[_MAX_MOVEMENTS:]
    runs = unique_labels(names)
    rows = [_bar(runs[0], 0, change.value_a, kind="run")]
    parts: list[float] = []
    for label, movement in zip(_labels(shown), shown, strict=True):
        before, parts = change.value_a + math.fsum(parts), [*parts, movement.change]
        document = "" if movement.document is None else display_text(movement.document)
        grade = "" if math.isnan(movement.grade) else f"{movement.grade:g}"
        rows.append(_bar(label, before, change.value_a + math.fsum(parts)) | {"document": document, "grade": grade})
    if left:
        rows.append(_bar(counted(len(left), "more document"), rows[-1]["end"], change.value_b))
    rows.append(_bar(runs[1], 0, change.value_b, kind="run"))
    pattern = "{:.3f}" if number_format(measure) == ".2f" else "{:.4g}"
    sign = 1 if measure.higher_is_better else -1
    for row in rows:
        mark = "" if row["kind"] == "run" and row["part"] >= 0 else "+" if row["part"] >= 0 else "−"
        row["text"] = mark + pattern.format(abs(row["part"]))
        if not row["kind"]:
            row["kind"] = "gain" if sign * row["part"] >= 0 else "loss"
    return rows


def _bar(label: str, start: float, end: float, kind: str = "") -> dict[str, Any]:
    name = label if kind else ""
    return {
        "label": label, "document": name, "grade": "", "start": start, "end": end, "right": max(start, end),
        "part": end - start, "kind": kind,
    }  # fmt: skip


def _labels(movements: tuple[Movement, ...]) -> list[str]:
    """Each document with its ranks in both runs; long ids are cut."""
    names = ["not one document" if move.document is None else display_text(move.document) for move in movements]
    short = short_labels(names, _LONGEST)
    return unique_labels(
        f"{name} ({_rank(move.rank_a)} → {_rank(move.rank_b)})" if move.document is not None else name
        for name, move in zip(short, movements, strict=True)
    )


def _rank(rank: int | None) -> str:
    return "–" if rank is None else f"{rank:,}"
