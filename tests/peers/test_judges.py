"""Agreement of judges: kappa of scikit-learn, with every weighting; numbers agree to 1e-12."""

import numpy as np
import pytest
from sklearn.metrics import cohen_kappa_score

from rankgold.judging.judge_agreement import kappa


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize(("weighting", "weights"), [("none", None), ("linear", "linear"), ("quadratic", "quadratic")])
def test_kappa_agrees_with_scikit_learn(seed, weighting, weights):
    choose = np.random.default_rng(seed)
    highest = int(choose.integers(1, 5))
    first = choose.integers(0, highest + 1, 60)
    second = np.where(choose.random(60) < 0.6, first, choose.integers(0, highest + 1, 60))
    # All grades are labels: then the places of labels are the grades, and their distances the same.
    expected = cohen_kappa_score(first, second, labels=list(range(highest + 1)), weights=weights)
    assert kappa(first.astype(float), second.astype(float), weighting) == pytest.approx(expected, abs=1e-12)
