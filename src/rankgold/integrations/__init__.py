"""Measures in training loops: as a scorer of scikit-learn, as metrics of LightGBM, XGBoost and CatBoost, with tensors.

Each takes any measure, such as `"ndcg@10"`, and a policy. It is called by the library, and tells it the name of the
measure and whether higher is better. None of these libraries is imported before it is used.

>>> import rankgold
>>> ndcg = rankgold.integrations.QueryMean("ndcg@10")
>>> ndcg([3, 0, 1, 0, 2], [0.9, 0.8, 0.7, 0.2, 0.6], qid=["q1", "q1", "q1", "q2", "q2"])
0.9819702166583266
"""

from rankgold.integrations.batch_metrics import BatchMetrics
from rankgold.integrations.catboost_metric import catboost_metric
from rankgold.integrations.lightgbm_metric import lightgbm_metric
from rankgold.integrations.query_mean import QueryMean
from rankgold.integrations.scikit_learn_scorer import scikit_learn_scorer
from rankgold.integrations.xgboost_metric import xgboost_metric

__all__ = [
    "BatchMetrics",
    "QueryMean",
    "catboost_metric",
    "lightgbm_metric",
    "scikit_learn_scorer",
    "xgboost_metric",
]
