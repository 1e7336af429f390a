"""A measure in, a scorer for scikit-learn out."""

from __future__ import annotations

from typing import Any

from rankgold.declaration.metric import Measure, Metric
from rankgold.errors import MissingDependency
from rankgold.integrations.query_mean import QueryMean
from rankgold.policy import Policy

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
