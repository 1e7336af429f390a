"""How many queries show a difference: against published values, a simulation and values worked by hand."""

import json
import math

import numpy as np
import pytest
from scipy import stats

import rankgold
from rankgold.comparison.power_analysis import needed_queries, power_of_t_test, smallest_effect
from rankgold.data.files import sample
from tests.cases import for_each
from tests.shell import printed

DIFFERENCES = [0.1, -0.2, 0.3, 0.0, 0.1, 0.2]
FILES = [str(sample(name)) for name in ("qrels.txt", "bm25.trec", "expanded.trec")]


@pytest.mark.parametrize(("effect", "queries"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_small_medium_and_large_effects_need_what_the_tables_say(effect, queries):
    # Cohen's small, medium and large effects, paired, two-sided at 0.05 and power 0.8, as G*Power has them.
    assert needed_queries(effect, 0.8, 0.05) == queries


def test_the_power_is_the_share_of_simulated_experiments_that_find_the_effect():
    values = np.random.default_rng(3).normal(0.5, 1, (20_000, 20))
    found = (stats.ttest_1samp(values, 0, axis=1).pvalue < 0.05).mean()
    # The standard error of the share is at most 0.0035.
    assert power_of_t_test(0.5, 20, 0.05) == pytest.approx(found, abs=0.012)


def test_without_an_effect_the_power_is_alpha_one_half_on_each_side():
    assert power_of_t_test(0, 20, 0.05) == pytest.approx(0.05)


def test_many_queries_need_what_the_normal_distribution_says():
    # ((1.959964 + 0.841621) / 0.01)^2 = 78488.8, and t needs about 2 more.
    assert needed_queries(0.01, 0.8, 0.05) == pytest.approx(78490.8, abs=1)
    assert smallest_effect(78491, 0.8, 0.05) == pytest.approx(0.01, rel=1e-4)


def test_a_row_says_what_the_queries_show_and_what_is_needed():
    [row] = rankgold.power(DIFFERENCES, difference=0.05).rows
    deviation = np.std(DIFFERENCES, ddof=1)
    assert (row.queries, row.deviation) == (6, pytest.approx(deviation))
    # What is the smallest is seen with the power that is wanted, and so is the difference with the queries needed.
    assert power_of_t_test(row.smallest / deviation, 6, 0.05) == pytest.approx(0.8)
    assert power_of_t_test(0.05 / deviation, row.needed, 0.05) >= 0.8
    assert power_of_t_test(0.05 / deviation, row.needed - 1, 0.05) < 0.8
    assert row.power == power_of_t_test(0.05 / deviation, 6, 0.05)


def test_without_a_difference_it_is_the_one_between_the_runs():
    scores = rankgold.evaluate(FILES[0], FILES[1:], ["ndcg@10", "rr"])
    found = rankgold.power(scores, power=0.9, alpha=0.01)
    means = scores["ndcg@10"]
    assert found.rows[0].difference == pytest.approx(means["expanded"] - means["bm25"])
    assert [(row.measure, row.a, row.b) for row in found.rows] == [
        ("ndcg@10", "bm25", "expanded"),
        ("rr", "bm25", "expanded"),
    ]
    assert found.rows[0].needed > rankgold.power(scores).rows[0].needed
    assert found.frame.columns == [
        "measure",
        "a",
        "b",
        "queries",
        "deviation",
        "smallest",
        "difference",
        "power",
        "needed",
    ]


def test_differences_that_say_nothing_are_undefined():
    for values in ([], [0.1], [0.1, 0.1, 0.1], [math.nan, 0.2]):
        found = rankgold.power(values)
        assert math.isnan(found.rows[0].smallest)
        assert found.sentences[0].startswith("Nothing can be said")
        assert found.to_dict()["rows"][0]["needed"] is None
    assert "no number of queries" in rankgold.power([1, -1, 0.5, -0.5]).sentences[0]
    # 0.1 + 0.2 is 0.3 but for rounding. The difference is that of the runs, or the one that is wanted.
    same = [0.3, 0.1 + 0.2]
    assert np.std(same, ddof=1) > 0
    for wanted, difference in ((None, 0.3), (0.05, 0.05)):
        [row] = rankgold.power(same, difference=wanted).rows
        assert math.isnan(row.smallest)
        assert row.difference == pytest.approx(difference)


def test_two_queries_are_enough_and_an_effect_that_is_too_small_needs_more_than_anyone_judges():
    [row] = rankgold.power([0.1, 0.3]).rows
    # The mean is 0.2, and the deviation sqrt(2 * 0.1^2).
    assert (row.queries, row.deviation, row.difference) == (2, pytest.approx(math.sqrt(0.02)), pytest.approx(0.2))
    assert power_of_t_test(row.smallest / row.deviation, 2, 0.05) == pytest.approx(0.8, rel=1e-9)
    # An effect of 100 is seen with the fewest queries that have a deviation.
    assert power_of_t_test(100, 2, 0.05) > 0.8
    assert needed_queries(100, 0.8, 0.05) == 2
    # ((1.959964 + 0.841621) / effect)^2 is 1e9 for an effect of 8.8594e-5.
    assert needed_queries(8.86e-5, 0.8, 0.05) < 1e9
    assert math.isnan(needed_queries(8.859e-5, 0.8, 0.05))
    assert (
        rankgold.power([0.1, 0.3], difference=-1e-6)
        .sentences[0]
        .endswith("a difference of -1e-06 needs more than 1,000,000,000 queries.")
    )


@for_each(
    ("choices", "message"),
    [
        ({"power": 80}, "power must be a number above 0 and below 1"),
        ({"power": 1}, "power must be a number above 0 and below 1"),
        ({"power": "high"}, "power must be a number above 0 and below 1, not 'high'"),
        ({"alpha": 0}, "alpha must be a number above 0"),
        ({"alpha": True}, "alpha must be a number above 0"),
        ({"power": 0.04}, "power must be above alpha"),
        ({"power": 0.05}, "power must be above alpha"),
        ({"difference": 0}, "difference must be a number other than 0"),
        ({"difference": True}, "difference must be a number other than 0"),
        ({"difference": "0.1"}, "difference must be a number other than 0"),
        ({"difference": math.inf}, "difference must be a number other than 0"),
    ],
)
def test_a_bad_choice_is_an_error(choices, message):
    with pytest.raises(rankgold.ComparisonError, match=message):
        rankgold.power(DIFFERENCES, **choices)


def test_what_has_no_differences_is_an_error():
    for data in ("qrels.txt", [[1, 2]], None, {"a": 1}):
        with pytest.raises(rankgold.ComparisonError, match="Pass Scores of two runs"):
            rankgold.power(data)
    with pytest.raises(rankgold.ComparisonError, match="needs two runs or more"):
        rankgold.power(rankgold.evaluate(FILES[0], FILES[1], ["rr"]))


def test_undefined_differences_are_left_out_with_a_note():
    known = rankgold.power([0.1, 0.2, -0.1], difference=0.1)
    found = rankgold.power([0.1, math.nan, 0.2, -0.1, math.nan], difference=0.1)
    assert found.rows == known.rows
    assert (known.notes, found.notes) == ((), ("2 of 5 differences are undefined: left out",))
    assert "note: 2 of 5 differences are undefined" in repr(found)
    assert json.loads(found.to_json())["notes"] == ["2 of 5 differences are undefined: left out"]


def test_queries_without_a_value_are_noted_for_each_pair():
    """Of auc, q1 has no value: there is no pair of a relevant document and another one."""
    qrels = {"q1": {"d": 1}, "q2": {"d": 1, "e": 0}, "q3": {"d": 1, "e": 0}}
    up = {"q1": {"d": 1}, "q2": {"d": 2, "e": 1}, "q3": {"d": 2, "e": 1}}
    scores = rankgold.evaluate(qrels, {"up": up, "mixed": {**up, "q2": {"d": 1, "e": 2}}}, ["auc"])
    assert rankgold.power(scores).notes == ("1 of 3 differences of auc between up and mixed is undefined: left out",)


def test_the_shell_prints_and_saves_it(tmp_path):
    found = rankgold.power(rankgold.evaluate(FILES[0], FILES[1:], ["rr"]), difference=0.05)
    asked = ["power", *FILES, "-m", "rr", "--difference", "0.05"]
    assert json.loads(printed(*asked, "-f", "json")) == found.to_dict()
    assert found.sentences[0] in printed(*asked)
    printed(*asked, "-o", str(tmp_path / "power.tex"))
    assert "two-sided paired t-test at 0.05, power 0.8" in (tmp_path / "power.tex").read_text()
    assert printed(*asked, "-f", "csv").startswith("measure,a,b,queries,deviation,smallest,difference,power,needed\n")
    deeper = rankgold.power(rankgold.evaluate(FILES[0], FILES[1:], ["rr"], rel=2, depth=5), difference=0.05)
    assert json.loads(printed(*asked, "-f", "json", "--rel", "2", "--depth", "5")) == deeper.to_dict()
    with pytest.raises(rankgold.DataError, match="--digits is for formats that people read"):
        printed(*asked, "-f", "json", "--digits", "2")


def test_the_table_has_a_row_for_each_pair_and_measure():
    [table] = rankgold.power(DIFFERENCES, difference=0.05).document().tables
    # 96 queries, as in the docstring of the function; 6 differences.
    [row] = table.rows
    assert (row[:4], row[-1], table.keys, table.digits) == (["difference", "", "", "6"], "96", 3, 4)
    [undefined] = rankgold.power([0.1]).document().tables[0].rows
    assert math.isnan(undefined[-1])
