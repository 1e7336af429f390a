"""Rankings against rankings: SciPy, the package rbo, and compat of ir_measures; numbers agree to 1e-9."""

import ir_measures
import numpy as np
import pytest
import rbo
from scipy import stats

import rankgold
from tests.peers.collections import SEEDS, dicts

CORRELATIONS = {
    "kendall": stats.kendalltau,
    "spearman": stats.spearmanr,
    "weighted_tau": stats.weightedtau,
}


@pytest.mark.parametrize("levels", [2, 5, 10**6], ids=["many ties", "some ties", "hardly any tie"])
@pytest.mark.parametrize("length", [2, 7, 500])
def test_correlations_agree_with_scipy(levels, length):
    choose = np.random.default_rng(length)
    first, second, expected = {}, {}, {}
    for query in range(20):
        x, y = choose.integers(0, levels, length).tolist(), choose.integers(0, levels, length).tolist()
        x[:2], y[:2] = [0, 1], [1, 0]
        shared = [f"d{i}" for i in range(length)]
        # Documents of one run only take no part.
        first[query] = {**dict(zip(shared, x, strict=True)), "own": 3.0, "mine": 0.5}
        second[query] = {"other": 1.0, **dict(zip(shared, y, strict=True))}
        expected[query] = {name: call(x, y).statistic for name, call in CORRELATIONS.items()}
    for row in rankgold.similarity(first, second, list(CORRELATIONS)).per_query.to_dicts():
        assert {name: row[name] for name in CORRELATIONS} == pytest.approx(expected[row["query"]], abs=1e-12)


@pytest.mark.parametrize("seed", SEEDS)
def test_rank_biased_overlap_agrees_with_the_package_rbo(seed):
    # Two runs with lists of different length, which share some documents.
    first, second = dicts(seed)[1], dicts(seed + 100)[1]
    found = rankgold.similarity(first, second, ["rbo", "rbo(p=0.98)", "rbo(p=0.5)@10"]).per_query
    for row in found.to_dicts():
        one, other = (sorted(run[row["query"]], key=lambda d, r=run: -r[row["query"]][d]) for run in (first, second))
        assert row["rbo"] == pytest.approx(rbo.RankingSimilarity(one, other).rbo_ext(p=0.9), abs=1e-9)
        assert row["rbo(p=0.98)"] == pytest.approx(rbo.RankingSimilarity(one, other).rbo_ext(p=0.98), abs=1e-9)
        cut = rbo.RankingSimilarity(one[:10], other[:10]).rbo_ext(p=0.5)
        assert row["rbo(p=0.5)@10"] == pytest.approx(cut, abs=1e-9)


@pytest.mark.parametrize("seed", SEEDS)
def test_compatibility_agrees_with_ir_measures(seed):
    qrels, run = dicts(seed)
    names = ["Compat(p=0.95)", "Compat(p=0.8)", "Compat(p=0.5,normalize=False)"]
    ours = rankgold.evaluate(qrels, run, names)
    for measure in names:
        rows = ir_measures.iter_calc([ir_measures.parse_measure(measure)], qrels, run)
        expected = {row.query_id: row.value for row in rows}
        assert dict(zip(ours.queries(), ours.values(measure), strict=True)) == pytest.approx(expected, abs=1e-9)


def test_a_relevant_document_that_was_not_retrieved_comes_after_those_that_were():
    # ir_measures takes 0 for its score, so it comes before documents with scores below 0, and the value is not the
    # highest possible: 0.5 * 1/2 of 1 + 0.5 for p = 0.5, where the ideal ranking could have begun with a.
    qrels, run = {"q": {"z": 1, "a": 1}}, {"q": {"a": -1.0, "x": -2.0}}
    theirs = ir_measures.calc_aggregate([ir_measures.parse_measure("Compat(p=0.5)")], qrels, run)
    assert list(theirs.values()) == [pytest.approx((0 + 0.5 * 1 / 2) / (1 + 0.5))]
    assert rankgold.evaluate(qrels, run, "compat(p=0.5)")["compat(p=0.5)"] == pytest.approx(
        (1 + 0.5 * 1 / 2) / (1 + 0.5)
    )
