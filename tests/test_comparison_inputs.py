"""Comparisons of unusual input: missing queries, weights of 0 and huge ones, one cluster, choices that have no use."""

import json
import math

import numpy as np
import pytest

import rankgold
from rankgold.data.files import sample
from tests.shell import printed, refused

FILES = [str(sample(name)) for name in ("qrels.txt", "bm25.trec", "expanded.trec")]
ATTRIBUTES = str(sample("attributes.csv"))
QRELS = {f"q{i}": {"d": 1} for i in range(4)}
# Reciprocal ranks: 1, 1, 1, 1 and 0.5, 0.5, 1, 1.
FULL = {query: {"d": 2, "x": 1} for query in QRELS}
HALF = {"q0": {"d": 1, "x": 2}, "q1": {"d": 1, "x": 2}, "q2": {"d": 2}, "q3": {"d": 2}}


def compared(a=HALF, b=FULL, **choices):
    return rankgold.compare(QRELS, {"a": a, "b": b}, ["rr"], **choices)


def test_queries_without_a_ranking_are_a_reason_for_doubt():
    part = {query: FULL[query] for query in ("q0", "q1", "q2")}
    doubt = "b has no ranking for 1 judged query (q3): {} (policy missing={})."
    assert doubt.format("scored as if nothing was found", "zero") in compared(b=part).doubts
    skipped = compared(b=part, policy="missing=skip")
    assert doubt.format("not compared", "skip") in skipped.doubts
    assert not any("no ranking" in text for text in compared().doubts)


def test_only_the_shares_of_weights_count_however_large_they_are():
    [small], [huge] = (
        compared(units=rankgold.Units(weights={q: w * (i + 1) for i, q in enumerate(QRELS)})) for w in (1, 2.0**1020)
    )
    assert (small.difference, small.p, small.low, small.effect) == (huge.difference, huge.p, huge.low, huge.effect)


def test_the_effects_of_weighted_queries_are_weighted():
    # Differences 0.5, 0.5, 0, 0 with the shares 0.4, 0.2, 0.2, 0.2: mean 0.3, spread 0.6 * 0.2**2 + 0.4 * 0.3**2 = 0.06,
    # over 1 - (0.16 + 3 * 0.04) = 0.72.
    [row] = compared(units=rankgold.Units(weights={"q0": 2, "q1": 1, "q2": 1, "q3": 1}))
    assert row.effect == pytest.approx(0.3 / math.sqrt(0.06 / 0.72))
    [equal], [plain] = compared(units=rankgold.Units(weights=dict.fromkeys(QRELS, 3))), compared()
    assert equal.effect == pytest.approx(plain.effect)
    [alone] = compared(units=rankgold.Units(weights={"q0": 1, "q1": 0, "q2": 0, "q3": 0}))
    assert math.isnan(alone.effect)


def test_a_query_of_nearly_all_the_weight_leaves_no_effect():
    [row] = compared(units=rankgold.Units(weights={"q0": 1e20, "q1": 1, "q2": 1, "q3": 1}))
    assert row.difference == pytest.approx(0.5)
    assert math.isnan(row.effect)
    assert math.isnan(row.standardized)


def test_differences_that_are_all_the_same_have_no_effect_in_deviations():
    # dcg@1 is the grade of the first document: 0.3 - 0.2, 0.8 - 0.7 and 0.6 - 0.5 are 0.1 but for rounding.
    grades = {"q1": (0.2, 0.3), "q2": (0.7, 0.8), "q3": (0.5, 0.6)}
    qrels = {query: {"a": first, "b": second} for query, (first, second) in grades.items()}
    runs = {name: {query: {name: 1.0} for query in grades} for name in ("a", "b")}
    [row] = rankgold.compare(qrels, runs, ["dcg@1"])
    assert row.difference == pytest.approx(0.1)
    assert math.isnan(row.effect)
    # The values of a are 0.2, 0.5 and 0.7, whose variance is 0.19 / 3; those of b have the same.
    assert row.standardized == pytest.approx(0.1 / math.sqrt(0.19 / 3))


def test_one_query_shows_no_equivalence():
    one = {"q0": {"d": 1}}
    found = rankgold.compare(one, {"a": one, "b": one}, ["rr"], interval=rankgold.Interval(margin=0.1))
    assert math.isnan(found.rows[0].p_equivalent)
    assert found.sentences == ["b and a have the same rr, p = 1.000."]
    assert "equivalent within 0.1" in compared(a=FULL, interval=rankgold.Interval(margin=0.1)).sentences[0]


