"""Batches of tensors in, the means of measures out, under keys that Lightning and experiment trackers take."""

from __future__ import annotations

from typing import Any

import numpy as np

from rankgold.accepted import Array, Measures
from rankgold.accumulator import Accumulator
from rankgold.errors import DataError, listing
from rankgold.matching.arrays import from_arrays
from rankgold.policy import Policy


class BatchMetrics:
    """Measures of batches with the methods of torchmetrics: `update`, `compute`, `reset`; and `merge`.

    Tensors may be on any device and need gradients: they are detached and copied. Only sums are kept, so a query must
    be in one batch.

    >>> metrics = BatchMetrics(["ndcg@10", "rr"])
    >>> metrics.update([[0.9, 0.2, 0.5]], [[0, 0, 1]])
    >>> metrics.update([0.3, 0.8, 0.1], [1, 0, 1], indexes=[7, 7, 8])
    >>> metrics.compute()
    {'ndcg_at_10': 0.7539531690476383, 'rr': 0.6666666666666666}
    """

    def __init__(self, measures: Measures | None = None, policy: Policy | str | None = None) -> None:
        self._given = measures, Policy.of(policy)
        self.reset()

    def reset(self) -> None:
        """Forgets all batches, for the next epoch."""
        self._sums = Accumulator(*self._given)
        self._seen: set[Any] = set()

    def update(self, preds: Array, target: Array, indexes: Array | None = None, *, mask: Array | None = None) -> None:
        """Adds a batch: a query in each row; or flat, with the query of each document in `indexes`.

        In rows, a cell where `mask` is false holds no document.
        """
        scores, grades = _array(preds), _array(target)
        if indexes is None and scores.ndim < 2:
            raise DataError("preds are flat. Pass indexes= with the query of each document, or a row for each query.")
        queries, seen = _array(indexes), set()
        if indexes is not None:
            if mask is not None:
                raise DataError("mask needs a query in each row. With flat tensors, leave the documents out.")
            seen = set(queries.ravel().tolist())
            if repeated := seen & self._seen:
                raise DataError(
                    f"these queries were in an earlier batch: {listing(sorted(repeated), 3)}. A query must be in one"
                    " batch; call reset() before the next epoch."
                )
        self._sums.update(from_arrays(grades, scores, None, _array(mask), queries, policy=self._sums.policy))
        self._seen |= seen

    def compute(self) -> dict[str, float]:
        """The means of all batches since the last reset."""
        return self._sums.scores().to_metrics()

    def merge(self, other: BatchMetrics) -> None:
        """Adds the batches of another process: metrics can be pickled and sent."""
        if repeated := self._seen & other._seen:
            raise DataError(f"both have these queries: {listing(sorted(repeated), 3)}. Each query is added once.")
        self._sums.merge(other._sums)
        self._seen |= other._seen


def _array(given: object) -> Any:
    """A tensor as an array, wherever it is; anything else as it is."""
    if given is None:
        return None
    if not hasattr(given, "detach"):
        return np.asarray(given)
    tensor = given.detach().cpu()
    # NumPy has no 16-bit floats of this kind.
    return np.asarray(tensor.float() if "bfloat16" in str(tensor.dtype) else tensor)
