"""Every number is what it was: scores of fifty random collections, frozen in a file, in every form and policy."""

import numpy as np
import pytest

import rankgold
from tests.frozen import Frozen, Outcome
from tests.frozen_cases import cases

FILE = Frozen()


# Every fourth collection, from each of the first four on; all but the first of these fourths are for the full run.
@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=pytest.mark.slow) for first in (1, 2, 3))])
def test_scores_are_what_they_were(tmp_path, first):
    assert list(FILE.differences(rankgold, tmp_path, parts=[0], first=first, step=4)) == []


def test_a_change_of_the_last_bit_is_seen():
    case = next(case for case in cases([0]) if case.policy == "ties=average")
    expected = FILE.expected(case)["polars_frame"]
    changed = {text: np.nextafter(values, 9) if text == "ap" else values for text, values in expected.values.items()}
    assert Outcome(expected.queries, changed).differing(expected) == ["ap"]
