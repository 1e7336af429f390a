"""Grades and scores of documents in, the mean of a measure over their queries out."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np

from rankgold.declaration.dialect_measures import parse_in_dialect
from rankgold.declaration.metric import Measure, Metric
from rankgold.errors import DataError
from rankgold.matching.arrays import from_arrays
from rankgold.policy import Policy
from rankgold.scoring import evaluate
from rankgold.scoring.metric_keys import metric_key

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


@dataclass(frozen=True)
class QueryMean:
    """The mean of a measure over queries, as a function of grades and scores: `make_scorer` and others take it.

    `qid` holds the query of each document, in any order. In its place, `y_true` may be a pandas Series whose index is
    the query. Or `groups` holds the number of documents of each query, if they stand together.

    >>> QueryMean("rr")([0, 1, 1, 0], [0.3, 0.2, 0.9, 0.1], qid=[7, 7, 8, 8])
    0.75
    >>> QueryMean("rr@10").__name__, QueryMean("frp@10").higher_is_better
    ('rr_at_10', False)
    """

    measure: str | Measure | Metric
    policy: Policy | str | None = None
    parsed: Measure = field(init=False, repr=False)

    def __post_init__(self) -> None:
        policy = Policy.of(self.policy)
        object.__setattr__(self, "policy", policy)
        object.__setattr__(self, "parsed", parse_in_dialect(self.measure, policy.dialect))

    @property
    def __name__(self) -> str:
        return metric_key(self.measure if isinstance(self.measure, str) else str(self.parsed))

    @property
    def higher_is_better(self) -> bool:
        return self.parsed.higher_is_better

    def __call__(
        self, y_true: ArrayLike, y_score: ArrayLike, *, qid: ArrayLike | None = None, groups: ArrayLike | None = None
    ) -> float:
        if np.ndim(y_score) == 2 and np.ndim(y_true) == 1:
            raise DataError(
                "y_score has several columns, such as one for each class. A ranking needs one number for each document:"
                " rank by the score of a regression, or by the expected grade."
            )
        if groups is None:
            # Arrays are paired by position, whatever the index of a pandas object.
            qid = np.asarray(_index_of(y_true) if qid is None else qid)
            y_true, y_score = np.asarray(y_true), np.asarray(y_score)
        hits = from_arrays(y_true, y_score, groups, qid=qid, policy=self.policy)
        return float(evaluate(hits, self.parsed)[self.parsed])


def _index_of(y_true: ArrayLike) -> ArrayLike:
    """The index of a pandas Series, if it may hold queries: the numbers of the rows do not."""
    index = getattr(y_true, "index", None)
    if index is None or callable(index) or type(index).__name__ == "RangeIndex":
        raise DataError(
            "which document belongs to which query? Pass qid= with the query of each document, or y_true as a pandas"
            " Series whose index is the query."
        )
    queries: ArrayLike = index
    return queries
