"""Tries conventions and keeps those that give the number."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from itertools import combinations

import numpy as np

from rankgold.audit.conventions import Candidate, Convention, Deviation, single_deviations
from rankgold.audit.outcomes import ConventionOutcome, SharedRankings, outcomes_of
from rankgold.audit.reconciliation_result import Distinction, Reconciliation, described_match
from rankgold.audit.target_numbers import GivenNumber, Target, read_per_query
from rankgold.core.dialects import names_of_dialects, table_of
from rankgold.core.errors import DataError, MeasureError, RankgoldError, brief
from rankgold.core.policy import PRESETS
from rankgold.core.segments import Ints
from rankgold.engines.request import Request
from rankgold.measures.metric import Measure
from rankgold.measures.notation import parse_in_dialect
from rankgold.scoring import explain
from rankgold.scoring.explanation import Explanation


def of_dialects(text: str | Measure) -> Iterator[Candidate]:
    """The measure as each tool means it."""
    for name in names_of_dialects():
        try:
            measure = parse_in_dialect(text, name)
        except MeasureError:
            continue
        if name != "rankgold" and measure.metric.name not in table_of(name).measures.split():
            continue
        yield Candidate(Convention(measure, PRESETS[name].taking_repeats()), dialect=name)


def possible_deviations(base: Convention, rankings: SharedRankings) -> list[Deviation]:
    """The single deviations that can matter on the data, alone or combined."""
    hits = rankings.hits(base)
    notes = hits.notes
    idle: set[tuple[str, str] | str] = set()
    if not notes.without_ranking:
        idle.add("missing")
    if not notes.without_judgements:
        idle.add("unjudged queries")
    if not notes.unjudged:
        idle.add("unjudged")
    if not rankings.has_repeats:
        idle.add("duplicates")
    if not rankings.has_numeric_ids:
        idle.add("ids")
    if not rankings.count_ties(32):
        idle |= {"ties", "score_bits"}
    elif rankings.count_ties(64) == rankings.count_ties(32):
        idle.add("score_bits")
    if rankings.is_in_order(base):
        idle.add(("order", "file"))
    grades = np.unique(hits.ideal.whole.grade).tolist()
    return [
        deviation
        for deviation in single_deviations(base, grades)
        if deviation.axis not in idle and (deviation.axis, deviation.choice) not in idle
    ]


def of_deviations(base: Candidate, deviations: list[Deviation], count: int) -> Iterator[Candidate]:
    """The convention with this many deviations on different axes."""
    for chosen in combinations(deviations, count):
        if len({deviation.axis for deviation in chosen}) < count:
            continue
        convention = base.convention
        try:
            for deviation in chosen:
                convention = deviation.change(convention)
        except MeasureError:
            continue
        yield Candidate(convention, (*base.deviations, *chosen), base.dialect)


def distinct(candidates: Iterable[Candidate], known: Iterable[Candidate] = ()) -> list[Candidate]:
    """The distinct candidates; a dialect is kept beside an equal convention."""
    seen = {(candidate.convention, candidate.dialect) for candidate in known}
    kept = []
    for candidate in candidates:
        key = (candidate.convention, candidate.dialect)
        if key not in seen:
            seen.add(key)
            kept.append(candidate)
    return kept


def tell_apart(
    named: Sequence[tuple[ConventionOutcome, str]], target: Target, rankings: SharedRankings
) -> Distinction | None:
    """The first convention against the next one that differs from it in a query. `named` has outcomes with names."""
    first, first_name = named[0]
    for second, second_name in named[1:]:
        at = _first_difference(first, second, target.at)
        if at is None:
            continue
        query = rankings.queries[at]
        return Distinction(
            query=str(query),
            conventions=(first_name, second_name),
            values=(float(first.values[at]), float(second.values[at])),
            given=next(iter(target.values[target.at == at].tolist()), None),
            workings=(_working(first, query, rankings), _working(second, query, rankings)),
        )
    return None


def _first_difference(first: ConventionOutcome, second: ConventionOutcome, given_at: Ints) -> int | None:
    """The place of the first query with two values: among the queries with a given value, if there are any."""
    differs = first.differs(second)
    places = given_at[differs[given_at]] if len(given_at) else np.flatnonzero(differs)
    return int(places[0]) if len(places) else None


def _working(outcome: ConventionOutcome, query: object, rankings: SharedRankings) -> Explanation | None:
    convention = outcome.candidate.convention
    try:
        return explain(rankings.hits(convention), measure=convention.measure, query=query)
    except RankgoldError:
        return None


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
