"""A measure in, a metric for LightGBM out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rankgold.declaration.metric import Measure, Metric
from rankgold.errors import DataError
from rankgold.integrations.query_mean import QueryMean
from rankgold.policy import Policy

if TYPE_CHECKING:
    from lightgbm import Dataset

    from rankgold.kernels.segments import Floats, Ints


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
