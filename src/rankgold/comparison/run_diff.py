"""Shows which queries and documents make two runs differ, and by how much each.

A measure is a sum of terms over a norm, so its difference between two runs is the sum of the differences of the terms
of each document, each over its norm. In miniature: ap of a query with 2 relevant documents is (1/1 + 2/2) / 2 in the
first run and (1/1 + 2/4) / 2 in the second. The document that fell from rank 2 to rank 4 made 0.25 - 0.5 of it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.comparison.paired_values import ROUNDING, require_differences
from rankgold.core.accepted import TextsById
from rankgold.core.derivation import decide
from rankgold.core.document import Cell, Document, ResultTable, check_digits, number
from rankgold.core.errors import ComparisonError, counted, listing
from rankgold.core.hits import Hits
from rankgold.core.result import Result, known_fields, known_number
from rankgold.data.inputs import is_path
from rankgold.data.texts_by_id import texts_by_id
from rankgold.engines.request import Request
from rankgold.measures.metric import Measure
from rankgold.measures.notation import parse_in_dialect
from rankgold.scoring.evaluation import hits_of
from rankgold.scoring.scorer import policy_of

if TYPE_CHECKING:
    import polars


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


MOST_DOCUMENTS = 4
"""How many documents of a query a sentence names."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Diff(Result):
    """The difference between two runs under one measure, query by query and document by document."""

    measure: Measure
    a: str
    b: str
    changes: Sequence[QueryChange]
    texts: Mapping[str, str] = field(default_factory=dict)
    """The text of queries, by id."""

    @property
    def frame(self) -> polars.DataFrame:
        """A row for each document that made a difference: query, document, grade, rank_a, rank_b, change.

        The changes of a query add up to its difference, to the last bit.
        """
        import polars as pl

        from rankgold.data.ids import id_series

        rows = [(change.query, movement) for change in self.changes for movement in change.movements]
        return pl.DataFrame(
            {
                "query": id_series([query for query, _ in rows], "a query"),
                "document": pl.Series([_text(movement.document) for _, movement in rows], dtype=pl.String),
                "grade": pl.Series([movement.grade for _, movement in rows], dtype=pl.Float64),
                "rank_a": pl.Series([movement.rank_a for _, movement in rows], dtype=pl.Int64),
                "rank_b": pl.Series([movement.rank_b for _, movement in rows], dtype=pl.Int64),
                "change": pl.Series([movement.change for _, movement in rows], dtype=pl.Float64),
            }
        )

    @property
    def difference(self) -> float:
        """The mean difference: the second run less the first."""
        known = [change.difference for change in self.changes]
        return math.fsum(known) / len(known) if known else math.nan

    def losses(self, most: int | None = None) -> list[QueryChange]:
        """The queries for which the second run is worse, the worst first."""
        return self._sorted(-1)[:most]

    def gains(self, most: int | None = None) -> list[QueryChange]:
        """The queries for which the second run is better, the best first."""
        return self._sorted(1)[:most]

    def _sorted(self, direction: int) -> list[QueryChange]:
        sign = direction if self.measure.higher_is_better else -direction
        found = [change for change in self.changes if sign * change.difference > 0 and not change.is_rounding]
        return sorted(found, key=lambda change: -abs(change.difference))

    def sentence(self, change: QueryChange) -> str:
        """One query in a line: q17 -0.21: D88 (grade 3) fell from 2 to 9: -0.19; D12 (grade 1) lost: -0.02."""
        return change_sentence(change)

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain dicts and numbers; an undefined value is None."""
        return {
            "measure": str(self.measure),
            "a": self.a,
            "b": self.b,
            "difference": known_number(self.difference),
            "queries": [
                {
                    "query": change.query,
                    **({"text": self.texts[str(change.query)]} if str(change.query) in self.texts else {}),
                    "value_a": change.value_a,
                    "value_b": change.value_b,
                    "difference": change.difference,
                    "documents": [known_fields(movement) for movement in change.movements],
                }
                for change in (*self.losses(), *self.gains())
            ],
        }

    def document(self, digits: int = 4, *, most: int = 5) -> Document:
        """Tables of the queries that lost and gained most, each with the documents that made it."""
        digits = check_digits(digits)
        sign = "" if self.measure.higher_is_better else " (less is better)"
        losses, gains = self.losses(), self.gains()
        equal = len(self.changes) - len(losses) - len(gains)
        title = (
            f"{self.measure}{sign}, {self.b} less {self.a}: {number(self.difference, digits)};"
            f" {counted(len(gains), 'query')} gained, {len(losses):,} lost, {equal:,} unchanged"
        )
        tables = [
            self._table(f"Lost most, of {len(losses):,}", losses[:most], digits),
            self._table(f"Gained most, of {len(gains):,}", gains[:most], digits),
        ]
        shown = [table for table in tables if table.rows]
        runs = f"{self.measure}, {self.b} less {self.a}"
        alone = [replace(table, caption=f"{table.caption} ({runs}).") for table in shown]
        return Document(shown, title=title, alone=alone)

    def _table(self, caption: str, changes: Sequence[QueryChange], digits: int) -> ResultTable:
        rows: list[list[Cell]] = []
        for change in changes:
            text = self.texts.get(str(change.query), "")
            for i, movement in enumerate(change.seen):
                head: list[Cell] = [str(change.query), change.difference] if i == 0 else ["", ""]
                rows.append([*head, *_movement_cells(movement), *([text if i == 0 else ""] if self.texts else [])])
        header = ["query", "difference", "document", "grade", "rank a", "rank b", "change"]
        alignment = "lrlrrrr"
        if self.texts:
            header, alignment = [*header, "text"], alignment + "l"
        return ResultTable(header, rows, alignment, caption=caption, digits=digits, keys=1)


def found_diff(request: Request, measure: str | Measure, query_texts: TextsById | None) -> Diff:
    """The differences between the two runs of a request."""
    texts = texts_by_id(query_texts)
    chosen = parse_in_dialect(measure, request.policy.dialect)
    request = replace(request, policy=policy_of(chosen, request.policy))
    if request.rel is not None:
        chosen = chosen.relevant_from(request.rel)
    require_differences(str(chosen), chosen)
    found = list(hits_of(request))
    if len(found) != 2:
        raise ComparisonError(f"There are {len(found)} runs ({listing(hits.name for hits in found)}). Pass two.")
    before, after = found
    return Diff(chosen, before.name, after.name, query_changes(chosen, before, after), texts)


def runs_with_names(**runs: object) -> Any:
    """Runs under these names. If all are files they get none: a file has a name of its own, or its tag is one."""
    return list(runs.values()) if all(map(is_path, runs.values())) else runs


def change_sentence(change: QueryChange) -> str:
    """One query in a line, with the documents that made its difference."""
    parts = [_movement_text(movement) for movement in change.seen[:MOST_DOCUMENTS]]
    if left := change.seen[MOST_DOCUMENTS:]:
        rest = math.fsum(movement.change for movement in left)
        parts.append(f"{len(left)} more: {rest:+.3f}")
    return f"{change.query} {change.difference:+.3f}: {'; '.join(parts)}"


def _text(document: object) -> str | None:
    return None if document is None else str(document)


def _grade(grade: float) -> str:
    return "" if math.isnan(grade) else f"{grade:g}"


def _movement_cells(movement: Movement) -> list[Cell]:
    document = "(not one document)" if movement.document is None else str(movement.document)
    ranks = ["" if rank is None else str(rank) for rank in (movement.rank_a, movement.rank_b)]
    return [document, _grade(movement.grade), *ranks, movement.change]


def _movement_text(movement: Movement) -> str:
    if movement.document is None:
        return f"not one document: {movement.change:+.3f}"
    grade = f" (grade {_grade(movement.grade)})" if not math.isnan(movement.grade) else ""
    return f"{movement.document}{grade} {_way(movement.rank_a, movement.rank_b)}: {movement.change:+.3f}"


def _way(before: int | None, after: int | None) -> str:
    if before is None or after is None:
        return f"found at {after}" if before is None and after is not None else f"lost from {before}"
    if before == after:
        return f"stayed at {before}"
    return f"{'fell' if after > before else 'rose'} from {before} to {after}"
