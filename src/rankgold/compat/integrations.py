"""Makes metrics for LightGBM, XGBoost, CatBoost, scikit-learn and tensors in batches.

Each takes any measure, such as `"ndcg@10"`, and a policy. It is called by the library, and tells it the name of the
measure and whether higher is better. None of these libraries is imported before it is used.

>>> import rankgold
>>> ndcg = rankgold.integrations.QueryMean("ndcg@10")
>>> ndcg([3, 0, 1, 0, 2], [0.9, 0.8, 0.7, 0.2, 0.6], qid=["q1", "q1", "q1", "q2", "q2"])
0.9819702166583266
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from rankgold.core.accepted import Array, Measures
from rankgold.core.errors import DataError, MissingDependency, listing
from rankgold.core.policy import Policy
from rankgold.core.segments import Floats, Ints
from rankgold.data.matching.arrays import from_arrays
from rankgold.measures.metric import Measure, Metric
from rankgold.measures.notation import parse_in_dialect
from rankgold.scoring import evaluate
from rankgold.scoring.accumulator import Accumulator
from rankgold.scoring.run_scores import metric_key

if TYPE_CHECKING:
    from catboost import Pool
    from lightgbm import Dataset
    from numpy.typing import ArrayLike
    from xgboost import DMatrix


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


# A classifier of two classes ranks by its decision function or probability, all others by what they predict.
_RANKED_BY = ("decision_function", "predict_proba", "predict")


def scikit_learn_scorer(measure: str | Measure | Metric, policy: Policy | str | None = None) -> Any:
    """A scorer for `GridSearchCV(scoring=...)`, `cross_validate` and all that takes `make_scorer`'s.

    It has to know the query of each document. Either `y` is a pandas Series whose index is the query. Or metadata
    routing is enabled, and the query is passed as `qid`: `search.fit(X, y, groups=qid, qid=qid)`.
    """
    try:
        import sklearn
        from sklearn.metrics import make_scorer
    except ImportError:
        raise MissingDependency("scikit-learn", "scikit-learn") from None
    mean = QueryMean(measure, policy)
    scorer = make_scorer(mean, response_method=_RANKED_BY, greater_is_better=mean.higher_is_better)
    # A request can be made only where routing is enabled. It has no effect where it is not.
    with sklearn.config_context(enable_metadata_routing=True):
        return scorer.set_score_request(qid=True)


@dataclass(frozen=True)
class LightgbmMetric:
    """A mean over queries, called by LightGBM: by `train` with the data, by its scikit-learn API with four arrays."""

    mean: QueryMean

    # LightGBM counts the parameters: with four it passes the groups.
    def __call__(
        self, first: Floats, second: Dataset, weight: Floats | None = None, group: Ints | None = None
    ) -> tuple[str, float, bool]:
        if hasattr(second, "get_label"):
            y_true, y_score, group = second.get_label(), first, second.get_group()
        else:
            y_true, y_score = first, second
        if group is None:
            raise DataError("the data of LightGBM have no groups. Pass group= with the number of documents per query.")
        return self.mean.__name__, self.mean(y_true, y_score, groups=group), self.mean.higher_is_better


def lightgbm_metric(measure: str | Measure | Metric, policy: Policy | str | None = None) -> LightgbmMetric:
    """A metric for `lightgbm.train(feval=...)`, and for `LGBMRanker.fit(eval_metric=...)`.

    For several measures pass a list of metrics.
    """
    return LightgbmMetric(QueryMean(measure, policy))


@dataclass(frozen=True)
class XgboostMetric:
    """A mean over queries, called by XGBoost: by `train` with the data, by `XGBRanker` with the arrays of one query."""

    mean: QueryMean

    @property
    def __name__(self) -> str:
        return self.mean.__name__

    @property
    def higher_is_better(self) -> bool:
        """The value for `maximize` of XGBoost's EarlyStopping, which otherwise guesses from the name."""
        return self.mean.higher_is_better

    def __call__(self, first: Floats, second: DMatrix) -> float | tuple[str, float]:
        if not hasattr(second, "get_label"):
            return self.mean(first, second, groups=[len(first)])
        groups = second.get_group()
        if not len(groups):
            raise DataError("the data of XGBoost have no groups. Pass qid= or group= to the DMatrix.")
        return self.__name__, self.mean(second.get_label(), first, groups=groups)


def xgboost_metric(measure: str | Measure | Metric, policy: Policy | str | None = None) -> XgboostMetric:
    """A metric for `xgboost.train(custom_metric=...)`, and for `XGBRanker(eval_metric=...)`.

    `XGBRanker` calls it query by query and averages the values itself: its mean is weighted by the number of documents,
    and a query with one document counts 1. `xgboost.train` reports the mean over queries.
    """
    return XgboostMetric(QueryMean(measure, policy))


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


__all__ = [
    "BatchMetrics",
    "QueryMean",
    "catboost_metric",
    "lightgbm_metric",
    "scikit_learn_scorer",
    "xgboost_metric",
]
