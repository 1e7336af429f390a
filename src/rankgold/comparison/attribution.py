"""The hits of two runs and a measure in, what each document's movement adds to the difference of a query out.

A measure is a sum of terms over a norm, so its difference between two runs is the sum of the differences of the terms
of each document, each over its norm. In miniature: ap of a query with 2 relevant documents is (1/1 + 2/2) / 2 in the
first run and (1/1 + 2/4) / 2 in the second. The document that fell from rank 2 to rank 4 made 0.25 - 0.5 of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from rankgold.comparison.unit_sums import ROUNDING
from rankgold.declaration.metric import Measure
from rankgold.declaration.open_cases import decide
from rankgold.hits import Hits

# A residual of rounding is added to a change that is so many times larger, where it cannot be seen.
_UNSEEN = 1e4
_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Movement:
    """One document in both runs, and what its move adds to the difference."""

    document: Any
    """None for changes without a single document, such as a value that the policy decided."""
    grade: float
    rank_a: int | None
    rank_b: int | None
    change: float


@dataclass(frozen=True, slots=True)
class QueryChange:
    """One query: its values in both runs, and the documents that caused the difference, largest change first."""

    query: Any
    value_a: float
    value_b: float
    movements: tuple[Movement, ...]

    @property
    def difference(self) -> float:
        return self.value_b - self.value_a

    @property
    def seen(self) -> tuple[Movement, ...]:
        """The movements without those that are only rounding."""
        limit = ROUNDING * max(abs(self.value_a), abs(self.value_b))
        return tuple(movement for movement in self.movements if abs(movement.change) > limit)

    @property
    def is_rounding(self) -> bool:
        """True if the values differ only by rounding."""
        return abs(self.difference) <= ROUNDING * max(abs(self.value_a), abs(self.value_b))


@dataclass(slots=True)
class _Shares:
    """The shares of a run for one query."""

    value: float
    share: dict[Any, float]
    """Document -> its part of the value."""
    place: dict[Any, tuple[int, float]]
    """Document -> rank and grade, of all judged documents that were retrieved."""


def query_changes(measure: Measure, a: Hits, b: Hits) -> list[QueryChange]:
    """The changes of the queries with a value in both runs, in the order of the first run."""
    after = {str(query): shares for query, shares in _shares(measure, b)}
    changes = []
    for query, before in _shares(measure, a):
        now = after.get(str(query))
        if now is not None and not math.isnan(now.value - before.value):
            changes.append(QueryChange(query, before.value, now.value, _movements(before, now)))
    return changes


def _shares(measure: Measure, hits: Hits) -> Iterator[tuple[Any, _Shares]]:
    for batch in hits.batches():
        derived = measure(batch)
        values = np.where(batch.kept, decide(measure, batch, derived).values, np.nan)
        found = [_Shares(float(value), {}, {}) for value in values]
        ranking, single = derived.ranking, batch.system.single
        norm = derived.norms[ranking.query]
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.nan_to_num(derived.terms.weighted / norm, posinf=0.0, neginf=0.0)
        for i, (query, part) in enumerate(zip(ranking.query.tolist(), parts.tolist(), strict=True)):
            if part:
                document = ranking.document_text(i)
                found[query].share[document] = found[query].share.get(document, 0.0) + part
        for i, query in enumerate(single.query.tolist()):
            found[query].place[single.document_text(i)] = int(single.rank[i]), float(single.grade[i])
        yield from zip(batch.queries, found, strict=True)


def _movements(a: _Shares, b: _Shares) -> tuple[Movement, ...]:
    documents = dict.fromkeys((*a.share, *b.share))
    changes = {document: b.share.get(document, 0.0) - a.share.get(document, 0.0) for document in documents}
    changes = {document: change for document, change in changes.items() if change}
    difference = b.value - a.value
    rest = difference - math.fsum(changes.values())
    scale = max((abs(change) for change in (*changes.values(), difference)), default=0.0)
    if abs(rest) > 1e-9 * scale:
        changes[None] = rest
    _round_off(changes, difference)
    movements = []
    # -1 and 5/6 cannot add up to 1/3 - 1/2 as it is rounded: near 1 there are fewer numbers than near 1/6.
    if left := math.fsum((difference, *(-change for change in changes.values()))):
        movements.append(Movement(None, math.nan, None, None, left))
    for document, change in changes.items():
        rank_a, grade = a.place.get(document, (None, math.nan))
        rank_b, grade = b.place.get(document, (None, grade))
        movements.append(Movement(document, grade, rank_a, rank_b, change))
    return tuple(sorted(movements, key=lambda movement: -abs(movement.change)))


def _round_off(changes: dict[Any, float], difference: float) -> None:
    """Makes the changes add up exactly to the difference, correcting rounding."""
    for _ in range(_ROUNDS):
        # What is missing before the sum is rounded, so that no step overshoots.
        rest = math.fsum((difference, *(-change for change in changes.values())))
        if not changes or math.fsum(changes.values()) == difference:
            return
        by_size = sorted(changes, key=lambda document: abs(changes[document]))
        unseen = (document for document in by_size if abs(changes[document]) >= _UNSEEN * abs(rest))
        changes[next(unseen, by_size[-1])] += rest
