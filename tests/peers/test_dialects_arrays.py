"""The dialects of scikit-learn, torchmetrics and LightGBM: the numbers of each query, on 200 collections.

These tools see only the documents of a list. rankgold gets judgements and a run, with judged documents that are not in it.
"""

import warnings

import lightgbm
import numpy as np
import pytest
import torch
from sklearn import metrics
from torchmetrics.functional import retrieval

import rankgold
from rankgold.core.dialects import table_of
from tests.peers.collections import all_collections, apart, values
from tests.peers.installed import is_checked_version


def judged(top_grade):
    """The judgements of queries that have a list of two documents or more, from 0 to the highest grade.

    A document of the list always has a grade, as in arrays. Others, which are not in the list, are judged too.
    """
    qrels, run = all_collections()
    return {
        query: dict.fromkeys(run[query], 0) | {d: min(max(grade, 0), top_grade) for d, grade in row.items()}
        for query, row in qrels.items()
        if len(run.get(query, ())) > 1
    }


def rows(qrels, run):
    """Query, grades and scores of each list."""
    return [
        (query, np.array([qrels[query].get(document, 0) for document in run[query]]), np.array([*run[query].values()]))
        for query in qrels
    ]


def test_scikit_learn():
    assert is_checked_version("scikit-learn", table_of("sklearn"))
    _, run = all_collections()
    graded = {"ndcg_score@5": 5, "ndcg_score@1": 1, "ndcg_score": None, "dcg_score@5": 5, "dcg_score": None}
    qrels = judged(3)
    ours = rankgold.evaluate(qrels, run, list(graded), policy="sklearn")
    for name, k in graded.items():
        function = getattr(metrics, name.partition("@")[0])
        theirs = {query: function([grades], [scores], k=k) for query, grades, scores in rows(qrels, run)}
        assert values(ours, name) == pytest.approx(theirs, abs=1e-9), name
    qrels = judged(1)
    names = ["average_precision_score", "coverage_error", "ranking_loss", "roc_auc_score"]
    ours = rankgold.evaluate(qrels, run, names, policy="sklearn")
    functions = (
        lambda grades, scores: metrics.average_precision_score(grades, scores),
        lambda grades, scores: metrics.coverage_error([grades], [scores]),
        lambda grades, scores: metrics.label_ranking_loss([grades], [scores]),
        lambda grades, scores: np.nan_to_num(metrics.roc_auc_score(grades, scores)),  # undefined
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of rows that are all or none of them relevant
        for name, function in zip(names, functions, strict=True):
            theirs = {query: float(function(grades, scores)) for query, grades, scores in rows(qrels, run)}
            assert values(ours, name) == pytest.approx(theirs, abs=1e-9), name


@pytest.fixture
def at_64_bits(monkeypatch):
    """torchmetrics asks for 32-bit floats by these names; its formulas stay as they are."""
    monkeypatch.setattr(torch, "float32", torch.float64)
    monkeypatch.setattr(torch.Tensor, "float", torch.Tensor.double)
    torch.set_default_dtype(torch.float64)
    yield
    monkeypatch.undo()
    torch.set_default_dtype(torch.float32)


@pytest.mark.usefixtures("at_64_bits")
def test_torchmetrics():
    assert is_checked_version("torchmetrics", table_of("torchmetrics"))
    _, run = all_collections()
    functions = {
        "RetrievalMAP": retrieval.retrieval_average_precision,
        "RetrievalMRR": retrieval.retrieval_reciprocal_rank,
        "RetrievalPrecision": retrieval.retrieval_precision,
        "RetrievalRecall": retrieval.retrieval_recall,
        "RetrievalHitRate": retrieval.retrieval_hit_rate,
        "RetrievalFallOut": retrieval.retrieval_fall_out,
        "RetrievalAUROC": retrieval.retrieval_auroc,
    }
    qrels, different = judged(1), {query: apart(row) for query, row in run.items()}
    given = [(q, torch.tensor(s), torch.tensor(g)) for q, g, s in rows(qrels, different)]
    names = {f"{name}(top_k={k})": (function, k) for name, function in functions.items() for k in (1, 5, 10)}
    names |= {name: (function, None) for name, function in functions.items()}
    ours = rankgold.evaluate(qrels, different, list(names), policy="torchmetrics")
    for name, (function, k) in names.items():
        theirs = {query: float(function(scores, grades, top_k=k)) for query, scores, grades in given}
        assert values(ours, name) == pytest.approx(theirs, abs=1e-9), name
    qrels = judged(3)
    ours = rankgold.evaluate(qrels, run, ["RetrievalNormalizedDCG(top_k=5)"], policy="torchmetrics")
    theirs = {
        query: float(retrieval.retrieval_normalized_dcg(torch.tensor(scores), torch.tensor(grades), top_k=5))
        for query, grades, scores in rows(qrels, run)
    }
    assert values(ours, "RetrievalNormalizedDCG(top_k=5)") == pytest.approx(theirs, abs=1e-9)


def test_lightgbm():
    assert is_checked_version("lightgbm", table_of("lightgbm"))
    _, run = all_collections()
    qrels = judged(3)
    queries = rows(qrels, run)
    # No tree can split, so that the scores are those that the model starts with. Each query is a validation set.
    options = {"objective": "lambdarank", "metric": ["ndcg", "map"], "eval_at": [1, 3, 10], "verbose": -1,
               "min_data_in_leaf": 10_000, "num_threads": 1, "feature_pre_filter": False}  # fmt: skip
    first = lightgbm.Dataset(np.arange(4.0)[:, None], [0, 1, 0, 1], group=[4], params={"verbose": -1})
    sets = [
        lightgbm.Dataset(np.zeros((len(g), 1)), g, group=[len(g)], init_score=s, reference=first) for _, g, s in queries
    ]
    seen = {}
    lightgbm.train(options, first, 1, valid_sets=sets, valid_names=[query for query, *_ in queries],
                   callbacks=[lightgbm.record_evaluation(seen)])  # fmt: skip
    names = [f"{name}@{k}" for name in ("ndcg", "map") for k in (1, 3, 10)]
    ours = rankgold.evaluate(qrels, run, names, policy="lightgbm")
    for name in names:
        assert values(ours, name) == pytest.approx({query: row[name][0] for query, row in seen.items()}, abs=1e-9), name
