"""SciPy's rank correlations, with ties and without: numbers agree to 1e-12."""

import numpy as np
import pytest
from scipy import stats

import rankgold


@pytest.mark.parametrize("levels", [2, 5, 10**6], ids=["many ties", "some ties", "hardly any tie"])
@pytest.mark.parametrize("length", [2, 7, 999, 1001, 4500])
@pytest.mark.parametrize("seed", range(3))
def test_correlations_agree_with_scipy(levels, length, seed):
    choose = np.random.default_rng(seed)
    x, y = choose.integers(0, levels, length), choose.integers(0, levels, length)
    x[0], x[1], y[0], y[1] = 0, 1, 1, 0
    scores = rankgold.evaluate(rankgold.from_arrays(y, x), ["spearman", "kendall"])
    assert scores["spearman"] == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)
    assert scores["kendall"] == pytest.approx(stats.kendalltau(x, y).statistic, abs=1e-12)
