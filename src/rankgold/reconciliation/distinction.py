"""Two conventions in, the first query that tells them apart out, worked out under both."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rankgold.errors import RankgoldError
from rankgold.explanation import Explanation
from rankgold.kernels.segments import Ints
from rankgold.reconciliation.outcomes import ConventionOutcome
from rankgold.reconciliation.result import Distinction
from rankgold.reconciliation.shared_rankings import SharedRankings
from rankgold.reconciliation.target import Target
from rankgold.scoring import explain


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
