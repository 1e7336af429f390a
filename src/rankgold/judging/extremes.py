"""A run with open documents and measures in, the lowest and highest value that each query can have out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from rankgold.declaration.metric import Measure
from rankgold.hits import Hits
from rankgold.judging.assignments import (
    FEW,
    MOST,
    SIDES,
    SMALL_COUNTS,
    Assignments,
    Side,
    ends,
    every_assignment,
    grids,
    staircases,
)
from rankgold.judging.open_documents import OpenRun
from rankgold.judging.responses import is_binary, is_lowest_at_ends, is_separable, response_of
from rankgold.kernels.segments import Bools, Floats
from rankgold.scoring.values import values_of_queries

# Scales with more grades than this are as good as continuous.
_MOST_LEVELS = 10


@dataclass(frozen=True, slots=True)
class Scale:
    """The grades that an open document can have: from 0 to the highest."""

    highest: float
    levels: tuple[float, ...] | None
    """The grades above 0, ascending; None if there are too many to try them."""

    @classmethod
    def of(cls, run: OpenRun) -> Scale:
        """Whole numbers if all judgements are; else the grades that the judges gave."""
        highest = run.hits.max_grade
        given = np.unique(run.grade[~np.isnan(run.grade)])
        above = given[(given > 0) & (given < highest)]
        if highest == int(highest) and (above == np.floor(above)).all() and highest <= _MOST_LEVELS:
            return cls(highest, tuple(float(grade) for grade in range(1, int(highest) + 1)))
        levels = (*above.tolist(), highest)
        return cls(highest, levels if len(levels) <= _MOST_LEVELS else None)


@dataclass(slots=True, eq=False)
class Extremes:
    """The lowest and highest values of each query so far; infinite if there is none yet."""

    low: Floats
    high: Floats
    is_optional: Bools
    """Whether the value of a query is undefined with some grades, so that it may not be in the mean."""

    @classmethod
    def nothing(cls, queries: int) -> Extremes:
        return cls(np.full(queries, np.inf), np.full(queries, -np.inf), np.zeros(queries, dtype=bool))

    def add(self, values: Floats, which: Bools) -> None:
        self.low = np.where(which, np.fmin(self.low, values), self.low)
        self.high = np.where(which, np.fmax(self.high, values), self.high)
        self.is_optional |= which & np.isnan(values)

    def finish(self) -> Extremes:
        """NaN for queries without any value."""
        none = self.low > self.high
        return Extremes(np.where(none, np.nan, self.low), np.where(none, np.nan, self.high), self.is_optional)


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Measures that the same assignments are for."""

    assignments: Callable[[], Assignments]
    measures: list[Measure] = field(default_factory=list)


def extremes(run: OpenRun, measures: Iterable[Measure], scale: Scale) -> dict[Measure, Extremes]:
    """The lowest and highest value of each query. If not all of its grades can be tried, they are sound, not tight."""
    found = {measure: Extremes.nothing(len(run)) for measure in measures}
    is_known = {measure: np.ones(len(run), dtype=bool) for measure in found}
    for group in _groups(run, list(found), scale):
        assignments = group.assignments()
        for measure in group.measures:
            is_known[measure] &= assignments.is_complete
        for grade in assignments.grades:
            for measure, values in values_of_queries(run.with_grades(grade), group.measures).items():
                found[measure].add(values, assignments.is_complete)
    for measure, extreme in found.items():
        if not is_known[measure].all():
            _widen(run, measure, extreme, ~is_known[measure], scale)
    return {measure: extreme.finish() for measure, extreme in found.items()}


