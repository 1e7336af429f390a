"""Normalised scores in, fused scores out: sums and their like."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.declaration.parameters import AtLeast
from rankgold.fusion.registry import Votes, method, total
from rankgold.kernels.segments import Floats, Ints

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
