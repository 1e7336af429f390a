"""Makes the scores of runs comparable."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from rankgold.core.errors import FusionError, listing, nearest
from rankgold.core.segments import Floats
from rankgold.judging.candidates import CandidateRun, Candidates

NORMS = {
    "min-max": "from 0, the lowest score of the query, to 1, the highest",
    "min-max-inverted": "the same turned round, for distances: the lowest score becomes 1",
    "max": "divided by the highest score, which must be positive",
    "sum": "from 0, the lowest score, divided so that the sum is 1",
    "zmuv": "the number of standard deviations above the mean (z-score)",
    "rank": "1 for the first of n documents, then 1/n less for each rank",
    "borda": "1 for the first of all n candidates, then 1/n less; those that are not ranked share what is left",
    "none": "the scores as they are",
}
"""The normalisations with what each does. `-` and `_` are the same in their names."""

INVERTED = "min-max-inverted"


def norm_name(given: str) -> str:
    """The name of a normalisation as it is written here."""
    name = str(given).lower().replace("_", "-")
    name = {"z-score": "zmuv", "zscore": "zmuv", "minmax": "min-max"}.get(name, name)
    if name not in NORMS:
        raise FusionError(f"No norm is called {given!r}.{nearest(name, NORMS)} Norms: {listing(NORMS, 20)}.")
    return name


def normalised(candidates: Candidates, norm: str) -> Floats:
    """A row for each run, a column for each candidate: its normalised score, NaN where the run does not rank it."""
    values = [_FORMULAS[norm](run, candidates) for run in candidates.runs]
    table = candidates.table(values, np.nan)
    if norm == "borda":
        for line, run in zip(table, candidates.runs, strict=True):
            rest = _borda_of_the_rest(run, candidates)
            np.copyto(line, rest[candidates.query], where=np.isnan(line))
    return table


def _edges(run: CandidateRun) -> tuple[Floats, Floats]:
    """The lowest and highest score of the query of each row."""
    return run.per_row(_reduced(np.minimum, run.score, run)), run.per_row(_reduced(np.maximum, run.score, run))


def _divided(dividend: Floats, divisor: Floats) -> Floats:
    """The quotients; 0 where all scores of a query are the same, and the divisor is 0."""
    return np.divide(dividend, divisor, out=np.zeros_like(dividend), where=divisor != 0)


def _min_max(run: CandidateRun, _: Candidates) -> Floats:
    low, high = _edges(run)
    return _divided(run.score - low, high - low)


def _min_max_inverted(run: CandidateRun, _: Candidates) -> Floats:
    low, high = _edges(run)
    return _divided(high - run.score, high - low)


def _max(run: CandidateRun, candidates: Candidates) -> Floats:
    low, high = _edges(run)
    wrong = (high <= 0) & (low < 0)
    if wrong.any():
        row = int(wrong.argmax())
        query = candidates.queries[int(run.per_row(run.query)[row])]
        raise FusionError(
            f"norm=max needs a highest score above 0, and that of query {query!r} in run {run.name!r} is {high[row]:g}."
            " Use min-max or rank."
        )
    return _divided(run.score, high)


def _sum(run: CandidateRun, _: Candidates) -> Floats:
    low, high = _edges(run)
    above = run.score - low
    total = run.per_row(_reduced(np.add, above, run))
    return _divided(above, np.where(high > low, total, 0.0))


def _zmuv(run: CandidateRun, _: Candidates) -> Floats:
    low, high = _edges(run)
    length = np.maximum(run.lengths, 1)
    apart = run.score - run.per_row(_reduced(np.add, run.score, run) / length)
    deviation = run.per_row(np.sqrt(_reduced(np.add, apart**2, run) / length))
    return _divided(apart, np.where(high > low, deviation, 0.0))


def _reduced(function: np.ufunc, values: Floats, run: CandidateRun) -> Floats:
    """The lowest, the highest or the sum of the values of each group of rows; 0 of a group without rows."""
    filled = run.lengths > 0
    reduced = np.zeros(len(run.query))
    if filled.any():
        reduced[filled] = function.reduceat(values, run.starts[:-1][filled])
    return reduced


def _rank(run: CandidateRun, _: Candidates) -> Floats:
    return np.asarray(1 - (run.rank - 1) / run.per_row(run.lengths))


def _borda(run: CandidateRun, candidates: Candidates) -> Floats:
    return np.asarray(1 - (run.rank - 1) / run.per_row(candidates.lengths[run.query]))


def _borda_of_the_rest(run: CandidateRun, candidates: Candidates) -> Floats:
    """The score, per query, of candidates that the run does not rank."""
    ranked = np.zeros(len(candidates.queries))
    ranked[run.query] = run.lengths
    share: Floats = 0.5 - (ranked - 1) / (2 * np.maximum(candidates.lengths, 1))
    return share


_FORMULAS: dict[str, Callable[[CandidateRun, Candidates], Floats]] = {
    "min-max": _min_max,
    "min-max-inverted": _min_max_inverted,
    "max": _max,
    "sum": _sum,
    "zmuv": _zmuv,
    "rank": _rank,
    "borda": _borda,
    "none": lambda run, _: run.score,
}
