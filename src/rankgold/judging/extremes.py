"""Finds the lowest and highest value of each query."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np

from rankgold.core.hits import SMALLEST_GRADE, Hits
from rankgold.core.segments import Bools, Floats
from rankgold.engines.protocol import Progress
from rankgold.judging.grade_assignments import (
    FEW,
    MOST,
    SIDES,
    SMALL_COUNTS,
    Assignments,
    Side,
    ends,
    every_assignment,
    grids,
    one_relevant,
    staircases,
)
from rankgold.judging.open_documents import OpenRun
from rankgold.measures.metric import Measure
from rankgold.scoring.scorer import values_of_queries

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
        """Whole numbers if all judgements are; else the grades that the judges gave, also those for subtopics."""
        highest, subtopics = run.highest, run.hits.subtopics
        known = run.grade[~np.isnan(run.grade)]
        given = np.unique(known if subtopics is None else np.concatenate((known, subtopics.grade)))
        above = given[(given > 0) & (given < highest)]
        if highest == int(highest) and (above == np.floor(above)).all() and highest <= _MOST_LEVELS:
            return cls(highest, tuple(float(grade) for grade in range(1, int(highest) + 1)))
        levels = (*above.tolist(), highest)
        return cls(highest, levels if len(levels) <= _MOST_LEVELS else None)

    @property
    def lowest(self) -> float:
        """The lowest grade above 0."""
        return SMALLEST_GRADE if self.levels is None else self.levels[0]

    def up_to(self, highest: float) -> Scale:
        """The same grades without those above the highest."""
        if self.levels is None:
            return Scale(highest, None)
        return Scale(highest, tuple(level for level in self.levels if level <= highest) or (highest,))


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

    def join(self, other: Extremes) -> Extremes:
        """The lowest and highest values of both."""
        low, high = np.fmin(self.low, other.low), np.fmax(self.high, other.high)
        return Extremes(low, high, self.is_optional | other.is_optional)

    def finish(self) -> Extremes:
        """NaN for queries without any value."""
        none = self.low > self.high
        low, high = np.where(none, np.nan, self.low), np.where(none, np.nan, self.high)
        # A value may be beyond its limit by rounding.
        is_rounded = none & np.isfinite(self.low) & np.isfinite(self.high)
        return Extremes(np.where(is_rounded, self.high, low), np.where(is_rounded, self.low, high), self.is_optional)


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Measures that share assignments."""

    assignments: Callable[[], Assignments]
    side: Side | None = None
    """Which end of the values the assignments decide; None for both."""
    measures: list[Measure] = field(default_factory=list)

    def ends(self, measure: Measure) -> tuple[str, ...]:
        return ("low", "high") if self.side is None else (_end(self.side, measure),)


def _end(side: Side, measure: Measure) -> str:
    return "high" if (side == "best") == measure.higher_is_better else "low"


def extremes(
    run: OpenRun, measures: Iterable[Measure], scale: Scale, progress: Progress | None = None
) -> dict[Measure, Extremes]:
    """The lowest and highest value of each query. If not all of its grades can be tried, they are sound, not tight."""
    wanted = list(measures)
    if run.scale is None and any(measure.takes_scale_from_judgements for measure in wanted):
        on_scale = [measure for measure in wanted if measure.takes_scale_from_judgements]
        others = [measure for measure in wanted if not measure.takes_scale_from_judgements]
        return extremes(run, others, scale, progress) | _on_all_scales(run, on_scale, scale, progress)
    return _extremes(run, wanted, scale, progress)


def _on_all_scales(
    run: OpenRun, measures: Sequence[Measure], scale: Scale, progress: Progress | None
) -> dict[Measure, Extremes]:
    """The extremes of measures whose scale ends at the highest grade that the run retrieves: each grade may be it.

    No open document of any query has a higher grade then. Which query has the highest one is left open.
    """
    known = run.hits.max_grade
    can_grow = run.highest > known and bool(run.is_open.any())
    if can_grow and scale.levels is None:
        return {measure: Extremes(*_span(run, measure), _can_be_undefined(run, measure, scale)) for measure in measures}
    found: dict[Measure, Extremes] = {}
    for top in (known, *(level for level in scale.levels or () if level > known and can_grow)):
        more = _extremes(run.on_scale(top), measures, scale.up_to(top), progress)
        found = {measure: more[measure].join(found.get(measure, more[measure])) for measure in measures}
    return found


def _extremes(
    run: OpenRun, measures: Sequence[Measure], scale: Scale, progress: Progress | None
) -> dict[Measure, Extremes]:
    report = progress or (lambda *_: None)
    found = {measure: Extremes.nothing(len(run)) for measure in measures}
    is_known = {(measure, end): np.ones(len(run), dtype=bool) for measure in found for end in ("low", "high")}
    groups = _groups(run, list(found), scale)
    for number, group in enumerate(groups):
        assignments = group.assignments()
        for measure in group.measures:
            for end in group.ends(measure):
                is_known[measure, end] &= assignments.is_complete
        for i, grade in enumerate(assignments.grades):
            report(f"trying grades of {run.hits.name}", (number + i / assignments.count) / len(groups), 0)
            for measure, values in values_of_queries(run.with_grades(grade), group.measures).items():
                found[measure].add(values, assignments.is_complete)
    for measure, extreme in found.items():
        _widen(run, measure, extreme, ~is_known[measure, "low"], ~is_known[measure, "high"], scale)
    return {measure: extreme.finish() for measure, extreme in found.items()}


