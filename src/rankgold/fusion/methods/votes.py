"""Ranks in, fused scores out: each run votes, with points for places or with majorities between pairs of documents."""

from __future__ import annotations

import numpy as np

from rankgold.fusion.candidates import Candidates
from rankgold.fusion.registry import Votes, method, total
from rankgold.kernels.segments import Floats

# Pairs of documents that are compared at once: few enough to stay in the processor's cache.
_PAIRS = 1 << 18


def _points(candidates: Candidates) -> Floats:
    """A row for each run, a column for each candidate: n points for the first of n candidates, then one less each.

    The candidates that a run does not rank share the points that are left.
    """
    values = [run.per_row(candidates.lengths[run.query]) - (run.rank - 1.0) for run in candidates.runs]
    points = candidates.table(values, np.nan)
    for line, run in zip(points, candidates.runs, strict=True):
        rest = candidates.lengths + 1.0
        rest[run.query] -= run.lengths
        np.copyto(line, (rest / 2)[candidates.query], where=np.isnan(line))
    return points


@method("borda", "bordafuse", needs="ranks")
def borda(votes: Votes) -> Floats:
    """Points of an election: n for the first of n candidates, then one less each. Aslam and Montague 2001."""
    return total(_points(votes.candidates))


@method("wborda", "w_bordafuse", "weighted_bordafuse", "weighted_borda", needs="ranks", is_weighted=True)
def weighted_borda(votes: Votes) -> Floats:
    """Points as in borda, each times the weight of its run. Aslam and Montague 2001."""
    return total(_points(votes.candidates) * votes.weights[:, None])


@method("condorcet", "condorcet_fuse", needs="ranks")
def condorcet(votes: Votes) -> Floats:
    """1 for itself, 1 for each document that most runs rank below it, 1/2 for a draw. Montague and Aslam 2002."""
    return _wins(votes.candidates, np.ones(len(votes.candidates.runs)))


@method("wcondorcet", "w_condorcet", "weighted_condorcet", needs="ranks", is_weighted=True)
def weighted_condorcet(votes: Votes) -> Floats:
    """As condorcet, where each run has as many votes as its weight. Montague and Aslam 2002."""
    return _wins(votes.candidates, votes.weights)


def _wins(candidates: Candidates, weights: Floats) -> Floats:
    """For each candidate, the pairs of its query that it wins, and half of the draws; it draws with itself."""
    ranks = candidates.table([run.rank.astype(np.float64) for run in candidates.runs], np.inf)
    wins = np.full(len(candidates.documents), 0.5)
    for start, end in zip(candidates.starts[:-1].tolist(), candidates.starts[1:].tolist(), strict=True):
        at_once = max(_PAIRS // max(end - start, 1), 1)
        for first in range(start, end, at_once):
            chosen = slice(first, min(first + at_once, end))
            lead = np.zeros((chosen.stop - first, end - start))
            for line, weight in zip(ranks, weights.tolist(), strict=True):
                lead += weight * np.sign(_difference(line[start:end], line[chosen, None]))
            wins[chosen] += np.count_nonzero(lead > _EVEN, axis=1) + np.count_nonzero(np.abs(lead) <= _EVEN, axis=1) / 2
    return wins


# Weights such as 0.1 + 0.2 and 0.3 differ in the last bit, and are a draw.
_EVEN = 1e-12


def _difference(others: Floats, ranks: Floats) -> Floats:
    """How far each rank is above the others. Two documents that are not ranked are not apart."""
    with np.errstate(invalid="ignore"):
        return np.nan_to_num(others - ranks, nan=0.0)
