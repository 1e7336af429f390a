"""A measure and the pools of CatBoost in, a metric for CatBoost out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.declaration.metric import Measure, Metric
from rankgold.errors import DataError
from rankgold.integrations.query_mean import QueryMean
from rankgold.kernels.segments import Floats, Ints
from rankgold.policy import Policy

if TYPE_CHECKING:
    from catboost import Pool


class CatboostMetric:
    """A mean over queries with the methods that CatBoost calls.

    CatBoost does not say which documents are of one query. So the metric gets the pools beforehand, and recognises each
    by its labels.
    """

    no_jit = True  # CatBoost would try to compile it with Numba, and warn that it cannot

    def __init__(self, mean: QueryMean, pools: Sequence[tuple[Floats, Ints]]) -> None:
        self.mean = mean
        self.pools = pools

    def is_max_optimal(self) -> bool:
        return self.mean.higher_is_better

    def evaluate(self, approxes: Sequence[Floats], target: Floats, weight: Floats | None) -> tuple[float, float]:
        for labels, groups in self.pools:
            if np.array_equal(labels, target):
                return self.mean(labels, approxes[0], groups=groups), 1.0
        raise DataError(
            f"CatBoost evaluates {len(target)} documents that are not those of a pool given to catboost_metric."
            " Pass it the pools for training and for evaluation."
        )

    def get_final_error(self, error: float, weight: float) -> float:
        return error

    def __reduce__(self) -> tuple[Any, ...]:
        return _named_metric, (self.mean, self.pools)


def catboost_metric(
    measure: str | Measure | Metric, pools: Pool | Sequence[Pool], policy: Policy | str | None = None
) -> CatboostMetric:
    """A metric for `CatBoostRanker(eval_metric=...)`; `pools` are those for training and for evaluation."""
    given = list(pools) if isinstance(pools, (list, tuple)) else [pools]
    known: list[tuple[Floats, Ints]] = []
    for pool in given:
        labels, groups = _labels_and_groups(pool)
        if any(np.array_equal(labels, others) and not np.array_equal(groups, sizes) for others, sizes in known):
            raise DataError("two pools have the same labels and different queries, so they cannot be told apart.")
        known.append((labels, groups))
    return _named_metric(QueryMean(measure, policy), known)


def _labels_and_groups(pool: Pool) -> tuple[Floats, Ints]:
    hashes = pool.get_group_id_hash()
    if hashes is None or not len(hashes):
        raise DataError("the pool has no groups. Pass group_id= with the query of each document.")
    ids = np.asarray(hashes)
    begins = np.flatnonzero(np.concatenate(([True], ids[1:] != ids[:-1])))
    # CatBoost passes labels as 32-bit floats.
    return np.asarray(pool.get_label(), dtype=np.float32), np.diff(np.append(begins, len(ids)))


def _named_metric(mean: QueryMean, pools: Sequence[tuple[Floats, Ints]]) -> CatboostMetric:
    """The metric as an instance of a class of its own, whose name is what CatBoost calls the metric."""
    made: CatboostMetric = type(mean.__name__, (CatboostMetric,), {})(mean, pools)
    return made