def _groups(run: OpenRun, measures: Sequence[Measure], scale: Scale) -> list[_Group]:
    groups: dict[object, _Group] = {}

    def put(key: object, measure: Measure, assignments: Callable[[], Assignments], side: Side | None = None) -> None:
        groups.setdefault((key, side), _Group(assignments, side)).measures.append(measure)

    for measure in measures:
        response, k = measure.response(run.hits.policy), measure.k
        levels = scale.levels
        if measure.ignores_degrees:
            # A document that is not relevant to the measure can be one that keeps its query from being left out.
            is_kept_by_less = _skips(run, measure) and measure.threshold > scale.lowest
            levels = (scale.lowest, scale.highest) if is_kept_by_less else (scale.highest,)
        if response == "ends" and _skips(run, measure):
            put(("one", scale.lowest), measure, partial(one_relevant, run, scale.lowest, scale.highest))
        elif response == "ends":
            put(response, measure, partial(ends, run, scale.highest))
        elif response == "exchanges":
            for side in SIDES:
                put(response, measure, partial(grids, run, scale.highest, side), side)
        elif levels is None:
            put("none", measure, partial(_nothing, run))
        elif response == "shares":
            # A query without a relevant document may have no value. A single one, even a missed one, is then the best.
            singles = {scale.lowest, scale.highest} if run.hits.policy.no_relevant != "zero" else ()
            for single in singles:
                put(("one", single), measure, partial(one_relevant, run, single, scale.highest))
            for side in SIDES:
                is_easy = measure.ignores_degrees or (side == "worst" and measure.grades.lowest_at_ends)
                used = levels[-1:] if is_easy else levels
                most = FEW if is_easy and measure.grades.separable else MOST
                put((k, used, most), measure, partial(staircases, run, used, k, side, most=most), side)
        else:
            put(levels, measure, partial(every_assignment, run, (0.0, *levels)))
    return list(groups.values())


def _skips(run: OpenRun, measure: Measure) -> bool:
    """True if queries without a relevant document are left out, though the measure has a value for them."""
    return run.hits.policy.no_relevant == "skip" and not measure.metric.wants_relevant


def _nothing(run: OpenRun) -> Assignments:
    """No assignment: only queries without open documents are known."""
    return Assignments(iter([run.grade]), run.open_counts == 0, 1)


def _widen(run: OpenRun, measure: Measure, extreme: Extremes, low: Bools, high: Bools, scale: Scale) -> None:
    """Bounds of queries with too many assignments: those of the sum over those of the norm, else the span."""
    which = {"low": low, "high": high}
    if not (low | high).any():
        return
    limits = dict(zip(which, _span(run, measure), strict=True))
    is_zero_without_relevant = run.hits.policy.no_relevant == "zero"
    if measure.response(run.hits.policy) == "shares" and measure.grades.separable and is_zero_without_relevant:
        for side in SIDES if measure.ignores_degrees else SIDES[1:]:
            end = _end(side, measure)
            if which[end].any():
                least, most = _quotients(run, measure, scale, side)
                if run.hits.policy.undefined == "zero" and not measure.higher_is_better:
                    # Relevant documents that are not in the list make 0/0 of some values, whatever is in it.
                    least = np.minimum(least, 0.0)
                limits[end] = np.minimum(limits[end], most) if end == "high" else np.maximum(limits[end], least)
    extreme.low = np.where(low, limits["low"], extreme.low)
    extreme.high = np.where(high, limits["high"], extreme.high)
    extreme.is_optional |= (low | high) & _can_be_undefined(run, measure, scale)


def _span(run: OpenRun, measure: Measure) -> tuple[Floats, Floats]:
    """The limits of the measure, and of what the policy gives in place of its value."""
    low, high = measure.metric.span
    if measure.grades.exceeds_span:
        high = np.inf
    policy = run.hits.policy
    if policy.undefined == "zero" or measure.higher_is_better:
        low, high = min(low, 0.0), max(high, 0.0)
    if policy.no_relevant == "one" and measure.metric.wants_relevant:
        low, high = min(low, 1.0), max(high, 1.0)
    return np.full(len(run), low), np.full(len(run), high)


def _can_be_undefined(run: OpenRun, measure: Measure, scale: Scale) -> Bools:
    """True if the value of a query can be undefined, as far as the ends show; for free measures they do not."""
    if not measure.metric.wants_relevant or measure.response(run.hits.policy) == "free":
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
    return np.concatenate([part.sums for part in parts]), np.concatenate([part.norms for part in parts])
