"""A measure in, a metric for XGBoost out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankgold.declaration.metric import Measure, Metric
from rankgold.errors import DataError
from rankgold.integrations.query_mean import QueryMean
from rankgold.policy import Policy

if TYPE_CHECKING:
    from xgboost import DMatrix

    from rankgold.kernels.segments import Floats


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
