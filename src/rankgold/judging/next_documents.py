"""Ranks unjudged documents by what a judgement would tell."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.accepted import Measures
from rankgold.core.errors import DataError, brief, check_whole_number, counted, listing, nearest
from rankgold.core.segments import Floats, Ints
from rankgold.engines.request import Request
from rankgold.judging.open_documents import LAST_RANK, NOT_RANKED, OpenRun, open_runs
from rankgold.judging.sheets import Sheet
from rankgold.measures.metric import Measure
from rankgold.measures.notation import parse_in_dialect
from rankgold.scoring.scorer import measures_by_label, values_of_queries

if TYPE_CHECKING:
    import polars


# So many documents are tried at once: the copies of their queries fit into memory.
_AT_ONCE = 5000


def supposed_values(
    request: Request, measures: Measures | None, grade: float | None, k: int | None, max_grade: float | None
) -> polars.DataFrame:
    """What each measure of a query would become with one more judgement, a row for each."""
    import polars as pl

    from rankgold.data.ids import id_series

    wanted = measures_by_label(measures, rel=request.rel, dialect=request.policy.dialect)
    frames = []
    for run in open_runs(request, max_grade=max_grade):
        rows = ranked_open_rows(run, k)
        given = run.highest if grade is None else _grade(grade)
        changed = values_if_judged(run, wanted.values(), rows, given)
        values = values_of_queries(run.hits, wanted.values())
        query = id_series([run.hits.queries[i] for i in run.query[rows].tolist()], "a query")
        document = id_series([run.documents[i] for i in rows.tolist()], "a document")
        for label, measure in wanted.items():
            now = values[measure][run.query[rows]]
            columns: dict[str, Any] = {
                "run": pl.Series([run.hits.name] * len(rows), dtype=pl.String),
                "measure": pl.Series([label] * len(rows), dtype=pl.String),
                "query": query,
                "document": document,
                "rank": run.rank[rows],
                "value": now,
                "value_if": changed[measure],
                "change": changed[measure] - now,
            }
            frames.append(pl.DataFrame(columns))
    return pl.concat(frames, how="vertical_relaxed")


def ranked_open_rows(run: OpenRun, k: int | None = None) -> Ints:
    """The open documents that a run ranks, by query and rank, down to rank k."""
    rows = run.open_rows
    return rows[run.rank[rows] <= (LAST_RANK if k is None else k)]


def values_if_judged(run: OpenRun, measures: Iterable[Measure], rows: Ints, grade: float) -> dict[Measure, Floats]:
    """For each of these documents, the value of its query if it had the grade.

    Documents that a measure cannot tell apart, since they are below its cutoff or not in the list, are tried once.
    Those that the policy drops change nothing.
    """
    wanted = list(dict.fromkeys(measures))
    counts = run.counts[rows]
    if not counts.all():
        found = {measure: now[run.query[rows]] for measure, now in values_of_queries(run.hits, wanted).items()}
        for measure, values in values_if_judged(run, wanted, rows[counts], grade).items():
            found[measure][counts] = values
        return found
    found = {}
    by_cutoff: dict[int, list[Measure]] = {}
    for measure in wanted:
        by_cutoff.setdefault(_deepest(measure, run), []).append(measure)
    for deepest, alike in by_cutoff.items():
        apart = np.where(run.rank[rows] <= deepest, rows, np.where(run.is_ranked[rows], -1, -2))
        # Each query with each document that is told apart, and with one that stands for all others of its kind.
        _, first, which = np.unique(np.stack((run.query[rows], apart)), axis=1, return_index=True, return_inverse=True)
        for measure, values in _values_one_by_one(run, alike, rows[first], grade).items():
            found[measure] = values[which.reshape(-1)]
    return found


def _deepest(measure: Measure, run: OpenRun) -> int:
    """The deepest rank at which documents still differ."""
    if measure.k is None or measure.response(run.hits.policy) == "free":
        return LAST_RANK
    return measure.k


def _values_one_by_one(run: OpenRun, measures: Sequence[Measure], rows: Ints, grade: float) -> dict[Measure, Floats]:
    """The values with each document in turn. Each makes a query of its own, and many are measured at once."""
    found: dict[Measure, Floats] = {measure: np.full(len(rows), np.nan) for measure in measures}
    for first in range(0, len(rows), _AT_ONCE):
        part = slice(first, first + _AT_ONCE)
        for measure, values in values_of_queries(run.judged_one_by_one(rows[part], grade), measures).items():
            found[measure][part] = values
    return found


def _grade(grade: object) -> float:
    if isinstance(grade, bool) or not isinstance(grade, (int, float)) or not np.isfinite(grade):
        raise DataError(f"grade must be a number, not {brief(grade)}.")
    return float(grade)


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
