"""Comparisons of runs: tests, corrections and intervals against SciPy, published examples and values worked by hand."""

import itertools
import json
import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import rankgold
from rankgold.comparison import choices as corrections
from rankgold.comparison import intervals, paired_values, significance_tests
from rankgold.comparison.comparison_result import _letters, _p_cell
from rankgold.comparison.paired_values import Draws, UnitSums
from rankgold.comparison.pairwise import interval_of_difference
from rankgold.comparison.significance_tests import mean_ranks
from rankgold.data.files import sample
from tests.cases import for_each
from tests.shell import printed

DIFFERENCES = np.array([0.1, -0.05, 0.2, 0.0, 0.3, 0.15, -0.1, 0.25, 0.05, 0.12])
MANY = np.random.default_rng(5).exponential(0.3, 60) - 0.2


def units(*columns, **how):
    return UnitSums.of(np.stack([np.asarray(column, dtype=float) for column in columns], axis=1), **how)


def rankings(values):
    """Judgements and a run whose reciprocal ranks are 1/n for each n."""
    qrels = {f"q{i}": {"d": 1} for i in range(len(values))}
    run = {f"q{i}": {f"x{j}": 10 - j for j in range(n - 1)} | {"d": 0} for i, n in enumerate(values)}
    return qrels, run


QRELS, OLD = rankings([1, 2, 2, 4, 1, 2, 4, 5])
NEW = rankings([1, 1, 1, 2, 1, 1, 5, 2])[1]
# Reciprocal ranks, new less old: 0, 0.5, 0.5, 0.25, 0, 0.5, -0.05, 0.3.
CHANGES = [0, 0.5, 0.5, 0.25, 0, 0.5, -0.05, 0.3]


def compared(**choices):
    return rankgold.compare(QRELS, {"old": OLD, "new": NEW}, ["rr"], baseline="old", **choices)


def test_a_row_has_means_difference_wins_and_effects():
    [row] = compared()
    assert (row.measure, row.a, row.b, row.queries) == ("rr", "old", "new", 8)
    assert (row.wins, row.ties, row.losses) == (5, 2, 1)
    # Old: (1 + 0.5 + 0.5 + 0.25 + 1 + 0.5 + 0.25 + 0.2) / 8; the changes add up to 2.
    assert row.mean_a == pytest.approx(4.2 / 8, abs=1e-15)
    assert row.difference == pytest.approx(2 / 8, abs=1e-15)
    assert row.difference == row.mean_b - row.mean_a
    assert row.effect == pytest.approx(np.mean(CHANGES) / np.std(CHANGES, ddof=1))
    old, new = 1 / np.array([1, 2, 2, 4, 1, 2, 4, 5]), 1 / np.array([1, 1, 1, 2, 1, 1, 5, 2])
    assert row.standardized == pytest.approx(0.25 / math.sqrt((old.var(ddof=1) + new.var(ddof=1)) / 2))


def test_all_choices_of_signs_are_tried_for_few_queries():
    # Of the six differences 0.5, 0.5, 0.5, 0.25, 0.3, -0.05 every choice of signs is tried here, one by one.
    known = [change for change in CHANGES if change]
    sums = [
        abs(sum(s * d for s, d in zip(signs, known, strict=True))) for signs in itertools.product([1, -1], repeat=6)
    ]
    expected = sum(total >= 2 - 1e-9 for total in sums) / 64
    assert compared().rows[0].p == expected == 4 / 64


def test_random_signs_agree_with_scipy_and_count_the_one_that_was_seen():
    draws = 20_000
    p = significance_tests.randomization(units(MANY, -MANY, np.zeros(60)), Draws(draws, 3))
    theirs = stats.permutation_test(
        (MANY,), np.sum, permutation_type="samples", n_resamples=draws, rng=np.random.default_rng(1)
    )
    assert p[0] == pytest.approx(theirs.pvalue, abs=4 * math.sqrt(p[0] * (1 - p[0]) / draws) + 1e-3)
    assert p[0] == p[1]
    assert p[2] == 1
    # A difference that no draw reaches still has the one that was seen.
    assert significance_tests.randomization(units(np.ones(60)), Draws(999, 0))[0] == 1 / 1000


def test_draws_are_the_same_on_every_machine():
    # The first words of PCG64 with seed 0, by NumPy 2.3 on x86-64; their lowest bits come first.
    words = np.random.PCG64(0).random_raw(1)
    assert words[0] == 11749869230777074271
    bits = [words[0] >> np.uint64(i) & np.uint64(1) for i in range(8)]
    [signs] = paired_values.random_signs(0, 1, 8)
    assert signs.tolist() == [[float(bit) for bit in reversed(bits)]]
    [first] = paired_values.random_samples(0, 1, 4)
    assert first.sum() == 4


@pytest.mark.parametrize("name", ["t", "wilcoxon", "sign"])
def test_tests_with_a_formula_are_those_of_scipy(name):
    wins, losses = (DIFFERENCES > 0).sum(), (DIFFERENCES < 0).sum()
    expected = {
        "t": stats.ttest_rel(DIFFERENCES + 0.3, np.full(10, 0.3)).pvalue,
        "wilcoxon": stats.wilcoxon(DIFFERENCES).pvalue,
        "sign": stats.binomtest(wins, wins + losses).pvalue,
    }
    with_gaps = np.append(DIFFERENCES, np.nan)
    p = significance_tests.TESTS[name][1](units(with_gaps, np.zeros(11)), Draws(1, 0))
    assert p.tolist() == pytest.approx([expected[name], 1.0])


