"""A measure as a scorer of scikit-learn: cross-validation and grid search, with whole queries in each fold."""

import pickle

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.linear_model import LogisticRegression, Ridge
from sklearn.metrics import make_scorer
from sklearn.model_selection import GridSearchCV, GroupKFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeRegressor

import rankgold
from rankgold.compat.integrations import QueryMean, scikit_learn_scorer
from tests.peers.rankers import ids_of, ranking_data

FOLDS = GroupKFold(3)


@pytest.fixture(name="data")
def shuffled_documents():
    """Features, grades and queries, with the documents of different queries among each other."""
    features, grades, groups = ranking_data(1)
    order = np.random.default_rng(0).permutation(len(grades))
    return features[order], grades[order], ids_of(groups)[order]


@pytest.fixture
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


def by_hand(model, features, grades, queries, measure):
    """The measure of each fold, from dicts."""
    values = []
    for train, test in FOLDS.split(features, grades, queries):
        scores = sklearn.clone(model).fit(features[train], grades[train]).predict(features[test])
        qrels, run = {}, {}
        for row, score in zip(test, scores, strict=True):
            qrels.setdefault(int(queries[row]), {})[int(row)] = int(grades[row])
            run.setdefault(int(queries[row]), {})[int(row)] = float(score)
        values.append(rankgold.evaluate(qrels, run, [measure], policy="ties=average")[measure])
    return values


@pytest.mark.parametrize(("measure", "sign"), [("ndcg@5", 1), ("frp@10", -1)])
def test_the_query_may_be_the_index_of_the_grades(data, measure, sign):
    features, grades, queries = data
    y = pd.Series(grades, index=queries)
    scorer = scikit_learn_scorer(measure, "ties=average")
    found = cross_val_score(Ridge(), features, y, groups=queries, cv=FOLDS, scoring=scorer)
    assert found * sign == pytest.approx(by_hand(Ridge(), features, grades, queries, measure), abs=1e-12)


def test_a_grid_search_with_groups_chooses_the_best_mean_over_queries(data):
    features, grades, queries = data
    depths = [1, 2, 6]
    search = GridSearchCV(
        DecisionTreeRegressor(random_state=0), {"max_depth": depths}, cv=FOLDS, n_jobs=1,
        scoring=scikit_learn_scorer("ndcg@10", "ties=average"),
    )  # fmt: skip
    search.fit(features, pd.Series(grades, index=queries), groups=queries)
    expected = [
        np.mean(by_hand(DecisionTreeRegressor(max_depth=k, random_state=0), features, grades, queries, "ndcg@10"))
        for k in depths
    ]
    assert search.cv_results_["mean_test_score"] == pytest.approx(expected, abs=1e-12)
    assert search.best_params_ == {"max_depth": depths[int(np.argmax(expected))]}


def test_the_query_may_be_routed_to_the_scorer(data, routing):
    features, grades, queries = data
    model = make_pipeline(StandardScaler(), Ridge())
    search = GridSearchCV(
        model, {"ridge__alpha": [1.0, 10.0]}, cv=FOLDS, scoring=scikit_learn_scorer("ap", "ties=average")
    )
    search.fit(features, grades, groups=queries, qid=queries)
    expected = np.mean(by_hand(make_pipeline(StandardScaler(), Ridge(alpha=1.0)), features, grades, queries, "ap"))
    assert search.cv_results_["mean_test_score"][0] == pytest.approx(expected, abs=1e-12)
    scorer = make_scorer(QueryMean("ap", "ties=average")).set_score_request(qid=True)
    found = cross_validate(
        Ridge(), features, grades, cv=FOLDS, scoring={"ap": scorer}, params={"groups": queries, "qid": queries}
    )
    assert found["test_ap"] == pytest.approx(by_hand(Ridge(), features, grades, queries, "ap"), abs=1e-12)


def test_a_classifier_is_ranked_by_its_decision_function(data):
    features, grades, queries = data
    relevant = pd.Series((grades > 0).astype(int), index=queries)
    model = LogisticRegression().fit(features, relevant)
    hits = rankgold.integrations.QueryMean("auc", "ties=average")
    found = scikit_learn_scorer("auc", "ties=average")(model, features, relevant)
    assert found == hits(relevant, model.decision_function(features))
    assert found != hits(relevant, model.predict(features))


def test_a_scorer_can_be_pickled_for_other_processes(data):
    features, grades, queries = data
    scorer = pickle.loads(pickle.dumps(scikit_learn_scorer("rr")))
    y = pd.Series(grades, index=queries)
    assert scorer(Ridge().fit(features, y), features, y) > 0


def test_grades_without_queries_and_scores_of_several_classes_are_refused(data):
    features, grades, queries = data
    scorer = scikit_learn_scorer("rr")
    for y in (grades, pd.Series(grades)):
        with pytest.raises(rankgold.DataError, match="which document belongs to which query"):
            scorer(Ridge().fit(features, grades), features, y)
    y = pd.Series(grades, index=queries)
    with pytest.raises(rankgold.DataError, match="one number for each document"):
        scorer(LogisticRegression(max_iter=500).fit(features, y), features, y)