def _groups(run: OpenRun, measures: Sequence[Measure], scale: Scale) -> list[_Group]:
    groups: dict[object, _Group] = {}

    def put(key: object, measure: Measure, assignments: Callable[[], Assignments]) -> None:
        groups.setdefault(key, _Group(assignments)).measures.append(measure)

    for measure in measures:
        response, k = response_of(measure, run.hits.policy), measure.k
        levels = (scale.highest,) if is_binary(measure) else scale.levels
        if response == "ends":
            put(response, measure, partial(ends, run, scale.highest))
        elif response == "exchanges":
            for side in SIDES:
                put((response, side), measure, partial(grids, run, scale.highest, side))
        elif levels is None:
            put("none", measure, partial(_nothing, run))
        elif response == "shares":
            most = FEW if is_separable(measure) and is_binary(measure) else MOST
            lowest = levels[-1:] if is_lowest_at_ends(measure) else levels
            put((k, levels, most, "best"), measure, partial(staircases, run, levels, k, "best", most=most))
            put((k, lowest, most, "worst"), measure, partial(staircases, run, lowest, k, "worst", most=most))
        else:
            put(levels, measure, partial(every_assignment, run, (0.0, *levels)))
    return list(groups.values())


def _nothing(run: OpenRun) -> Assignments:
    """No assignment: only queries without open documents are known."""
    is_complete = np.bincount(run.query[run.is_open], minlength=len(run)) == 0
    return Assignments(iter([run.grade]), is_complete)


def _widen(run: OpenRun, measure: Measure, extreme: Extremes, which: Bools, scale: Scale) -> None:
    """Bounds of queries with too many assignments: those of the sum over those of the norm, else the span."""
    low, high = (np.full(len(run), end) for end in measure.metric.span)
    if response_of(measure, run.hits.policy) == "shares" and is_separable(measure):
        for side in SIDES if is_binary(measure) else SIDES[1:]:
            least, most = _quotients(run, measure, scale, side)
            if (side == "best") == measure.higher_is_better:
                high = np.minimum(high, most)
            else:
                low = np.maximum(low, least)
    extreme.low = np.where(which, low, extreme.low)
    extreme.high = np.where(which, high, extreme.high)
    extreme.is_optional |= which & _can_be_undefined(run, measure, scale)


def _can_be_undefined(run: OpenRun, measure: Measure, scale: Scale) -> Bools:
    """Whether the value of a query can be undefined, as far as the ends show it."""
    if not measure.metric.wants_relevant:
        return np.ones(len(run), dtype=bool)
    undefined = np.zeros(len(run), dtype=bool)
    for grade in ends(run, scale.highest).grades:
        undefined |= np.isnan(values_of_queries(run.with_grades(grade), [measure])[measure])
    return undefined


def _quotients(run: OpenRun, measure: Measure, scale: Scale, side: Side) -> tuple[Floats, Floats]:
    """Bounds of the value, from some numbers of relevant documents.

    Sum and norm grow with the number. So between two of the numbers the value is at least the sum at the smaller one
    over the norm at the larger one, and at most the sum at the larger one over the norm at the smaller one.
    """
    found = Extremes.nothing(len(run))
    everywhere = np.ones(len(run), dtype=bool)
    before: tuple[Floats, Floats] | None = None
    for number, grade in enumerate(staircases(run, (scale.highest,), measure.k, side, thinned=True).grades):
        hits = run.with_grades(grade)
        found.add(values_of_queries(hits, [measure])[measure], everywhere)
        now = sums_and_norms(measure, hits)
        if before is not None and number > SMALL_COUNTS:
            with np.errstate(divide="ignore", invalid="ignore"):
                found.add(before[0] / now[1], everywhere)
                found.add(now[0] / before[1], everywhere)
        before = now
    return found.low, found.high


def sums_and_norms(measure: Measure, hits: Hits) -> tuple[Floats, Floats]:
    """The sum and the norm of each query, before the policy decides anything."""
    parts = [measure(batch) for batch in hits.batches()]
    norms = [np.broadcast_to(part.norm, part.of.n_queries) for part in parts]
    return np.concatenate([part.sums for part in parts]), np.concatenate(norms)
