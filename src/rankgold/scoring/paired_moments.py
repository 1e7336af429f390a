"""The scores of two runs in, the differences between their queries out, as sums without rounding."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from rankgold.kernels.exact_sums import Moments

if TYPE_CHECKING:
    from rankgold.scoring.run_scores import RunScores

PairMoments = dict[tuple[str, str], dict[str, Moments]]
"""Two runs -> label -> the sums of the values of the first less those of the second, query by query."""


class Difference(NamedTuple):
    """The values of one run minus those of another, query by query."""

    mean: float
    variance: float
    """The sample variance of the differences; NaN for fewer than two."""
    queries: int
    """How many queries have a value in both runs."""


def difference_moments(first: RunScores, second: RunScores) -> dict[str, Moments]:
    """Label -> the sums of the differences over the queries that both runs have."""
    if list(first.queries) == list(second.queries):
        return {label: Moments.of(values - second.values[label]) for label, values in first.values.items()}
    place = {str(query): i for i, query in enumerate(second.queries)}
    shared = [(i, place[str(query)]) for i, query in enumerate(first.queries) if str(query) in place]
    rows, other_rows = np.array(shared, dtype=np.int64).reshape(-1, 2).T
    return {
        label: Moments.of(values[rows] - second.values[label][other_rows]) for label, values in first.values.items()
    }