def test_few_queries_are_a_doubt_about_intervals_and_p_values_that_are_too_good():
    few = "There are only 4 queries: a real difference is easily missed"
    assert compared().doubts[0] == f"{few}, and bca intervals are too narrow."
    found = compared(test="bootstrap", interval="percentile")
    assert found.doubts[0] == f"{few}, p-values are too low, and percentile intervals are too narrow."
    assert compared(interval="t").doubts[0] == f"{few}, and intervals are too narrow if a few queries decide."
    one = {"q0": {"d": 1}}
    doubts = rankgold.compare(one, {"a": one, "b": one}, ["rr"]).doubts
    assert doubts[0] == "There is only 1 query: a real difference is easily missed."


def test_lists_of_one_and_two_documents_have_lengths_with_decimals():
    mixed = {**{query: {"d": 2} for query in QRELS}, "q0": {"d": 2, "x": 1}}
    single = {query: {"d": 2} for query in QRELS}
    doubt = "b returns 1.2 documents a query, and a 1: measures without a cutoff favour the longer lists."
    assert doubt in compared(a=single, b=mixed).doubts  # 5 documents for 4 queries


def test_a_small_difference_is_not_shown_as_0():
    # 4 of 20,000 queries gain 0.5 each: 0.0001.
    qrels = {f"q{i}": {"d": 1} for i in range(20_000)}
    old = {query: {"d": 1, "x": 2} for query in qrels}
    new = {**old, **{f"q{i}": {"d": 2, "x": 1} for i in range(4)}}
    [sentence] = rankgold.compare(
        qrels, {"old": old, "new": new}, ["rr"], test=rankgold.Randomization(draws=200)
    ).sentences
    assert sentence.startswith("new may be better than old by 0.00010 rr, 95 % CI 0.0000")
    assert sentence.endswith(", p = 0.125.")  # two of the 16 choices of signs


def test_the_method_says_that_queries_are_weighted_or_clustered():
    assert (
        compared(units=rankgold.Units(weights=dict.fromkeys(QRELS, 1))).method.describe().endswith(", queries weighted")
    )
    found = compared(units=rankgold.Units(clusters=dict.fromkeys(QRELS, "u")))
    assert found.method.describe().endswith(", queries drawn in clusters")
    assert found.doubts[0] == "There is only 1 cluster of queries: a real difference is easily missed."


def test_a_slice_without_weight_is_left_out_and_named():
    by = {"q0": "old", "q1": "old", "q2": "new", "q3": "new"}
    found = compared(by=by, units=rankgold.Units(weights={"q0": 1, "q1": 2, "q2": 0, "q3": 0}))
    assert [name for _, name in found.slices.titles] == ["old"]
    assert any("= new: all queries have the weight 0" in note for note in found.slices.notes)
    scores = rankgold.evaluate(QRELS, {"a": HALF, "b": FULL}, ["rr"], by=by)
    with pytest.raises(rankgold.ComparisonError, match="not all of them 0"):
        scores.slices.compare(units=rankgold.Units(weights=dict.fromkeys(QRELS, 0)))


def test_an_infinite_margin_is_refused_and_a_p_value_is_never_0():
    with pytest.raises(rankgold.ComparisonError, match="finite"):
        compared(interval=rankgold.Interval(margin=math.inf))
    found = compared(interval=rankgold.Interval(margin=1e9))
    assert found.sentences[0].endswith("equivalent within 1e+09 (p < 0.0001).")
    assert "<0.0001" in str(found)


def test_a_geometric_mean_has_no_differences_of_queries():
    for measure in ("gmap", rankgold.parse_measure("gmap")):
        with pytest.raises(rankgold.ComparisonError, match="geometric mean"):
            rankgold.diff(*FILES, measure)


def test_a_tiny_difference_needs_more_than_a_billion_queries():
    sentence = rankgold.power([1, -1, 0.5, -0.4], difference=1e-9).sentences[0]
    assert sentence.endswith("a difference of 1e-09 needs more than 1,000,000,000 queries.")


def test_level_and_interval_are_those_of_the_slices_too():
    sliced = [*FILES[:2], "-m", "rr", "--slices", ATTRIBUTES, "--by", "kind", "--quiet"]
    shown = printed("evaluate", *sliced, "--level", "0.9", "--interval", "t")
    assert "Means of each slice, with 90 % intervals (t)" in shown
    expected = rankgold.evaluate(*FILES[:2], ["rr"], by=ATTRIBUTES).slices.intervals(0.9, "t").rows[0]
    assert f"{expected.low:.4f} to {expected.high:.4f}" in shown


def test_options_that_would_have_no_effect_are_refused():
    plain = ["evaluate", *FILES[:2], "-m", "rr"]
    assert "--level is for intervals" in refused(*plain, "--level", "0.9")
    assert "--interval is for intervals" in refused(*plain, "--interval", "t")
    assert "the format trec_eval cannot show slices" in refused(*plain, "--slices", ATTRIBUTES, "-f", "trec_eval")
    assert "CSV holds one table" in refused(*plain, "--slices", ATTRIBUTES, "-f", "csv", "--per-query")
    assert "csv cannot show --sparkline" in refused(*plain, "--sparkline", "-f", "csv")
    assert "--ci and --sparkline cannot be combined" in refused(*plain, "--sparkline", "--ci")
    for command in ("compare", "diff"):
        assert "--digits is for formats that people read" in refused(command, *FILES, "-f", "csv", "--digits", "2")


