"""Fuses by scores, ranks, votes, or what places were worth in training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated

import numpy as np

from rankgold.core.segments import Floats, Ints
from rankgold.fusion.registry import JudgedRun, Votes, method, total
from rankgold.judging.candidates import CandidateRun, Candidates
from rankgold.measures.parameters import AtLeast, AtMost, Below

Power = Annotated[float, AtLeast(0), "the power of the number of runs"]


def _counts(votes: Votes) -> Ints:
    """The number of runs that have a score for each candidate."""
    return np.asarray(np.count_nonzero(~np.isnan(votes.scores), axis=0))


def _weighted(votes: Votes) -> Floats:
    return total(votes.scores * votes.weights[:, None])


@method("combsum", "sum", "comb_sum")
def comb_sum(votes: Votes) -> Floats:
    """The sum of the scores. Fox and Shaw 1994."""
    return total(votes.scores)


@method("combmnz", "mnz", "comb_mnz")
def comb_mnz(votes: Votes) -> Floats:
    """The sum of the scores, times the number of runs that rank the document. Fox and Shaw 1994."""
    return total(votes.scores) * _counts(votes)


@method("combanz", "anz", "comb_anz")
def comb_anz(votes: Votes) -> Floats:
    """The mean score in the runs that rank the document. Fox and Shaw 1994."""
    return total(votes.scores) / _counts(votes)


@method("combmin", "min", "comb_min")
def comb_min(votes: Votes) -> Floats:
    """The lowest score in the runs that rank the document. Fox and Shaw 1994."""
    return np.asarray(np.fmin.reduce(votes.scores, axis=0))


@method("combmax", "max", "comb_max")
def comb_max(votes: Votes) -> Floats:
    """The highest score in the runs that rank the document. Fox and Shaw 1994."""
    return np.asarray(np.fmax.reduce(votes.scores, axis=0))


@method("combmed", "med", "comb_med")
def comb_med(votes: Votes) -> Floats:
    """The median score in the runs that rank the document. Fox and Shaw 1994."""
    ordered, counts = np.sort(votes.scores, axis=0), _counts(votes)  # NaN is last
    middle = [np.take_along_axis(ordered, at[None], axis=0)[0] for at in ((counts - 1) // 2, counts // 2)]
    return np.asarray((middle[0] + middle[1]) / 2)


@method("combgmnz", "gmnz", "comb_gmnz")
def comb_gmnz(votes: Votes, *, gamma: Power = 1.0) -> Floats:
    """The sum of the scores, times a power of the number of runs that rank the document. Lee 1997."""
    return total(votes.scores) * _counts(votes) ** float(gamma)


@method("wsum", "weighted_sum", is_weighted=True)
def weighted_sum(votes: Votes) -> Floats:
    """The sum of the scores, each times the weight of its run. Vogt and Cottrell 1999."""
    return _weighted(votes)


@method("wmnz", "weighted_mnz", is_weighted=True)
def weighted_mnz(votes: Votes) -> Floats:
    """The sum of the scores, times the sum of the weights of the runs that rank the document. Wu and Crestani 2002."""
    return total(votes.scores) * total(np.where(np.isnan(votes.scores), 0.0, votes.weights[:, None]))


@method("mixed", is_weighted=True)
def mixed(votes: Votes) -> Floats:
    """The weighted sum, times the root of the number of runs that rank the document. Wu and Crestani 2002."""
    return _weighted(votes) * np.sqrt(_counts(votes))


Offset = Annotated[float, AtLeast(0), "how little the first ranks stand out"]
Persistence = Annotated[float, AtLeast(0), Below(1), "the probability that a reader continues to the next document"]
Share = Annotated[float, AtLeast(0), AtMost(1), "what keeps a document of one run above 0"]


def _inverse_squares(votes: Votes) -> tuple[Floats, Ints]:
    """The sum of 1 / rank ** 2, and the number of runs, of each candidate."""
    return total(votes.of_ranks(lambda rank: 1.0 / np.square(rank))), votes.candidates.counts()


@method("rrf", "reciprocal_rank_fusion", needs="ranks")
def reciprocal_rank_fusion(votes: Votes, *, k: Offset = 60) -> Floats:
    """The sum of 1 / (k + rank). Cormack, Clarke and Buettcher 2009."""
    return total(votes.of_ranks(lambda rank: 1.0 / (k + rank)))


@method("isr", "inverse_square_rank", needs="ranks")
def inverse_square_rank(votes: Votes) -> Floats:
    """The sum of 1 / rank^2, times the number of runs that rank the document. Mourao, Martins and Magalhaes 2015."""
    sums, counts = _inverse_squares(votes)
    return sums * counts


@method("logisr", "log_isr", needs="ranks")
def log_inverse_square_rank(votes: Votes) -> Floats:
    """The sum of 1 / rank^2, times log n, where n runs rank the document: 0 if one does. Mourao and others 2015."""
    sums, counts = _inverse_squares(votes)
    return sums * np.log(counts)


@method("lognisr", "logn_isr", needs="ranks")
def log_n_inverse_square_rank(votes: Votes, *, sigma: Share = 0.01) -> Floats:
    """The sum of 1 / rank^2, times log(n + sigma), where n runs rank the document. Mourao and others 2015."""
    sums, counts = _inverse_squares(votes)
    return np.asarray(sums * np.log(counts + sigma))


@method("rbc", "rank_biased_centroid", needs="ranks")
def rank_biased_centroid(votes: Votes, *, phi: Persistence = 0.8) -> Floats:
    """The sum of (1 - phi) phi^(rank - 1). Bailey, Moffat, Scholer and Thomas 2017."""
    return total(votes.of_ranks(lambda rank: (1 - phi) * np.power(float(phi), rank - 1)))


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
