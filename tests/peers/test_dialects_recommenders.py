"""The dialects of RecTools and LensKit: their names and their numbers, user by user, on 200 collections."""

import pandas
import pytest
from lenskit import metrics as lenskit
from lenskit.data import ItemList
from lenskit.metrics.ranking import AveragePrecision
from rectools import metrics as rectools

import rankgold
from rankgold.core.dialects import table_of
from tests.peers.collections import all_collections, in_order, values
from tests.peers.installed import is_checked_version

pytestmark = pytest.mark.filterwarnings("ignore:Downcasting object dtype arrays")  # of pandas, in RecTools


def lists():
    """The judgements, and the list of each query in the order of trec_eval, as both tools take lists."""
    qrels, run = all_collections()
    return qrels, {query: in_order(row) for query, row in run.items()}


def test_rectools():
    assert is_checked_version("rectools", table_of("rectools"))
    qrels, ranked = lists()
    columns = ["user_id", "item_id", "rank"]
    reco = pandas.DataFrame([(q, d, i) for q, row in ranked.items() for i, d in enumerate(row, 1)], columns=columns)
    liked = pandas.DataFrame(
        [(q, d) for q, row in qrels.items() for d, g in row.items() if g >= 1], columns=columns[:2]
    )
    names = {
        f"{name}@{k}": make(k)
        for k in (1, 5, 10)
        for name, make in {
            "Precision": rectools.Precision,
            "Precision(r_precision=True)": lambda k: rectools.Precision(k, r_precision=True),
            "Recall": rectools.Recall,
            "F1Beta": rectools.F1Beta,
            "F1Beta(beta=2)": lambda k: rectools.F1Beta(k, beta=2.0),
            "HitRate": rectools.HitRate,
            "MAP": rectools.MAP,
            "MAP(divide_by_k=True)": lambda k: rectools.MAP(k, divide_by_k=True),
            "NDCG": rectools.NDCG,
            "NDCG(divide_by_achievable=True)": lambda k: rectools.NDCG(k, divide_by_achievable=True),
            "MRR": rectools.MRR,
            "PartialAUC": rectools.PartialAUC,
            "PAP": rectools.PAP,
        }.items()
    }
    ours = rankgold.evaluate(qrels, ranked, list(names), policy="rectools")
    for name, metric in names.items():
        assert values(ours, name) == pytest.approx(metric.calc_per_user(reco, liked).to_dict(), abs=1e-9), name


def test_lenskit():
    assert is_checked_version("lenskit", table_of("lenskit"))
    qrels, ranked = lists()
    given = {query: ItemList(item_ids=row, ordered=True) for query, row in ranked.items()}
    liked = {query: {d: g for d, g in row.items() if g >= 1} for query, row in qrels.items()}
    test = {
        query: ItemList(item_ids=list(row), rating=[float(grade) for grade in row.values()])
        for query, row in liked.items()
        if row
    }
    names = {
        f"{name}({n})" if not options else f"{name}({n}, {options})": make(n)
        for n in (1, 5, 10)
        for (name, options), make in {
            ("Hit", ""): lenskit.Hit,
            ("Precision", ""): lenskit.Precision,
            ("Recall", ""): lenskit.Recall,
            ("RecipRank", ""): lenskit.RecipRank,
            ("AveragePrecision", ""): AveragePrecision,
            ("NDCG", ""): lenskit.NDCG,
            ("NDCG", "gain='rating'"): lambda n: lenskit.NDCG(n, gain="rating"),
            ("DCG", ""): lenskit.DCG,
            ("DCG", "gain='rating'"): lambda n: lenskit.DCG(n, gain="rating"),
            ("RBP", ""): lenskit.RBP,
            ("RBP", "patience=0.5"): lambda n: lenskit.RBP(n, patience=0.5),
        }.items()
    }
    ours = rankgold.evaluate(qrels, ranked, list(names), policy="lenskit")
    for name, metric in names.items():
        theirs = {
            query: metric.measure_list(given[query], items) if query in given else metric.default
            for query, items in test.items()
        }
        assert values(ours, name) == pytest.approx(theirs, abs=1e-9), name