def test_wilcoxon_has_the_p_value_of_the_documentation():
    better, worse = np.array([0.8, 0.1, 0.3, 0.5, 0.9, 0.6]), np.array([0.7, 0.0, 0.2, 0.6, 0.7, 0.3])
    assert stats.wilcoxon(better - worse).pvalue == pytest.approx(0.094, abs=5e-4)
    # In tenths 1, 1, 1, -1, 2, 3: the four ones share the rank 2.5, so 2.5 of 21 is on the other side.
    tenths = stats.wilcoxon([1, 1, 1, -1, 2, 3]).pvalue
    assert tenths == pytest.approx(0.156, abs=5e-4)
    assert significance_tests.wilcoxon(units(better - worse), Draws(1, 0))[0] == pytest.approx(tenths)


def test_wilcoxon_ties_differences_that_are_equal_but_for_rounding():
    # Precision at 10: 0.8 - 0.7 is 0.10000000000000009, and 0.1 - 0 is 0.1. SciPy has the same differences in tenths.
    a, b = np.array([7, 0, 3, 9, 5, 2, 6, 1, 4, 8]), np.array([8, 1, 5, 8, 8, 3, 5, 4, 6, 10])
    assert len(set(np.abs(b / 10 - a / 10))) > len(set(np.abs(b - a))) == 3
    p = significance_tests.wilcoxon(units(b / 10 - a / 10), Draws(1, 0))[0]
    assert p == pytest.approx(stats.wilcoxon(b - a).pvalue)


def test_the_sign_test_by_hand():
    # 7 wins and 2 losses: twice the chance of at most 2 tails in 9 throws, (1 + 9 + 36) / 512.
    assert significance_tests.sign(units(DIFFERENCES), Draws(1, 0))[0] == pytest.approx(2 * 46 / 512)


def test_equivalence_is_the_worse_of_two_one_sided_tests():
    small = DIFFERENCES / 10
    above = stats.ttest_1samp(small, -0.05, alternative="greater").pvalue
    below = stats.ttest_1samp(small, 0.05, alternative="less").pvalue
    assert significance_tests.equivalence(units(small), 0.05)[0] == pytest.approx(max(above, below))
    assert "equivalent within 0.9" in compared(interval=rankgold.Interval(margin=0.9)).sentences[0]
    assert compared(interval=rankgold.Interval(margin=0.9)).frame["p_equivalent"][0] < 0.05


def test_corrections_by_hand():
    p = np.array([0.01, 0.04, 0.03, 0.5])
    # Holm: 0.01 x 4, then 0.03 x 3, then 0.04 x 2 = 0.08, but no less than 0.09, then 0.5.
    assert corrections.holm(p).tolist() == pytest.approx([0.04, 0.09, 0.09, 0.5])
    assert corrections.bonferroni(p).tolist() == pytest.approx([0.04, 0.16, 0.12, 1.0])
    # From the largest down: 0.5, 0.04 x 4/3, then 0.03 x 4/2 = 0.06, but no more than 0.0533, then 0.01 x 4.
    assert corrections.benjamini_hochberg(p).tolist() == pytest.approx([0.04, 0.16 / 3, 0.16 / 3, 0.5])


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_false_discoveries_agree_with_scipy(p):
    p = np.array(p)
    for ours, method in ((corrections.benjamini_hochberg, "bh"), (corrections.benjamini_yekutieli, "by")):
        assert ours(p).tolist() == pytest.approx(stats.false_discovery_control(p, method=method).tolist())


def test_an_undefined_p_value_is_not_a_comparison():
    assert corrections.corrected(np.array([0.01, np.nan, 0.02]), "bonferroni")[[0, 2]].tolist() == [0.02, 0.04]


@pytest.mark.parametrize(("ours", "theirs"), [("percentile", "percentile"), ("bca", "BCa")])
def test_bootstrap_intervals_agree_with_scipy(ours, theirs):
    low, high = intervals.INTERVALS[ours](units(MANY), 0.95, Draws(20_000, 1))
    expected = stats.bootstrap((MANY,), np.mean, n_resamples=20_000, method=theirs, rng=np.random.default_rng(2))
    width = expected.confidence_interval.high - expected.confidence_interval.low
    assert low[0] == pytest.approx(expected.confidence_interval.low, abs=0.03 * width)
    assert high[0] == pytest.approx(expected.confidence_interval.high, abs=0.03 * width)


def test_the_interval_of_the_t_test_is_that_of_scipy():
    low, high = intervals.student(units(MANY), 0.9, Draws(1, 0))
    expected = stats.ttest_1samp(MANY, 0).confidence_interval(0.9)
    assert (low[0], high[0]) == pytest.approx((expected.low, expected.high))


