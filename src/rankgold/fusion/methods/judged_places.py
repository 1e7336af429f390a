"""Judgements of training queries and ranks in, fused scores out: a place counts as much as it was worth in training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np

from rankgold.declaration.parameters import AtLeast
from rankgold.fusion.candidates import CandidateRun
from rankgold.fusion.registry import Votes, method, total
from rankgold.fusion.training import JudgedRun
from rankgold.kernels.segments import Floats, Ints

Segments = Annotated[int, AtLeast(1), "into how many parts of the same length a list is cut"]
Window = Annotated[int, AtLeast(0), "how many ranks above and below count too"]

_BAYES_EDGES = np.array([0, 5, 10, 15, 20, 30, 100, 200, 500, 1000])
_SEGMENT_EDGES = np.array([0, *(10 * 2**part - 5 for part in range(10))])
_LEAST = 0.001
"""The chance of relevance where no relevant document was seen, and what is left where all were relevant."""


def _table(votes: Votes, value: Callable[[CandidateRun, JudgedRun], Floats], absent: float = 0.0) -> Floats:
    pairs = zip(votes.candidates.runs, votes.training, strict=True)
    return votes.candidates.table([value(run, training) for run, training in pairs], absent)


def _at(values: Floats, places: Ints, beyond: float = 0.0) -> Floats:
    """The values at these places, from 0; `beyond` after the last."""
    return np.append(values, beyond)[np.minimum(places, len(values))]


@method("bayesfuse", "bayes", needs="ranks", learns=True)
def bayesfuse(votes: Votes) -> Floats:
    """The sum of the log odds of relevance at the rank, learned for parts of the list. Aslam and Montague 2001."""
    least = float(np.log(_LEAST / (1 - _LEAST)))

    def log_odds(run: CandidateRun, training: JudgedRun) -> Floats:
        chance = training.precision_between(_BAYES_EDGES)
        chance = np.where(chance == 0, _LEAST, chance)
        odds = np.log(chance / np.where(chance == 1, _LEAST, 1 - chance))
        return _at(odds, np.searchsorted(_BAYES_EDGES, run.rank) - 1, least)

    return total(_table(votes, log_odds, least))


@method("mapfuse", needs="ranks", learns=True)
def mapfuse(votes: Votes) -> Floats:
    """The sum of MAP / rank, with the mean average precision of each run in training. Lillis and others 2010."""
    return total(_table(votes, lambda run, training: np.nanmean(training.average_precision) / run.rank))


@method("posfuse", needs="ranks", learns=True)
def posfuse(votes: Votes) -> Floats:
    """The sum of the chances that the document at this rank is relevant. Lillis and others 2010."""
    return total(_table(votes, lambda run, training: _at(training.chances(), run.rank - 1)))


@method("probfuse", needs="ranks", learns=True)
def probfuse(votes: Votes, *, segments: Segments = 10) -> Floats:
    """The sum of the chance of relevance in the part of the list, over the part's number. Lillis and others 2006."""

    def chance_of_part(run: CandidateRun, training: JudgedRun) -> Floats:
        width = -(-training.returned // segments)[training.query]
        part = (training.rank - 1) // width
        size = np.minimum(training.returned[training.query] - part * width, width)
        chances = np.bincount(part, weights=1 / size, minlength=segments) / len(training.returned)
        part_of_row = (run.rank - 1) // run.per_row(-(-run.lengths // segments))
        return np.asarray(chances[part_of_row] / (part_of_row + 1))

    return total(_table(votes, chance_of_part))


@method("segfuse", learns=True)
def segfuse(votes: Votes) -> Floats:
    """The sum of (score + 1) times the chance of relevance in the part of the list. Shokouhi 2007."""
    chances = _table(
        votes,
        lambda run, training: _at(
            training.precision_between(_SEGMENT_EDGES), np.searchsorted(_SEGMENT_EDGES, run.rank) - 1
        ),
    )
    return total(chances * (votes.scores + 1))


@method("slidefuse", needs="ranks", learns=True)
def slidefuse(votes: Votes, *, window: Window = 5) -> Floats:
    """The sum of the chances of relevance, averaged over the ranks around it. Lillis and others 2008."""

    def mean_around(run: CandidateRun, training: JudgedRun) -> Floats:
        chances = training.chances()
        sums = np.concatenate(([0.0], np.cumsum(chances)))
        first = np.maximum(run.rank - 1 - window, 0)
        after = np.minimum(run.rank + window, run.per_row(run.lengths))
        return np.asarray((_at(sums, after, sums[-1]) - _at(sums, first, sums[-1])) / (after - first))

    return total(_table(votes, mean_around))
