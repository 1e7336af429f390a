"""Corrections, power, the t-test and equivalence against statsmodels."""

import numpy as np
import pytest
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import TTestPower
from statsmodels.stats.weightstats import DescrStatsW

from rankgold.comparison.choices import CORRECTIONS
from rankgold.comparison.paired_values import Draws, UnitSums
from rankgold.comparison.power_analysis import needed_queries, power_of_t_test, smallest_effect
from rankgold.comparison.significance_tests import TESTS, equivalence

NAMES = {"holm": "holm", "bonferroni": "bonferroni", "bh": "fdr_bh", "by": "fdr_by"}


@pytest.mark.parametrize("ours", NAMES)
def test_corrected_p_values(ours):
    rng = np.random.default_rng(2)
    for count in (1, 2, 5, 45):
        p = rng.random(count) ** 3
        expected = multipletests(p, method=NAMES[ours])[1]
        assert CORRECTIONS[ours][1](p).tolist() == pytest.approx(expected.tolist())


@pytest.mark.parametrize("effect", [0.05, 0.2, 0.5, 1.3])
@pytest.mark.parametrize(("alpha", "power"), [(0.05, 0.8), (0.01, 0.95)])
def test_the_power_of_the_t_test(effect, alpha, power):
    theirs = TTestPower()
    # Where the effect is nearly always found, statsmodels gives NaN: up to 4 standard errors it does not.
    for queries in {3, 8, int((4 / effect) ** 2)} - {0, 1, 2}:
        expected = theirs.power(effect, queries, alpha)
        assert power_of_t_test(effect, queries, alpha) == pytest.approx(expected, abs=1e-9)
    needed = theirs.solve_power(effect_size=effect, alpha=alpha, power=power)
    assert needed_queries(effect, power, alpha) == np.ceil(needed)
    seen = theirs.solve_power(nobs=50, alpha=alpha, power=power)
    assert smallest_effect(50, power, alpha) == pytest.approx(seen, rel=1e-5)


def test_the_t_test_and_equivalence():
    values = np.random.default_rng(4).normal(0.02, 0.1, 40)
    theirs, units = DescrStatsW(values), UnitSums.of(values[:, None])
    assert TESTS["t"][1](units, Draws(1, 0))[0] == pytest.approx(theirs.ttest_mean(0)[1])
    assert equivalence(units, 0.05)[0] == pytest.approx(theirs.ttost_mean(-0.05, 0.05)[0])