def test_studentized_samples_written_out():
    low, high = intervals.studentized(units(MANY), 0.95, Draws(500, 4))
    error = MANY.std(ddof=1) / math.sqrt(60)
    away = []
    for sample_ in np.concatenate(list(paired_values.random_samples(4, 500, 60))).astype(int):
        drawn = np.repeat(MANY, sample_)
        away.append((drawn.mean() - MANY.mean()) / (drawn.std(ddof=1) / math.sqrt(60)))
    ends = np.quantile(away, [0.025, 0.975])
    assert (low[0], high[0]) == pytest.approx((MANY.mean() - ends[1] * error, MANY.mean() - ends[0] * error))


def test_clusters_are_drawn_as_a_whole():
    # Users A (2 queries) and B (1): samples AA, AB, BA, BB have means 0.2, 0.2, 0.2 and 0.2 only if the sizes count.
    both = UnitSums.of(np.array([[0.1], [0.3], [0.2]]), clusters=np.array([0, 0, 1]))
    assert both.means[0] == pytest.approx(0.2)
    assert both.sums[:, 0].tolist() == pytest.approx([0.4, 0.2])
    low, high = intervals.percentile(both, 0.95, Draws(200, 0))
    assert (low[0], high[0]) == pytest.approx((0.2, 0.2))
    # Each query twice in a cluster of its own says no more than each query once.
    doubled = UnitSums.of(np.repeat(MANY, 2)[:, None], clusters=np.repeat(np.arange(60), 2))
    once = units(MANY)
    assert significance_tests.randomization(doubled, Draws(5000, 0)) == pytest.approx(
        significance_tests.randomization(once, Draws(5000, 0))
    )
    ends = np.concatenate(intervals.bca(once, 0.95, Draws(2000, 0)))
    assert np.concatenate(intervals.bca(doubled, 0.95, Draws(2000, 0))) == pytest.approx(ends)


