"""Conventions in, their outcomes out: the value of each judged query, and the number for all of them."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from rankgold.declaration.metric import GEOMETRIC_MEAN, SUM, Measure
from rankgold.declaration.open_cases import Outcome
from rankgold.errors import RankgoldError
from rankgold.hits import Hits
from rankgold.kernels.segments import Bools, Floats
from rankgold.reconciliation.convention import Candidate, Convention
from rankgold.reconciliation.shared_rankings import SharedRankings
from rankgold.scoring.values import decide_all


@dataclass(frozen=True, slots=True, eq=False)
class ConventionOutcome:
    """The result of a convention on the data."""

    candidate: Candidate
    values: Floats
    """Of all judged queries; NaN for those that are left out or undefined."""
    number: float

    @property
    def fingerprint(self) -> bytes:
        """A key that is equal for conventions with equal values and number."""
        exact = np.concatenate((self.values, [self.number]))
        return np.round(np.nan_to_num(exact, nan=-1.0), 11).tobytes()

    def differs(self, other: ConventionOutcome) -> Bools:
        """The queries that differ between the outcomes, or are left out of only one."""
        return ~np.isclose(self.values, other.values, rtol=0, atol=1e-12, equal_nan=True)


def outcomes_of(candidates: Iterable[Candidate], rankings: SharedRankings) -> list[ConventionOutcome]:
    """The outcomes of the conventions that are possible on the data.

    Conventions that share a ranking and the decisions of open cases are evaluated together.
    """
    shared: dict[tuple[object, ...], list[Candidate]] = {}
    for candidate in candidates:
        policy = candidate.convention.policy
        key = (candidate.convention.ranking, policy.no_relevant, policy.undefined)
        shared.setdefault(key, []).append(candidate)
    return [outcome for group in shared.values() for outcome in _of_one_ranking(group, rankings)]


def _of_one_ranking(group: list[Candidate], rankings: SharedRankings) -> list[ConventionOutcome]:
    measures = list(dict.fromkeys(candidate.convention.measure for candidate in group))
    try:
        hits = rankings.hits(group[0].convention)
        decided = _decided(hits, measures)
    except RankgoldError:
        return []
    outcomes = []
    kept: dict[str, Bools] = {}
    for candidate in group:
        convention = candidate.convention
        if convention.measure not in decided:
            continue
        if convention.policy.missing not in kept:
            kept[convention.policy.missing] = rankings.hits(convention).kept
        values = np.where(kept[convention.policy.missing], decided[convention.measure].values, np.nan)
        outcomes.append(ConventionOutcome(candidate, values, _number(values, convention, rankings)))
    return outcomes


def _decided(hits: Hits, measures: list[Measure]) -> dict[Measure, Outcome]:
    """The outcome of each measure that is possible."""
    try:
        return decide_all(hits, measures)
    except RankgoldError:
        decided: dict[Measure, Outcome] = {}
        for measure in measures:
            try:
                decided |= decide_all(hits, [measure])
            except RankgoldError:
                continue
        return decided


def _number(values: Floats, convention: Convention, rankings: SharedRankings) -> float:
    known = values[~np.isnan(values)]
    summary = convention.summary
    if summary == "pooled":
        return _pooled(convention, rankings, ~np.isnan(values))
    if not len(known):
        return math.nan
    if summary == "median":
        return float(np.median(known))
    if summary == "geometric mean":
        return GEOMETRIC_MEAN(known)
    if summary == "sum":
        return SUM(known)
    if summary == "above zero":
        known = known[known > 0]
        return float(known.mean()) if len(known) else math.nan
    if convention.unjudged_queries_count:
        extra = len(rankings.hits(convention).notes.without_judgements)
        return math.fsum(known) / (len(known) + extra)
    return convention.measure.metric.aggregate(known)


def _pooled(convention: Convention, rankings: SharedRankings, which: Bools) -> float:
    derived = convention.measure(rankings.hits(convention))
    total = float(derived.norms[which].sum())
    return float(derived.sums[which].sum()) / total if total else math.nan
