"""Draws which documents make the difference, and how terms add up."""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from typing import Any

from rankgold.comparison.paired_values import require_differences
from rankgold.comparison.run_diff import Movement, QueryChange, query_changes
from rankgold.core.accepted import PlotData
from rankgold.core.errors import PlotError, counted
from rankgold.measures.metric import Measure
from rankgold.present.plots import lazy_altair as alt
from rankgold.present.plots.chart_labels import LABEL_WIDTH, short_labels
from rankgold.present.plots.inputs import PlottedRun, no_common_query, single_measure, single_run, two_runs
from rankgold.present.plots.labels import (
    display_text,
    heading,
    measure_name,
    missed_notes,
    pixel_width,
    score_title,
    second_against_first,
    short_text,
    title_number,
    unique_labels,
)
from rankgold.present.plots.layers import running_bar, running_chart
from rankgold.present.plots.registry import plot
from rankgold.present.plots.scales import tooltips
from rankgold.present.plots.theme import find_theme
from rankgold.scoring import explain
from rankgold.scoring.explanation import Explanation, Step

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


_MAX_STEPS = 25
_LONGEST = 140


@plot()
def waterfall(
    data: PlotData, measure: str | Measure | None = None, *, query: Hashable = None, theme: str = "light"
) -> alt.LayerChart:
    """The contributions of one query's documents to the score, each starting where the one above ends.

    The longest bar is the document that adds most to the score. The gap between the last bar and 1 is what better
    documents higher up, or those not found, would have added.

    >>> import rankgold
    >>> chart = rankgold.plots.waterfall([1, 0, 1], "ap")
    >>> [(bar["label"], round(bar["end"], 4)) for bar in chart.data.values]
    [('1', 0.5), ('3', 0.8333), ('score', 0.8333)]
    """
    look = find_theme(theme)
    run = single_run(data).for_query(query)
    chosen = single_measure(measure, [run], "ap")
    explanation = explain(run.hits, measure=chosen)
    rows = _running_bars(explanation)
    has_ids = any(row["document"] for row in rows)
    label = "Rank and document" if has_ids else "Rank"
    if any(step.subtopic is not None for step in explanation.steps):
        label = "Rank, document and subtopic"
    return running_chart(
        rows,
        chosen,
        {"adds": look.gain, "takes": look.loss, "score": look.muted},
        look,
        label=label,
        names=[alt.Tooltip("label:N", title=label.lower()), *tooltips(*["document:N"] * has_ids)],
        title=heading(score_title(run, explanation), explanation.decided_by, *missed_notes(explanation)),
    )


def _running_bars(explanation: Explanation) -> list[dict[str, Any]]:
    """A row for each document that counts, one for those that are too many to show, and one for the score."""
    norm, measure = explanation.norm, explanation.measure
    steps = explanation.steps if norm else ()
    rows: list[dict[str, Any]] = []

    def add(label: str, end: float, **names: str) -> None:
        start = rows[-1]["end"] if rows else 0.0
        rows.append(running_bar(label, start, end, "adds" if end >= start else "takes", measure, **names))

    for label, step in zip(_step_labels(steps[:_MAX_STEPS]), steps, strict=False):
        document = "" if step.document is None else display_text(step.document)
        add(label, step.running_sum / norm, document=document, grade=f"{step.grade:g}")
    if len(steps) > _MAX_STEPS:
        add(counted(len(steps) - _MAX_STEPS, "more document"), steps[-1].running_sum / norm)
    if explanation.rest:
        add(explanation.rest_is, explanation.sum / norm)
    if math.isnan(explanation.value):
        return [*rows, running_bar("score", 0.0, 0.0, "score", measure, text="undefined")]
    return [*rows, running_bar("score", 0.0, explanation.value, "score", measure)]


def _step_labels(steps: Sequence[Step]) -> list[str]:
    """Rank, document and subtopic of each step; long ids are cut."""
    names = [[name for name in (step.document, step.subtopic) if name is not None] for step in steps]
    documents = short_labels([": ".join(map(display_text, name)) for name in names], _LONGEST)
    return unique_labels(f"{step.rank}  {document}".strip() for step, document in zip(steps, documents, strict=True))
