"""Two conventions in, the first query that tells them apart out, worked out under both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankgold.errors import RankgoldError
from rankgold.explanation import Explanation, explain
from rankgold.kernels.segments import Floats, Ints
from rankgold.reconciliation.outcomes import ConventionOutcome
from rankgold.reconciliation.result import Distinction, Match
from rankgold.reconciliation.shared_rankings import SharedRankings


def tell_apart(
    best: Sequence[list[ConventionOutcome]],
    described: Sequence[Match],
    as_written: ConventionOutcome,
    given_at: Ints,
    given: Floats,
    rankings: SharedRankings,
) -> Distinction | None:
    """The best convention against the next one that differs in a query, else against the measure as it was written."""
    pairs = [(group[0], match.convention) for group, match in zip(best, described, strict=True)]
    first, others = pairs[0], [*pairs[1:], (as_written, "as written")]
    for second in others:
        at = _first_difference(first[0], second[0], given_at)
        if at is None:
            continue
        known = np.flatnonzero(given_at == at)
        query = rankings.queries[at]
        return Distinction(
            query=str(query),
            conventions=(first[1], second[1]),
            values=(float(first[0].values[at]), float(second[0].values[at])),
            given=float(given[known[0]]) if len(known) else None,
            workings=(_working(first[0], query, rankings), _working(second[0], query, rankings)),
        )
    return None


def _first_difference(first: ConventionOutcome, second: ConventionOutcome, given_at: Ints) -> int | None:
    same = np.isclose(first.values, second.values, rtol=0, atol=1e-12, equal_nan=True)
    places = given_at[~same[given_at]] if len(given_at) else np.flatnonzero(~same)
    return int(places[0]) if len(places) else None


def _working(outcome: ConventionOutcome, query: object, rankings: SharedRankings) -> Explanation | None:
    convention = outcome.candidate.convention
    try:
        return explain(rankings.hits(convention), measure=convention.measure, query=query)
    except RankgoldError:
        return None
