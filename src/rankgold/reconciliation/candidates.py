"""A convention as it was written and the data in; all conventions to try out: dialects, one deviation, two."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import combinations

import numpy as np

from rankgold.declaration.dialect_measures import parse_in_dialect
from rankgold.declaration.metric import Measure
from rankgold.dialects import names_of_dialects, table_of
from rankgold.errors import MeasureError
from rankgold.policy import PRESETS
from rankgold.reconciliation.convention import Candidate, Convention, Deviation
from rankgold.reconciliation.deviations import single_deviations
from rankgold.reconciliation.shared_rankings import SharedRankings


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
