"""Builds leaderboards and says who leads, how surely, and where not."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from rankgold.comparison import CorrectionName
from rankgold.comparison.choices import ComparisonSettings, corrected
from rankgold.comparison.comparison_result import Comparison
from rankgold.comparison.paired_values import ROUNDING, AlignedValues
from rankgold.comparison.warnings import doubts_about_lists, doubts_about_tests
from rankgold.core.errors import counted, in_a_row, listing
from rankgold.core.result import known_number
from rankgold.core.segments import Floats
from rankgold.measures.metric import GEOMETRIC_MEAN
from rankgold.scoring.score_document import note_lines
from rankgold.scoring.scores import Scores

_CORRECTION: CorrectionName = "holm"


@dataclass(frozen=True, slots=True, eq=False)
class Leaderboard:
    """The runs under one measure and for some of the queries."""

    label: str
    means: dict[str, float]
    intervals: dict[str, tuple[float, float]]
    """Run -> the ends of the confidence interval of its mean; none where there can be none."""
    comparison: Comparison | None
    order: tuple[str, ...]
    """The runs, the best first."""

    @property
    def leaders(self) -> tuple[str, ...]:
        """The runs with the best mean, which may be several; none if it is undefined."""
        best = self.means[self.order[0]]
        return tuple(name for name in self.order if math.isclose(self.means[name], best, rel_tol=ROUNDING))

    def to_dict(self) -> dict[str, Any]:
        return {
            "means": [known_number(mean) for mean in self.means.values()],
            "intervals": [
                [known_number(end) for end in self.intervals.get(name, (math.nan, math.nan))] for name in self.means
            ],
            "order": list(self.order),
            "pairs": [] if self.comparison is None else _pairs(self.comparison),
        }


def _pairs(comparison: Comparison) -> list[dict[str, Any]]:
    return [
        {
            "a": row.a, "b": row.b, "difference": known_number(row.difference), "low": known_number(row.low),
            "high": known_number(row.high), "p": known_number(row.p_corrected), "effect": known_number(row.effect),
            "wins": row.wins, "ties": row.ties, "losses": row.losses, "queries": row.queries,
            "certain": comparison.is_significant(row), "better": comparison.better(row), "sentence": sentence,
        }
        for row, sentence in zip(comparison, comparison.sentences, strict=True)
    ]  # fmt: skip


def leaderboards_of(scores: Scores, choices: dict[str, Any]) -> dict[str, Leaderboard]:
    """A leaderboard for each measure. The p-values of a measure are corrected for the number of its comparisons."""
    labels = [label for label, measure in scores.measures.items() if measure.metric.aggregate is not GEOMETRIC_MEAN]
    comparisons, intervals = _comparisons(scores, labels, choices) if labels else ({}, {})
    found = {}
    for label in scores.measures:
        means = {name: scores.run_scores(name).means[label] for name in scores.runs}
        ends = {name: by_label[label] for name, by_label in intervals.items() if label in by_label}
        order = tuple(scores.sorted_by(label).runs)
        found[label] = Leaderboard(label, means, ends, comparisons.get(label), order)
    return found


def _comparisons(
    scores: Scores, labels: list[str], choices: dict[str, Any]
) -> tuple[dict[str, Comparison], dict[str, dict[str, tuple[float, float]]]]:
    """Label -> its comparisons; run -> label -> the interval of its mean. All measures share the random draws."""
    chosen = _of_measures(scores, labels)
    intervals = chosen.intervals(seed=choices["seed"]).by_run
    if len(scores.runs) < 2:
        return {}, intervals
    uncorrected = chosen.compare(correction="none", **choices)
    settings = ComparisonSettings.of(correction=_CORRECTION, **choices)
    aligned, comparisons = AlignedValues.of(chosen), {}
    for label in labels:
        rows = [row for row in uncorrected.rows if row.measure == label]
        p_values = corrected(np.array([row.p for row in rows]), _CORRECTION)
        rows = [replace(row, p_corrected=float(p)) for row, p in zip(rows, p_values, strict=True)]
        differences = np.stack([aligned.differences(label, row.a, row.b) for row in rows], axis=1)
        doubts = doubts_about_tests(_of_measures(scores, [label]), rows, differences, settings, len(differences))
        method = replace(uncorrected.method, correction=_CORRECTION)
        comparisons[label] = Comparison(rows, method, uncorrected.lower_is_better, doubts)
    return comparisons, intervals


def _of_measures(scores: Scores, labels: list[str]) -> Scores:
    runs = [
        replace(
            run,
            values={label: run.values[label] for label in labels},
            means={label: run.means[label] for label in labels},
        )
        for run in scores.run_list
    ]
    return replace(scores, run_list=runs, measures={label: scores.measures[label] for label in labels})


_MANY_TIED = 0.05
_NAMED = 3


def summary_sentences(
    board: Leaderboard, scores: Scores, values: dict[str, Floats], queries: Sequence[str], baseline: str | None
) -> list[str]:
    """Who leads under one measure and for some queries, and where the leader loses.

    `values` has the values of each run for these queries.
    """
    return [*_leader(board, len(queries), baseline), *_losses(board, scores, values, queries, baseline)]


def _leader(board: Leaderboard, n_queries: int, baseline: str | None) -> Iterator[str]:
    first = board.order[0]
    mean = board.means[first]
    count = counted(n_queries, "query")
    if math.isnan(mean):
        yield f"{board.label} is undefined for every query."
        return
    if len(board.order) == 1:
        low, high = board.intervals.get(first, (math.nan, math.nan))
        interval = "" if math.isnan(low) else f" (95 % interval {low:.4f} to {high:.4f})"
        yield f"{first} has {board.label} {mean:.4f} over {count}{interval}."
        return
    second = board.order[1]
    if len(board.leaders) > 1:
        yield f"{_together(board.leaders)} lead with the same {board.label}, {mean:.4f} over {count}."
    else:
        yield f"{first} leads with {board.label} {mean:.4f} over {count}."
    if board.comparison is None:
        return
    for row, sentence in zip(board.comparison.rows, board.comparison.sentences, strict=True):
        if {row.a, row.b} == {first, second} or {row.a, row.b} == {first, baseline}:
            yield sentence
            if not board.comparison.is_significant(row) and board.comparison.better(row) is not None:
                yield f"The difference between {row.a} and {row.b} is not certain: it may be chance."


def _losses(
    board: Leaderboard, scores: Scores, values: dict[str, Floats], queries: Sequence[str], baseline: str | None
) -> Iterator[str]:
    """Where the leader loses to the baseline; without one, or if the baseline leads, to the next run."""
    if len(board.order) < 2 or board.comparison is None:
        return
    first, second = board.order[:2]
    if baseline is not None and baseline != first:
        second = baseline
    sign = 1 if scores.measures[board.label].higher_is_better else -1
    gains = sign * (values[first] - values[second])
    lost = np.flatnonzero(gains < -1e-12)
    if not len(lost):
        yield f"{first} loses no query to {second}."
        return
    worst = lost[np.argsort(gains[lost], kind="stable")][:_NAMED]
    named = listing([f"{queries[i]} ({sign * gains[i]:+.3f})" for i in worst.tolist()])
    which = f"most on {named}" if len(lost) > 1 else f"on {named}"
    yield f"{first} loses to {second} on {len(lost):,} of {len(queries):,} queries, {which}."


def slice_sentences(label: str, leader: str, boards: dict[str, Leaderboard]) -> list[str]:
    """In which slices another run leads."""
    leaders = {name: board.leaders for name, board in boards.items() if board.leaders}
    others = {name: runs for name, runs in leaders.items() if leader not in runs}
    if not leaders:
        return []
    if not others:
        with_others = ", alone or with others," if any(len(runs) > 1 for runs in leaders.values()) else ""
        return [f"{leader} leads{with_others} in every slice by {label}."]
    named = listing([f"{name} ({_lead(runs)})" for name, runs in others.items()], 4)
    return [f"{leader} does not lead by {label} in {named}."]


def measure_sentences(boards: dict[str, Leaderboard]) -> list[str]:
    """Whether the measures agree about the leader."""
    labels_of: dict[tuple[str, ...], list[str]] = {}
    for label, board in boards.items():
        if board.leaders:
            labels_of.setdefault(board.leaders, []).append(label)
    if len(boards) < 2 or not labels_of:
        return []
    if always := [run for run in next(iter(labels_of)) if all(run in leaders for leaders in labels_of)]:
        with_others = ", alone or with others," if len(labels_of) > 1 else ""
        return [f"{_lead(always)}{with_others} by every measure here."]
    parts = [f"{_lead(leaders)} by {listing(labels, 6)}" for leaders, labels in labels_of.items()]
    return [f"The measures disagree: {'; '.join(parts)}."]


def _lead(runs: Sequence[str]) -> str:
    """'a leads', 'a and b lead'."""
    return f"{_together(runs)} {'leads' if len(runs) == 1 else 'lead'}"


def _together(runs: Sequence[str]) -> str:
    """'a and b', 'a, b and c', 'a, b, c and 9 more runs'."""
    shown = [*runs[:_NAMED], f"{len(runs) - _NAMED:,} more runs"] if len(runs) > _NAMED + 1 else list(runs)
    return in_a_row(shown)


def policy_sentences(rows: list[dict[str, Any]], part: str, label: str) -> list[str]:
    """Whether the order of the runs in a slice is the same under the other policies."""
    known = [row for row in rows if part in row.get("parts", ())]
    orders = [row["parts"][part][label]["order"] for row in known]
    if len(known) < 2 or len(orders[0]) < 2:
        return []
    changed = [
        row["name"] + ("" if order[0] == orders[0][0] else f" ({order[0]} leads)")
        for row, order in zip(known, orders, strict=True)
        if order != orders[0]
    ]
    if changed:
        return [f"The order of the runs by {label} changes under {listing(changed)}."]
    return [f"The order of the runs by {label} is the same under {listing([row['name'] for row in known[1:]])}."]


def doubt_sentences(scores: Scores, slice_notes: Sequence[str]) -> list[str]:
    """Caveats about the data: the notes, ties, and lists that differ."""
    doubts = [_sentence(line, scores.runs) for line in (*note_lines(scores), *slice_notes)]
    tied = []
    for name in scores.runs:
        notes = scores.notes_of(name)
        hits = notes.retrieved - notes.unjudged
        if hits and notes.tied_hits > _MANY_TIED * hits:
            tied.append(f"{name} {notes.tied_hits:,} of {hits:,}")
    if tied:
        doubts.append(
            f"Judged documents that have the same score as another document: {listing(tied, 6)}. Their order is"
            f" arbitrary (policy ties={scores.policy.ties})."
        )
    return [*doubts, *doubts_about_lists(scores)] if len(scores.runs) > 1 else doubts


def _sentence(line: str, names: Sequence[str]) -> str:
    """A line with a capital letter, unless it begins with the name of a run, and with a full stop."""
    start = line if line.startswith(tuple(names)) else line[0].upper() + line[1:]
    return start + ("" if line.endswith((".", "?")) else ".")
