"""Experiments in which the truth is known: a small part of benchmarks/simulation.py, which shows more of them.

With 600 experiments, the standard error of a share of 5 % is 0.9 percentage points.
"""

import numpy as np
import pytest

from rankgold.comparison.intervals import INTERVALS, studentized_test
from rankgold.comparison.paired_values import Draws, UnitSums
from rankgold.comparison.significance_tests import TESTS, randomized_tukey
from tests.cases import for_each

EXPERIMENTS, DRAWS = 600, Draws(999, 4)


@pytest.fixture(scope="module")
def alike():
    """The differences of 50 queries between two runs that are equally good, in each experiment."""
    rng = np.random.default_rng(8)
    difficulty = rng.beta(2, 2, (50, EXPERIMENTS))
    first, second = (rng.beta(1 + 6 * difficulty, 1 + 6 * (1 - difficulty)) for _ in range(2))
    return UnitSums.of(np.where(rng.random(difficulty.shape) < 1 / 3, 0.0, second - first))


@pytest.mark.parametrize("kind", INTERVALS)
def test_intervals_at_95_percent_hold_the_truth_about_that_often(alike, kind):
    low, high = INTERVALS[kind](alike, 0.95, DRAWS)
    assert 0.92 < ((low <= 0) & (high >= 0)).mean() < 0.98


@for_each("test", [*(test for _, test in TESTS.values()), studentized_test])
def test_tests_at_5_percent_find_what_is_not_there_about_that_often(alike, test):
    # The sign test has few p-values to choose from, and stays below 5 %.
    assert 0.02 < (test(alike, DRAWS) < 0.05).mean() < 0.08


def test_a_difference_that_is_there_is_found(alike):
    shifted = UnitSums.of(alike.values + 0.1)
    assert (TESTS["randomization"][1](shifted, DRAWS) < 0.05).mean() > 0.9


def test_tukey_finds_any_pair_among_equal_runs_about_as_often_as_promised():
    rng = np.random.default_rng(9)
    found = 0
    for experiment in range(EXPERIMENTS):
        p = randomized_tukey(rng.beta(2, 3, (30, 4)), Draws(199, experiment))
        found += p[np.triu_indices(4, 1)].min() < 0.05
    assert 0.025 < found / EXPERIMENTS < 0.08
