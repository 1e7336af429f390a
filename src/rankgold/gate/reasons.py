"""The scores and hits of a threshold that does not hold in; the worst queries out, with the documents behind them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from rankgold.comparison.attribution import query_changes
from rankgold.comparison.run_diff import MOST_DOCUMENTS, change_sentence
from rankgold.gate.result import WorstQuery
from rankgold.gate.thresholds import Threshold
from rankgold.hits import Hits
from rankgold.kernels.segments import Floats
from rankgold.scoring.run_scores import RunScores


@dataclass(frozen=True, slots=True, eq=False)
class Evidence:
    """The data in which to find the worst queries."""

    hits: Hits
    """Of the run that is checked."""
    before: Hits | None = None
    """Of the baseline, if it is a run."""
    texts: Mapping[str, str] = field(default_factory=dict)
    """The text of queries, by id."""
    most: int = 3
    """How many queries are named."""


def worst_queries(threshold: Threshold, new: RunScores, old: RunScores | None, evidence: Evidence) -> list[WorstQuery]:
    """The queries that dropped most; without previous values, those with the worst values."""
    if new.totals is not None:
        return []
    label, sign = str(threshold.measure), 1 if threshold.measure.higher_is_better else -1
    values = new.values[label]
    before = _values_of(old, label, new) if old is not None and threshold.kind == "max_drop" else None
    badness = -sign * values if before is None else sign * (before - values)
    order = np.argsort(-np.where(np.isnan(badness), -np.inf, badness), kind="stable")[: evidence.most]
    place = {str(query): i for i, query in enumerate(evidence.hits.queries)}
    found = []
    for i in order.tolist():
        if math.isnan(badness[i]) or (before is not None and badness[i] <= 0):
            continue
        query, value = new.queries[i], float(values[i])
        was = math.nan if before is None else float(before[i])
        sentence = _sentence(threshold, evidence, place[str(query)], was, value)
        found.append(WorstQuery(query, value, was, sentence, evidence.texts.get(str(query), "")))
    return found


def _values_of(old: RunScores, label: str, new: RunScores) -> Floats | None:
    """The previous values, in the current query order; None if they were not saved."""
    if old.totals is not None:
        return None
    known = old.by_query(label)
    return np.array([known.get(str(query), math.nan) for query in new.queries])


def _sentence(threshold: Threshold, evidence: Evidence, number: int, was: float, value: float) -> str:
    """q17 -0.21: D88 (grade 3) fell from 2 to 9: -0.19; or, without the old run, where its documents are now."""
    measure, hits = threshold.measure, evidence.hits.of_query(number)
    if evidence.before is not None and not math.isnan(was):
        changes = query_changes(measure, evidence.before.of_query(number), hits)
        if changes:
            return change_sentence(changes[0])
    change = f"{value:.3f}" if math.isnan(was) else f"{value - was:+.3f}, from {was:.3f} to {value:.3f}"
    documents = "; ".join(_documents(hits)) or "no judged document is relevant"
    return f"{hits.queries[0]} {change}: {documents}"


def _documents(hits: Hits) -> Iterator[str]:
    """The best documents that are not as high as they could be, and where they are."""
    ranks = {hits.system.single.document_text(i): int(rank) for i, rank in enumerate(hits.system.single.rank.tolist())}
    ideal = hits.ideal.single
    shown = 0
    for i, (rank, grade) in enumerate(zip(ideal.rank.tolist(), ideal.grade.tolist(), strict=True)):
        document = ideal.document_text(i)
        at = ranks.get(document)
        if grade > 0 and (at is None or at > rank) and shown < MOST_DOCUMENTS:
            shown += 1
            yield f"{document} (grade {grade:g}) {'not found' if at is None else f'at {at}'}"
