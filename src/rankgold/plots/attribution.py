"""Two runs in, a chart of the documents whose movement makes their difference for one query out."""

from __future__ import annotations

import math
from collections.abc import Hashable
from typing import Any

from rankgold.accepted import PlotData
from rankgold.comparison.attribution import Movement, QueryChange, query_changes
from rankgold.comparison.paired_values import require_differences
from rankgold.declaration.metric import Measure
from rankgold.errors import PlotError, counted
from rankgold.plots import lazy_altair as alt
from rankgold.plots.chart_text import display_text, heading, second_against_first, short_text, unique_labels
from rankgold.plots.inputs import PlottedRun, no_common_query, single_measure, two_runs
from rankgold.plots.measure_text import measure_name, title_number
from rankgold.plots.registry import plot
from rankgold.plots.running_bars import running_bar, running_chart
from rankgold.plots.short_labels import LABEL_WIDTH, short_labels
from rankgold.plots.text_width import pixel_width
from rankgold.plots.theme import find_theme

_MAX_MOVEMENTS = 20


@plot(min_runs=2, max_runs=2)
def attribution(
    data: PlotData, measure: str | Measure | None = None, *, query: Hashable = None, theme: str = "light"
) -> alt.LayerChart:
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
    title = heading(
        f"{measure_name(chosen)} of query {short_text(change.query)}: {second_against_first(first, second)}",
        f"{title_number(change.value_a, chosen)} → {title_number(change.value_b, chosen)}",
    )
    return running_chart(
        _bars(change, (first.name, second.name), chosen),
        chosen,
        {"gain": look.gain, "loss": look.loss, "run": look.muted},
        look,
        label=None,
        names=[alt.Tooltip("document:N", title="document or run")],
        title=title,
    )


def _change(first: PlottedRun, second: PlottedRun, measure: Measure, query: Hashable) -> QueryChange:
    """The change of the query; without one, the largest change of all."""
    if query is not None:
        first, second = first.for_query(query), second.for_query(query)
    require_differences(str(measure), measure)
    changes = query_changes(measure, first.hits, second.hits)
    if not changes and query is not None:
        raise PlotError(f"Query {query!r} has no value of {measure} in {first.name}, or none in {second.name}.")
    if not changes:
        raise no_common_query(first, second, measure)
    return max(changes, key=lambda change: abs(change.difference))


def _bars(change: QueryChange, names: tuple[str, str], measure: Measure) -> list[dict[str, Any]]:
    """A row for each run and between them for each document, the largest change first; one for those not shown."""
    shown, left = change.seen[:_MAX_MOVEMENTS], change.seen[_MAX_MOVEMENTS:]
    first, second = unique_labels(names)
    # The end of each bar is a sum of its own, so that rounding does not add up.
    ends = [change.value_a + math.fsum(move.change for move in shown[:count]) for count in range(len(shown) + 1)]
    rows = [running_bar(first, 0, change.value_a, "run", measure, document=first)]
    for label, move, start, end in zip(_labels(shown), shown, ends[:-1], ends[1:], strict=True):
        document = "" if move.document is None else display_text(move.document)
        grade = "" if math.isnan(move.grade) else f"{move.grade:g}"
        rows.append(
            running_bar(label, start, end, _kind(end - start, measure), measure, document=document, grade=grade)
        )
    if left:
        kind = _kind(change.value_b - ends[-1], measure)
        rows.append(running_bar(counted(len(left), "more document"), ends[-1], change.value_b, kind, measure))
    return [*rows, running_bar(second, 0, change.value_b, "run", measure, document=second)]


def _kind(part: float, measure: Measure) -> str:
    return "gain" if part == 0 or (part > 0) == measure.higher_is_better else "loss"


def _labels(movements: tuple[Movement, ...]) -> list[str]:
    """Each document with its ranks in both runs; long ids are cut."""
    names = ["not one document" if move.document is None else display_text(move.document) for move in movements]
    ranks = [
        f" ({_rank(move.rank_a)} → {_rank(move.rank_b)})" if move.document is not None else "" for move in movements
    ]
    width = LABEL_WIDTH - max(map(pixel_width, ranks), default=0.0)
    return unique_labels(name + rank for name, rank in zip(short_labels(names, width), ranks, strict=True))


def _rank(rank: int | None) -> str:
    return "–" if rank is None else f"{rank:,}"