def test_a_diff_leaves_out_the_queries_that_the_policy_leaves_out():
    part = {query: FULL[query] for query in ("q0", "q1", "q2")}
    # The differences 0.5, 0.5 and 0 of q0, q1 and q2; q3 has no ranking in b.
    found = rankgold.diff(QRELS, HALF, part, "rr", policy="missing=skip")
    assert found.difference == pytest.approx(1 / 3)
    assert [change.query for change in found.changes] == ["q0", "q1", "q2"]
    assert rankgold.diff(QRELS, HALF, part, "rr").difference == pytest.approx(0)


def test_numbers_of_numpy_are_numbers_and_others_are_refused_in_plain_words():
    assert compared(interval=rankgold.Interval(level=np.float32(0.5))).method.level == 0.5
    grades = {("q0", "x"): np.int64(1)}
    assert next(rankgold.what_if(QRELS, HALF, ["rr"], grade=grades).rows()) == ("q0", "rr", 0.5, 1.0)
    assert rankgold.power([0.1, 0.2, 0.4], difference=np.float32(0.5)).rows[0].difference == 0.5
    assert rankgold.power([0.1, 0.2, 0.4], difference=1e300).rows[0].power == 1.0
    scores = rankgold.evaluate(QRELS, HALF, ["rr"], by=dict.fromkeys(QRELS, "x"))
    for wrong, message in (
        (
            lambda: compared(units=rankgold.Units(weights=dict.fromkeys(QRELS, "many"))),
            "Weights of queries must be numbers",
        ),
        (
            lambda: compared(
                units=rankgold.Units(weights=dict.fromkeys(QRELS, 1)), interval=rankgold.Interval(margin=0.1)
            ),
            "A margin takes neither weights",
        ),
        (lambda: rankgold.power([0.1, 0.2, 0.4], difference=True), "difference must be a number"),
        (lambda: rankgold.diff(QRELS, HALF, FULL, "rr", query_texts=["q0"]), "query_texts must be a dict"),
        (lambda: scores.slices[0], "a slice must be a name"),
    ):
        with pytest.raises(rankgold.RankgoldError, match=message):
            wrong()


@pytest.mark.parametrize(
    ("other", "own"),
    [
        ({"test": "fisher"}, {"test": "randomization"}),  # ranx
        ({"test": "Student"}, {"test": "t"}),
        ({"correction": "fdr_bh"}, {"correction": "bh"}),  # statsmodels
        ({"correction": "Benjamini-Yekutieli"}, {"correction": "by"}),
    ],
)
def test_names_of_other_tools_are_known(other, own):
    assert compared(**other).to_dict() == compared(**own).to_dict()
    (name, value), (wanted,) = next(iter(other.items())), own.values()
    asked = ["compare", sample("qrels.txt"), sample("bm25.trec"), sample("titles.trec"), "-m", "rr", f"--{name}"]
    assert printed(*map(str, asked), value) == printed(*map(str, asked), wanted)


def test_weights_by_numbers_of_queries_are_read_once():
    class Traffic(dict):
        reads = 0

        def items(self):
            self.reads += 1
            return super().items()

    qrels = {number: {"d": 1} for number in range(9)}
    runs = {"a": {number: {"d": 1, "e": 2} for number in qrels}, "b": {number: {"d": 2, "e": 1} for number in qrels}}
    traffic = Traffic.fromkeys(qrels, 2.0)
    assert rankgold.compare(qrels, runs, ["rr"], units=rankgold.Units(weights=traffic)).rows[0].difference == 0.5
    assert traffic.reads == 1


def test_a_weight_by_text_counts_before_one_by_number():
    # b is better by 0.5 in query 1 and the same in query 2, so the weights 3 and 1 of the texts make it 0.5 * 3 / 4.
    qrels = {"1": {"d": 1}, "2": {"d": 1}}
    runs = {"a": {"1": {"d": 1, "e": 2}, "2": {"d": 1}}, "b": {"1": {"d": 2, "e": 1}, "2": {"d": 1}}}
    for weights in ({"1": 3, "2": 1, 1: 1, 2: 1}, {1: 1, 2: 1, "1": 3, "2": 1}):
        assert rankgold.compare(qrels, runs, ["rr"], units=rankgold.Units(weights=weights)).rows[0].difference == 0.375


def test_draws_and_seed_of_numpy_are_numbers_in_json():
    method = json.loads(compared(test=rankgold.Randomization(draws=np.int64(50)), seed=np.int32(3)).to_json())["method"]
    assert (method["draws"], method["seed"]) == (50, 3)
