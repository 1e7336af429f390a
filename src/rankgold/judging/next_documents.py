"""Judgements and runs in, the unjudged documents whose judgement says most about the runs out."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import TYPE_CHECKING

import numpy as np

from rankgold.declaration.dialect_measures import parse_in_dialect
from rankgold.engines.request import Request
from rankgold.errors import DataError, check_whole_number, counted, listing, nearest
from rankgold.judging.judged_values import values_if_judged
from rankgold.judging.open_documents import NOT_RANKED, OpenRun, open_runs
from rankgold.judging.sheets import Sheet
from rankgold.kernels.segments import Floats
from rankgold.scoring.values import values_of_queries

if TYPE_CHECKING:
    from rankgold.declaration.metric import Measure

# Smaller effects are rounding.
_ROUNDING = 1e-12


def next_documents(
    request: Request, measure: str | Measure, n: int, baseline: str | None, max_grade: float | None
) -> Sheet:
    """The sheet of the unjudged documents that change most."""
    n = check_whole_number("n", n, 1)
    chosen = parse_in_dialect(measure, request.policy.dialect)
    if request.rel is not None:
        chosen = chosen.relevant_from(request.rel)
    opened = open_runs(request, max_grade=max_grade)
    run, names = opened[0], [run.hits.name for run in opened]
    best_rank = np.minimum.reduce([other.rank for other in opened])
    if baseline is not None and str(baseline) not in names:
        raise DataError(f"There is no run {baseline!r}.{nearest(str(baseline), names)} There are {listing(names)}.")
    place = None if baseline is None else names.index(str(baseline))
    effect = effect_on_runs([_changes(other, chosen) for other in opened], place)
    is_open = np.logical_or.reduce([other.is_open for other in opened])
    rows = np.flatnonzero(is_open & (effect > 0) & (best_rank < NOT_RANKED))
    rows = rows[np.lexsort((rows, best_rank[rows], -effect[rows]))][:n]
    return Sheet.of(
        [run.hits.queries[i] for i in run.query[rows].tolist()],
        [run.documents[i] for i in rows.tolist()],
        {"effect": effect[rows], "rank": best_rank[rows]},
        about=_about(names, chosen, int(np.count_nonzero(is_open))),
    )


def _about(names: Sequence[str], measure: Measure, unjudged: int) -> str:
    what = f"{'the differences between' if len(names) > 1 else 'the value of'} {listing(names, 5)}"
    return f"effect: how much {what} in {measure} of the query can change; not judged: {counted(unjudged, 'document')}"


def effect_on_runs(changes: Sequence[Floats], baseline: int | None = None) -> Floats:
    """How much changed values change the differences between runs, added up over pairs.

    With a baseline, the number of a run, the pairs with it count; with one run, its own changes do.
    """
    if len(changes) == 1:
        return np.abs(changes[0])
    pairs = list(combinations(range(len(changes)), 2))
    if baseline is not None:
        pairs = [pair for pair in pairs if baseline in pair]
    total: Floats = np.sum([np.abs(changes[b] - changes[a]) for a, b in pairs], axis=0)
    return np.where(total > _ROUNDING, total, 0.0)


def _changes(run: OpenRun, measure: Measure) -> Floats:
    """How much each open document changes the value of its query; 0 for all others."""
    changes = np.zeros(len(run.grade))
    rows = run.open_rows
    values = values_of_queries(run.hits, [measure])[measure][run.query[rows]]
    changed = values_if_judged(run, [measure], rows, run.highest)[measure]
    changes[rows] = np.nan_to_num(changed) - np.nan_to_num(values)
    return changes
