"""Ranks in, fused scores out: the nearer to the top, the more a run adds."""

from __future__ import annotations

from typing import Annotated

import numpy as np

from rankgold.declaration.parameters import AtLeast, AtMost, Below
from rankgold.fusion.registry import Votes, method, total
from rankgold.kernels.segments import Floats, Ints

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
