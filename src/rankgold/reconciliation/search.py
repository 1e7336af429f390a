"""Data, a measure and a number in, a Reconciliation out: conventions are tried, and those that fit described."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial

import numpy as np

from rankgold.declaration.dialect_measures import parse_in_dialect
from rankgold.declaration.metric import Measure
from rankgold.engines.request import Request
from rankgold.errors import DataError, brief
from rankgold.reconciliation.candidates import distinct, of_deviations, of_dialects, possible_deviations
from rankgold.reconciliation.convention import Candidate, Convention
from rankgold.reconciliation.description import described_match
from rankgold.reconciliation.distinction import tell_apart
from rankgold.reconciliation.given_numbers import GivenNumber
from rankgold.reconciliation.outcomes import ConventionOutcome, outcomes_of
from rankgold.reconciliation.per_query_values import read_per_query
from rankgold.reconciliation.result import Reconciliation
from rankgold.reconciliation.shared_rankings import SharedRankings
from rankgold.reconciliation.target import Target

_SHOWN = 3


def reconciled(
    request: Request,
    measure: str | Measure,
    value: float | str | None,
    per_query: object,
    digits: int | None,
    *,
    exhaustive: bool,
) -> Reconciliation:
    """The conventions that give a number, or numbers of queries, for the data of a request."""
    if value is None and per_query is None:
        raise DataError("there is no number. Pass value=, per_query= or both.")
    request.report("reading and matching")
    decided = request.policy.taking_repeats()
    written = parse_in_dialect(measure, decided.dialect)
    if request.rel is not None:
        measure = written = written.relevant_from(request.rel)
    number = None if value is None else GivenNumber.of(value, digits)
    given = {} if per_query is None else read_per_query(per_query, written)
    rankings = SharedRankings(request)
    base = Candidate(Convention(written, decided))
    as_written = next(iter(outcomes_of([base], rankings)), None)
    if as_written is None:
        rankings.hits(base.convention)  # which says why not
        raise DataError(f"{written} has no value on these data.")
    target = Target.of(number, given, rankings.queries)
    if given and not len(target.at):
        raise DataError(f"none of the queries that have a value is judged, such as {brief(target.unknown[0])}.")
    request.report("trying conventions")
    outcomes = _tried(measure, as_written, rankings, target, exhaustive=exhaustive)
    notes: tuple[str, ...] = ()
    if written.metric.span[1] <= 1 and not any(map(target.admits, outcomes)):
        target, notes = target.as_percentages()
        if notes:
            outcomes = _tried(measure, as_written, rankings, target, exhaustive=exhaustive)
    name = measure.strip() if isinstance(measure, str) else str(written)
    return _result(name, target, outcomes, rankings, notes)


def _tried(
    measure: str | Measure,
    as_written: ConventionOutcome,
    rankings: SharedRankings,
    target: Target,
    *,
    exhaustive: bool,
) -> list[ConventionOutcome]:
    """The outcomes of dialects and single deviations; of pairs, and of dialects with a deviation, if none fits."""
    base = as_written.candidate
    deviations = possible_deviations(base.convention, rankings)
    dialects = list(of_dialects(measure))
    levels = (
        lambda: [*dialects, *of_deviations(base, deviations, 1)],
        lambda: of_deviations(base, deviations, 2),
        lambda: [found for dialect in dialects for found in of_deviations(dialect, deviations, 1)],
    )
    outcomes, known = [as_written], [base]
    for level in levels:
        new = distinct(level(), known)
        known += new
        outcomes += outcomes_of(new, rankings)
        if not exhaustive and any(map(target.admits, outcomes)):
            break
    return outcomes


def _result(
    measure: str, target: Target, outcomes: list[ConventionOutcome], rankings: SharedRankings, notes: tuple[str, ...]
) -> Reconciliation:
    as_written = outcomes[0]
    fitting = sorted(_groups(outcome for outcome in outcomes if target.admits(outcome)), key=target.order)
    near = []
    unexplained: tuple[str, ...] = ()
    if not fitting:
        nearest = sorted(outcomes, key=lambda outcome: target.distance([outcome]))[: 10 * _SHOWN]
        near = sorted(_groups(nearest), key=target.distance)[:_SHOWN]
        explained = np.any([target.agreeing(outcome) for outcome in outcomes], axis=0)
        unexplained = tuple(str(rankings.queries[at]) for at in target.at[~explained].tolist())
    described = partial(described_match, text=measure, as_written=as_written, target=target)
    matches, nearest_matches = [described(group) for group in fitting], [described(group) for group in near]
    best = zip((fitting or near)[:2], matches or nearest_matches, strict=False)
    named = [*((group[0], match.convention) for group, match in best), (as_written, "as written")]
    return Reconciliation(
        measure=measure,
        given="" if target.number is None else target.number.text,
        queries_given=len(target.at),
        as_written=described([as_written]),
        matches=matches,
        nearest=nearest_matches,
        tried=len(outcomes),
        unexplained=unexplained,
        unknown_queries=target.unknown,
        notes=notes,
        _tell_apart=partial(tell_apart, named, target, rankings),
    )


def _groups(outcomes: Iterable[ConventionOutcome]) -> list[list[ConventionOutcome]]:
    """The outcomes that are the same, together."""
    by_values: dict[bytes, list[ConventionOutcome]] = {}
    for outcome in outcomes:
        by_values.setdefault(outcome.fingerprint, []).append(outcome)
    return list(by_values.values())