def test_weights_change_the_means():
    found = compared(
        units=rankgold.Units(weights={f"q{i}": 1.0 if i < 2 else 0.0 for i in range(8)}), interval="percentile"
    )
    # Only q0 and q1 count: 1 and 0.5 before, 1 and 1 now.
    assert (found.rows[0].mean_a, found.rows[0].mean_b) == (0.75, 1.0)
    by_cluster = compared(units=rankgold.Units(clusters={f"q{i}": i // 2 for i in range(8)}))
    assert by_cluster.rows[0].difference == 0.25


@pytest.mark.parametrize("kind", ["percentile", "bca", "studentized"])
def test_the_bootstrap_test_is_the_interval_turned_round(kind):
    # The interval at the level 1 - p ends at 0: a little lower it leaves 0 out, a little higher it holds it.
    columns = units(MANY, MANY - 0.02, -MANY, MANY - 0.12)
    draws = Draws(4000, 6)
    p = intervals.BOOTSTRAP_TESTS[kind][1](columns, draws)
    assert ((p > 0.001) & (p < 0.9)).all()
    for column, value in enumerate(p):
        for level, holds_zero in ((1 - value * 1.05, False), (1 - value * 0.95 + 0.001, True)):
            low, high = intervals.INTERVALS[kind](columns, level, draws)
            assert (low[column] <= 0 <= high[column]) == holds_zero, (column, level)


def test_the_bootstrap_test_by_hand_and_of_differences_that_are_all_the_same():
    draws = Draws(999, 2)
    means = np.concatenate(list(paired_values.random_samples(2, 999, 60))) @ MANY / 60
    expected = 2 * (min((means <= 0).sum(), (means >= 0).sum()) + 1) / 1000
    assert intervals.percentile_test(units(MANY), draws)[0] == expected
    for test in (intervals.percentile_test, intervals.bca_test, intervals.studentized_test):
        same = test(units(np.zeros(5), np.full(5, 0.2), [0.1, *[np.nan] * 4]), draws)
        assert same[0] == 1
        assert same[1] <= 2 / 1000
        assert math.isnan(same[2])
    assert intervals.bca_test(units(MANY), Draws(1, 0))[0] <= 1


def test_the_method_names_the_kind_of_bootstrap():
    found = compared(test=rankgold.Bootstrap(draws=100), interval="percentile")
    assert found.method.test == "paired bootstrap test (percentile)"
    assert "paired bootstrap test (percentile)" in found.to_latex()


@for_each("test", ["t", "wilcoxon", "sign", "tukey", "anova"])
def test_a_test_that_takes_no_weights_says_so(test):
    with pytest.raises(rankgold.ComparisonError, match="neither weights nor clusters"):
        compared(test=test, units=rankgold.Units(weights={f"q{i}": 1.0 for i in range(8)}))


def test_the_p_value_of_tukey_is_that_of_all_orders():
    values = np.array([[0.1, 0.4, 0.5], [0.2, 0.3, 0.9], [0.3, 0.3, 0.4]])
    ranges = [
        np.ptp(np.sum([values[i][list(order)] for i, order in enumerate(orders)], axis=0))
        for orders in itertools.product(itertools.permutations(range(3)), repeat=3)
    ]
    expected = np.mean(np.array(ranges) >= abs(values[:, 0].sum() - values[:, 2].sum()) - 1e-9)
    p = significance_tests.randomized_tukey(values, Draws(20_000, 0))
    assert p[0, 2] == pytest.approx(expected, abs=0.015)
    assert p[0, 2] == p[2, 0]
    assert p[1, 1] == 1


def test_tukey_after_an_analysis_of_variance_by_hand():
    values = np.array([[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]])
    # Two runs: the studentized range of 2 is the t-test: q = |t| sqrt(2).
    expected = stats.ttest_rel(values[:, 0], values[:, 1]).pvalue
    assert significance_tests.anova_tukey(values, Draws(1, 0))[0, 1] == pytest.approx(expected, abs=1e-9)


def test_tukey_after_an_analysis_of_variance_does_not_tell_rounding_from_a_tie():
    values = np.random.default_rng(1).random(30)
    p = significance_tests.anova_tukey(
        np.stack([values, np.nextafter(values, 2), np.nextafter(values, -1)], axis=1), Draws(1, 0)
    )
    assert p.tolist() == np.ones((3, 3)).tolist()


def test_tukey_of_three_runs_has_the_error_of_the_two_way_model():
    values = np.random.default_rng(6).beta(2, 2, (12, 3)) + np.array([0, 0.1, 0.3])
    # The residuals of least squares with a term for each query and for each run but the first.
    terms = np.array([[*np.eye(12)[query], run == 1, run == 2] for query in range(12) for run in range(3)], dtype=float)
    residual = values.ravel() - terms @ np.linalg.lstsq(terms, values.ravel())[0]
    error = math.sqrt((residual @ residual) / (36 - 14) / 12)
    p = significance_tests.anova_tukey(values, Draws(1, 0))
    for a, b in itertools.combinations(range(3), 2):
        apart = abs(values[:, a].mean() - values[:, b].mean())
        assert p[a, b] == p[b, a] == pytest.approx(stats.studentized_range.sf(apart / error, 3, 22), abs=1e-9)


def test_a_frame_has_the_columns_of_the_design():
    frame = compared().frame
    assert frame.columns[:11] == [
        "measure", "a", "b", "mean_a", "mean_b", "difference", "low", "high", "p", "p_corrected", "effect",
    ]  # fmt: skip
    assert {"wins", "ties", "losses", "queries"} <= {*frame.columns}


def test_a_lower_value_can_be_the_better_one():
    found = rankgold.compare(QRELS, {"old": OLD, "new": NEW}, ["mr"], baseline="old")
    [row] = found
    assert row.difference < 0
    assert (row.wins, row.losses) == (5, 1)
    assert found.sentences[0].startswith("new may be better than old by")


def test_all_pairs_are_compared_without_a_baseline_and_holm_counts_them():
    runs = {"old": OLD, "new": NEW, "same": OLD}
    found = rankgold.compare(QRELS, runs, ["rr", "ap"])
    assert [(row.measure, row.a, row.b) for row in found][:3] == [
        ("rr", "old", "new"),
        ("rr", "old", "same"),
        ("rr", "new", "same"),
    ]
    assert len(found) == 6
    assert found.sentences[1] == "same and old have the same rr, p = 1.000 after Holm over 6 comparisons."


def test_scores_compare_what_is_evaluated_already():
    scores = rankgold.evaluate(QRELS, {"old": OLD, "new": NEW}, ["rr"])
    assert scores.compare(baseline="old").to_dict() == compared().to_dict()


def test_intervals_of_one_run_and_of_several():
    scores = rankgold.evaluate(QRELS, {"old": OLD, "new": NEW}, ["rr"])
    expected = stats.ttest_1samp(1 / np.array([1, 2, 2, 4, 1, 2, 4, 5]), 0).confidence_interval(0.95)
    assert scores.intervals(method="t")["old"]["rr"] == pytest.approx((expected.low, expected.high))
    low, high = scores["old"].intervals()["rr"]
    assert low < 4.2 / 8 < high


def test_outputs_name_the_test_and_escape_names():
    found = rankgold.compare(QRELS, {"o|<b>_&": OLD, "new": NEW}, ["rr"], baseline="o|<b>_&", test="t", correction="bh")
    assert "paired t-test" in found.to_latex()
    assert r"o\textbar{}\textless{}b\textgreater{}\_\&" in found.to_latex()
    assert "<b>" not in found.to_html()
    assert r"o\|&lt;b&gt;\_&amp;" in found.to_markdown()
    assert found.to_csv().splitlines()[0].split(",") == found.frame.columns
    assert "paired t-test" in repr(found)


def test_significant_means_have_a_dagger_and_letters_without_a_baseline():
    qrels, old = rankings([2] * 20)
    new = rankings([1] * 20)[1]
    runs = {"old": old, "new": new, "again": new}
    one = rankgold.compare(qrels, runs, ["rr"], baseline="old").to_latex()
    assert r"new & 1.0000\textsuperscript{\textdagger} \\" in one
    letters = rankgold.compare(qrels, runs, ["rr"]).to_latex()
    assert r"b: new & 1.0000 a \\" in letters


@for_each(
    ("choices", "message"),
    [
        ({"test": "randomisaton"}, "No test is called 'randomisaton'. Did you mean 'randomization'?"),
        ({"correction": "hom"}, "Did you mean 'holm'?"),
        ({"interval": "normal"}, "No interval is called 'normal'"),
        ({"interval": rankgold.Interval(level=95)}, "A level must be above 0 and below 1"),
        ({"test": rankgold.Randomization(draws=0)}, "draws must be a whole number from 1"),
        ({"seed": -1}, "seed must be a whole number from 0"),
        ({"interval": rankgold.Interval(margin=0)}, "A margin must be above 0"),
        ({"baseline": "odl"}, "Did you mean 'old'?"),
        ({"units": rankgold.Units(weights={"q0": 1})}, "Query 'q1' has no weight"),
        ({"units": rankgold.Units(weights={f"q{i}": -1 for i in range(8)})}, "must be 0 or more"),
    ],
)
def test_a_bad_choice_is_an_error_that_says_what_there_is(choices, message):
    with pytest.raises(rankgold.ComparisonError) as error:
        rankgold.compare(QRELS, {"old": OLD, "new": NEW}, ["rr"], **choices)
    assert message in str(error.value)


def test_one_run_and_geometric_means_cannot_be_compared():
    with pytest.raises(rankgold.ComparisonError, match="needs two runs or more"):
        rankgold.compare(QRELS, {"old": OLD}, ["rr"])
    with pytest.raises(rankgold.ComparisonError, match="geometric mean"):
        rankgold.compare(QRELS, {"old": OLD, "new": NEW}, ["gmap"])


def test_what_should_make_one_doubt_is_said():
    found = compared(correction="none")
    assert found.doubts[0].startswith("There are only 8 queries")
    longer = {query: row | {f"y{i}": -1 - i for i in range(20)} for query, row in NEW.items()}
    doubts = " ".join(rankgold.compare(QRELS, {"old": OLD, "long": longer}, ["rr"]).doubts)
    assert "of the documents of long are not judged" in doubts
    assert "measures without a cutoff favour the longer lists" in doubts
    # One query of 30 differs: the skewness is (1 - 2/30) / sqrt(1/30 * 29/30) = 5.2; that of exponential values is 2.
    qrels, many = rankings([2] * 30)
    skewed = rankgold.compare(qrels, {"a": many, "b": many | {"q0": {"d": 1}}}, ["rr"]).doubts
    assert any(doubt.startswith("A few queries differ far more than the others") for doubt in skewed)
    uncorrected = rankgold.compare(QRELS, {"old": OLD, "new": NEW, "c": NEW}, ["rr", "ap"], correction="none").doubts
    assert any(doubt.startswith("6 comparisons without a correction: about 0.3 of them") for doubt in uncorrected)
    family = rankgold.compare(QRELS, {"old": OLD, "new": NEW}, ["rr", "ap"], test=rankgold.Tukey(draws=10)).doubts
    assert "Tukey's test allows for the number of runs, but not for the 2 measures." in family
    same = " ".join(rankgold.compare(QRELS, {"old": OLD, "same": OLD}, ["rr"]).doubts)
    assert "Most queries have the same value in both runs" in same


def has_doubt(text, qrels, a, b, measures=("rr",), **choices):
    return any(text in doubt for doubt in rankgold.compare(qrels, {"a": a, "b": b}, list(measures), **choices).doubts)


def test_fewer_than_25_queries_or_clusters_are_few():
    qrels, a = rankings([1, 2] * 25)
    _, b = rankings([2, 1] * 25)
    for count in (1, 24, 25, 50):
        some = {f"q{i}": qrels[f"q{i}"] for i in range(count)}
        assert has_doubt(" only ", some, a, b) == (count < 25)
        if count > 1:
            clusters = {f"q{i}": i % count for i in range(50)}
            assert has_doubt(
                f"There are only {count} clusters", qrels, a, b, units=rankgold.Units(clusters=clusters)
            ) == (count < 25)
    assert has_doubt("There is only 1 query: a real difference is easily missed.", {"q0": qrels["q0"]}, a, b)
    two = "There are only 2 queries: a real difference is easily missed, and bca intervals are too narrow."
    assert has_doubt(two, {"q0": qrels["q0"], "q1": qrels["q1"]}, a, b)


def test_more_than_half_of_the_queries_are_most_of_them():
    qrels, a = rankings([1] * 8)
    for ties in (4, 5):
        _, b = rankings([1] * ties + [2] * (8 - ties))
        assert has_doubt("Most queries have the same value", qrels, a, b) == (ties == 5)
    named = "few decide: rr of a and b, ap of a and b, ndcg of a and b and 1 more."
    assert has_doubt(named, qrels, a, b, ["rr", "ap", "ndcg", "dcg"])


@pytest.mark.parametrize("swap", [False, True])
def test_differences_with_a_skewness_above_2_are_skewed(swap):
    # One of n queries differs: (1 - 2/n) / sqrt(1/n * (1 - 1/n)) is 4 / sqrt(5) = 1.79 for 6, and 5 / sqrt(6) = 2.04 for 7.
    for count in (6, 7):
        qrels, a = rankings([1] * count)
        _, b = rankings([2] + [1] * (count - 1))
        runs = (b, a) if swap else (a, b)
        assert has_doubt("A few queries differ far more", qrels, *runs) == (count == 7)


def test_more_than_3_comparisons_without_a_correction_are_many():
    for measures in (["rr", "ap", "r"], ["rr", "ap", "r", "p"]):
        several = has_doubt("comparisons without a correction", QRELS, OLD, NEW, measures, correction="none")
        assert several == (len(measures) == 4)
    assert not has_doubt("comparisons without a correction", QRELS, OLD, NEW, measures, correction="holm")


def test_lists_that_are_judged_less_by_more_than_5_percent_or_longer_by_more_than_10_percent_are_named():
    qrels = {"q": {f"d{i}": 1 for i in range(50)}}
    judged = {"q": {f"d{i}": 50 - i for i in range(50)}}
    for unjudged in (2, 3):
        less = {"q": {f"{'x' if i < unjudged else 'd'}{i}": 50 - i for i in range(50)}}
        text = "6% of the documents of b are not judged, and 0% of a: "
        assert has_doubt(text, qrels, judged, less) == (unjudged == 3)
        assert has_doubt("are not judged", qrels, judged, less) == (unjudged == 3)
    first = {"q": dict(list(judged["q"].items())[:10])}
    for length in (11, 12):
        longer = {"q": dict(list(judged["q"].items())[:length])}
        text = "b returns 12 documents a query, and a 10: measures without a cutoff favour the longer lists."
        assert has_doubt(text, qrels, first, longer) == (length == 12)
        assert has_doubt("documents a query", qrels, first, longer) == (length == 12)


def test_the_shell_compares_and_saves(tmp_path):
    files = [str(sample(name)) for name in ("qrels.txt", "titles.trec", "bm25.trec")]
    shown = printed("compare", *files, "--baseline", "titles", "-m", "ndcg@10", "-f", "json", "--draws", "1000")
    [row] = json.loads(shown)["comparisons"]
    scores = rankgold.evaluate(files[0], {"titles": files[1], "bm25": files[2]}, ["ndcg@10"])
    assert row["difference"] == pytest.approx(scores["ndcg@10"]["bm25"] - scores["ndcg@10"]["titles"], abs=1e-15)
    assert {"measure", "a", "b", "low", "high", "p", "p_corrected"} <= {*row}
    target = tmp_path / "table.tex"
    printed("compare", *files, "-m", "ap", "--draws", "100", "-o", str(target))
    assert r"\toprule" in target.read_text()


def test_the_shell_reads_weights_and_clusters(tmp_path):
    files = [str(sample(name)) for name in ("qrels.txt", "titles.trec", "bm25.trec")]
    scores = rankgold.evaluate(files[0], {"titles": files[1], "bm25": files[2]}, ["rr"])
    queries = scores.queries("bm25")
    traffic = {query: 1.0 + i for i, query in enumerate(queries)}
    users = {query: f"user {i // 2}" for i, query in enumerate(queries)}
    (tmp_path / "traffic").write_text("query\tweight\n" + "".join(f"{q}\t{w}\n" for q, w in traffic.items()))
    (tmp_path / "users").write_text("".join(f"{q}\t{u}\n" for q, u in users.items()))
    options = ["-m", "rr", "--draws", "500", "-f", "json"]
    given = ["--weights", str(tmp_path / "traffic"), "--clusters", str(tmp_path / "users")]
    [row] = json.loads(printed("compare", *files, *options, *given))["comparisons"]
    units, test = rankgold.Units(weights=traffic, clusters=users), rankgold.Randomization(draws=500)
    found = scores.compare(units=units, test=test, interval=rankgold.Interval(draws=500))
    assert row == found.to_dict()["comparisons"][0]
    changes = scores.values("rr", "bm25") - scores.values("rr", "titles")
    assert row["difference"] == pytest.approx(np.average(changes, weights=list(traffic.values())), abs=1e-12)
    for text, message in (
        ("q1\tmuch\n", "bad:1: its weight must be a number"),
        ("q1\t1\nq1\t2\n", "bad:2: query 'q1'"),
    ):
        (tmp_path / "bad").write_text(text)
        with pytest.raises(rankgold.DataError, match=message):
            printed("compare", *files, "--weights", str(tmp_path / "bad"))


def test_values_that_differ_by_rounding_are_equal():
    # Both documents have the same grade, so that their order does not matter; averaged, the sum is rounded otherwise.
    qrels = {f"q{i}": {"x": 1, "y": 1} for i in range(20)}
    ordered, tied = ({f"q{i}": {"x": score, "y": 1} for i in range(20)} for score in (2, 1))
    found = rankgold.compare(qrels, {"ordered": ordered, "tied": tied}, ["ndcg"], policy="ties=average")
    [row] = found
    assert (row.difference, row.wins, row.ties, row.p) == (0, 0, 20, 1)
    assert found.sentences == ["tied and ordered have the same ndcg, p = 1.000."]
    assert rankgold.diff(qrels, ordered, tied, "ndcg", policy="ties=average").gains() == []


def test_one_query_gives_no_certainty_and_no_warning():
    for test in ("randomization", "bootstrap", "t", "wilcoxon", "sign"):
        [row] = rankgold.compare(
            {"q": {"d": 1}}, {"a": {"q": {"d": 2, "x": 1}}, "b": {"q": {"d": 1, "x": 2}}}, ["rr"], test=test
        )
        assert not row.p < 1
        assert math.isnan(row.low)
    # Three queries with the same difference: SciPy warns of it.
    same = {f"q{i}": {"d": 1, "x": 2} for i in range(3)}, {f"q{i}": {"d": 2, "x": 1} for i in range(3)}
    qrels = {f"q{i}": {"d": 1} for i in range(3)}
    assert (
        rankgold.compare(qrels, {"a": same[0], "b": same[1]}, ["rr"], test="t", interval=rankgold.Interval(margin=0.9))
        .rows[0]
        .difference
        == 0.5
    )


def test_studentized_intervals_of_very_few_queries_are_undefined_and_never_absurd():
    few = intervals.studentized(units([0.1, 0.5, 0.3]), 0.95, Draws(2000, 0))
    assert np.isnan(few).all()
    # All values the same: the interval is the value.
    assert np.ravel(intervals.studentized(units([0.3] * 5), 0.95, Draws(100, 0))).tolist() == pytest.approx([0.3, 0.3])


@for_each(
    "choices",
    [
        {"units": rankgold.Units(weights=3)},
        {"units": rankgold.Units(clusters="x")},
        {"units": {"q0": 1}},
        *({"interval": rankgold.Interval(**wrong)} for wrong in ({"level": "x"}, {"level": None}, {"margin": "x"})),
    ],
)
def test_a_choice_of_another_type_is_an_error_of_ours(choices):
    with pytest.raises(rankgold.ComparisonError):
        compared(**choices)


def test_runs_may_have_numbers_for_names():
    assert rankgold.compare(QRELS, {1: OLD, 2: NEW}, ["rr"], baseline=1).rows[0].a == "1"


def test_a_name_that_begins_with_a_bracket_or_a_star_is_text_in_latex():
    text = rankgold.compare(QRELS, {"[t]": OLD, "*e": NEW}, ["rr"], baseline="[t]").to_latex()
    assert "{[}t] &" in text
    assert "{*}e &" in text


def test_a_p_value_of_alpha_is_not_significant_and_none_is_shown_as_0():
    found = compared()
    [row] = found
    for p, is_significant in ((0.0499, True), (0.05, False), (math.nan, False)):
        assert found.is_significant(replace(row, p_corrected=p)) == is_significant
    assert (_p_cell(0.00009, 4), _p_cell(0.0001, 4), _p_cell(0.009, 2)) == ("<0.0001", 0.0001, "<0.01")


def test_runs_that_find_nothing_have_no_difference_and_one_query_has_no_interval():
    qrels, run = {"q": {"d": 1}, "r": {"d": 1}}, {"q": ["x"], "r": ["x"]}
    [row] = rankgold.compare(qrels, {"a": run, "b": run}, ["rr"])
    assert (row.mean_a, row.mean_b, row.difference) == (0.0, 0.0, 0.0)
    one = rankgold.compare({"q": {"d": 1}}, {"a": {"q": ["x", "d"]}, "b": {"q": ["d"]}}, ["rr"], test="t")
    assert one.sentences == ["b may be better than a by 0.500 rr."]


def test_a_sentence_has_the_interval_from_the_side_of_the_better_run():
    [forth] = rankgold.compare(QRELS, {"old": OLD, "new": NEW}, ["rr"], interval="t").sentences
    [back] = rankgold.compare(QRELS, {"new": NEW, "old": OLD}, ["rr"], interval="t").sentences
    assert forth == back
    low, high = stats.ttest_1samp(CHANGES, 0).confidence_interval(0.95)
    assert f"better than old by 0.250 rr, 95 % CI {low:.3f} to {high:.3f}, p" in back


def test_sentences_count_comparisons_if_there_are_two_or_more():
    [one] = compared().sentences
    assert "after Holm" not in one
    two = rankgold.compare(QRELS, {"old": OLD, "new": NEW}, ["rr", "ap"]).sentences
    assert all("after Holm over 2 comparisons" in sentence for sentence in two)


def test_runs_beyond_z_have_two_letters():
    assert [_letters(number) for number in (0, 25, 26, 27, 51, 52, 701, 702)] == [
        "a", "z", "aa", "ab", "az", "ba", "zz", "aaa",
    ]  # fmt: skip


def test_signs_are_drawn_100000_times_and_samples_10000_times_unless_another_number_is_given():
    assert compared().method.draws == 100_000
    assert compared(test="bootstrap").method.draws == 10_000
    assert compared(test=rankgold.Randomization(draws=7)).method.draws == 7
    ends = [(row.low, row.high) for row in (*compared(), *compared(test="t", interval=rankgold.Interval(draws=10_000)))]
    assert ends[0] == ends[1]


def test_rounding_is_a_share_of_the_mean_of_what_is_added_up():
    # |0.1| and |-0.3|: a mean of 0.2.
    assert units([0.1, -0.3]).rounding == pytest.approx([0.2e-12], abs=0)


def test_the_interval_of_a_difference_alone_is_that_of_the_comparison():
    scores = rankgold.evaluate(QRELS, {"old": OLD, "new": NEW}, ["rr"])
    [row] = compared()
    assert interval_of_difference(scores, "rr", "old", "new", 0.95) == (
        pytest.approx(row.difference), pytest.approx(row.low), pytest.approx(row.high), 8,
    )  # fmt: skip
    sums = rankgold.evaluate(QRELS, {"old": OLD, "new": NEW}, ["rr"], per_query=False, engine="duckdb")
    [row] = compared(interval=rankgold.Interval("t", level=0.9))
    assert interval_of_difference(sums, "rr", "old", "new", 0.9) == (
        pytest.approx(row.difference), pytest.approx(row.low), pytest.approx(row.high), 8,
    )  # fmt: skip


def test_mean_ranks_share_ties_and_group_what_is_closer_than_the_critical_difference():
    values = np.array([[0.9, 0.5, 0.1], [0.8, 0.8, 0.2], [0.7, math.nan, 0.1]] + [[0.9, 0.5, 0.1]] * 7)
    found = mean_ranks(values)
    # Nine queries count, in one of which the first two share ranks 1 and 2: (8 + 1.5) / 9, (16 + 1.5) / 9 and 3.
    assert found.ranks == pytest.approx([9.5 / 9, 17.5 / 9, 3])
    # 2.343 * sqrt(3 * 4 / (6 * 9)) = 1.105 (Demsar 2006, table 5).
    assert (found.queries, found.critical) == (9, pytest.approx(2.343 * math.sqrt(12 / 54), abs=1e-3))
    assert found.groups() == [(0, 1), (1, 2)]
    assert found.p == pytest.approx(stats.friedmanchisquare(*values[[0, 1, *range(3, 10)]].T).pvalue)
    assert math.isnan(mean_ranks(values[:, :2]).p)
    assert mean_ranks(np.ones((2, 3))).p == 1.0
    for too_few in (np.ones((3, 1)), np.full((3, 2), math.nan)):
        with pytest.raises(rankgold.ComparisonError, match="Mean ranks need two runs"):
            mean_ranks(too_few)


def test_a_comparison_is_a_table_whose_rows_are_named_by_measure_and_runs():
    [table] = compared().document().tables
    assert (table.header[:6], table.keys, table.digits) == (
        ["measure", "a", "b", "mean a", "mean b", "b - a"], 3, 4,
    )  # fmt: skip
    assert table.strong == frozenset()
    qrels, bad = rankings([2] * 8)
    _, good = rankings([1] * 8)
    # 2 of 2 ** 8 choices of signs: p = 0.0078.
    [table] = (
        rankgold.compare(qrels, {"bad": bad, "good": good}, ["rr"], interval=rankgold.Interval(margin=0.1))
        .document(2)
        .tables
    )
    assert (table.strong, table.digits, table.header[-1]) == ({(0, 5)}, 2, "p equivalent")
    assert len(table.header) == len(table.alignment) == len(table.rows[0])


def test_one_query_without_a_difference_is_no_evidence_and_two_with_one_are_tested():
    one, two = units([0.0]), units([0.1, 0.3])
    for test in (significance_tests.t, significance_tests.wilcoxon, significance_tests.sign):
        assert test(one, Draws(1, 0)).tolist() == [1.0]
        assert np.isnan(test(units([0.1]), Draws(1, 0))).all()
    assert significance_tests.t(two, Draws(1, 0)) == pytest.approx([stats.ttest_1samp([0.1, 0.3], 0).pvalue])
    assert significance_tests.sign(two, Draws(1, 0)).tolist() == [0.5]
    # Equivalent within any margin are two queries without a difference; one says nothing.
    assert np.isnan(significance_tests.equivalence(one, 0.1)).all()
    assert significance_tests.equivalence(units([0.0, 0.0]), 0.1).tolist() == [0.0]


def test_progress_is_told_before_runs_are_compared():
    told = []
    compared(progress=lambda what, share, rows: told.append((what, share, rows)))
    assert ("comparing", 0.0, 0) in told


def test_captions_say_what_marks_and_letters_mean():
    def caption(**choices):
        found = rankgold.compare(
            QRELS, {"old": OLD, "new": NEW, "c": NEW}, ["rr"], interval=rankgold.Interval(level=0.9), **choices
        )
        assert found.document().facts[-1 - len(found.doubts)][1].endswith("ends of the 90 % interval.")
        return found.document().tables_alone[0].caption

    assert "differs significantly from old (" in caption(baseline="old")
    assert "Letters: the runs than which a run is significantly better (" in caption()


def test_words_of_the_generator_are_used_one_after_the_other(monkeypatch):
    # 8 draws of 8 signs are the 64 bits of a word.
    monkeypatch.setattr(paired_values, "_CELLS", 64)
    words = np.random.PCG64(3).random_raw(2).astype("<u8")
    first, second = paired_values.random_signs(3, 16, 8)
    assert first.tolist() == np.unpackbits(words[:1].view(np.uint8)).reshape(8, 8).tolist()
    assert second.tolist() == np.unpackbits(words[1:].view(np.uint8)).reshape(8, 8).tolist()


def test_queries_without_a_weight_are_named():
    scores = rankgold.evaluate(QRELS, {"old": OLD, "new": NEW}, ["rr"])
    weights = {f"q{i}": 1 for i in range(4)}
    with pytest.raises(rankgold.ComparisonError, match="There are weights for q0, q1, q2 and 1 more"):
        scores.compare(units=rankgold.Units(weights=weights))


def test_of_samples_with_the_mean_that_was_seen_half_are_below_it():
    # The mean is 0.2: one sample is below it, two are the same but for rounding, one is above.
    below, _ = intervals.bca_shape(units([0.1, 0.3]), np.array([[0.1], [0.2], [0.2 + 1e-16], [0.3]]))
    assert below.tolist() == [(1 + 2 / 2) / 4]
