"""Hand-worked values for every choice of every measure that the oracles do not cover."""

import json
from math import comb, e, exp, inf, isnan, log, log2, nan, sqrt

import pytest

import rankgold
from rankgold.measures.notation import parse_in_dialect
from rankgold.measures.registry import REGISTRY
from tests.cases import for_each


def check(hits, expected):
    """The mean of each measure is as worked out; NaN is undefined."""
    assert rankgold.evaluate(hits, list(expected)).means == pytest.approx(expected, rel=1e-14, nan_ok=True)


def test_precision_divides_by_k_by_what_was_returned_or_by_what_could_be_found():
    # Relevant at the ranks 1 and 3 of a list of 4; R = 3, one was not retrieved.
    check(rankgold.from_labels([[1, 0, 1, 0]], 3), {
        "p@3": 2 / 3, "p@10": 2 / 10, "p": 2 / 4,
        "p(norm=returned)@3": 2 / 3, "p(norm=returned)@10": 2 / 4, "p(norm=returned)": 2 / 4,
        "p(norm=min)@2": 1 / 2, "p(norm=min)@10": 2 / 3, "p(norm=min)": 2 / 3,
    })  # fmt: skip


def test_recall_divides_by_the_relevant_documents_or_by_what_k_places_can_hold():
    check(rankgold.from_labels([[1, 0, 1, 0]], 3), {
        "r@1": 1 / 3, "r@3": 2 / 3, "r": 2 / 3,
        "r(norm=min)@1": 1 / 1, "r(norm=min)@2": 1 / 2, "r(norm=min)@10": 2 / 3, "r(norm=min)": 2 / 3,
    })  # fmt: skip


def test_f_weighs_recall_by_beta_and_takes_the_precision_of_its_norm():
    # 2 found, R = 3, list of 4: F = (1 + b^2) 2 / (b^2 3 + depth).
    check(rankgold.from_labels([[1, 0, 1, 0]], 3), {
        "f@10": 2 * 2 / (3 + 10), "f(norm=returned)@10": 2 * 2 / (3 + 4), "f": 2 * 2 / (3 + 4),
        "f(beta=2)@4": 5 * 2 / (4 * 3 + 4), "f(beta=0.5)@4": 1.25 * 2 / (0.25 * 3 + 4),
    })  # fmt: skip


def test_numbers_that_are_too_large_for_a_formula_are_errors():
    hits = rankgold.from_labels([[1], [1]])
    check(hits, {"f(beta=1e100)": 1})
    with pytest.raises(rankgold.MeasureError, match="beta must be at most 1e100"):
        rankgold.evaluate(hits, ["f(beta=1e101)"])
    # Two lists of 60 million documents.
    with pytest.raises(rankgold.MeasureError, match="60000000 for 2 queries are too many"):
        rankgold.evaluate(hits, ["ndcg(ideal=ones)@60000000"])


def test_ranks_counts_correlations_and_sums_without_end_declare_their_spans():
    # The greedy ideal has at least 1 - 1/e of the best gain, so a list may have 1 / (1 - 1/e) = 1.5819... of the ideal.
    expected = {
        **dict.fromkeys(["mr", "frp", "arp"], (1, inf)),
        **dict.fromkeys(["num_q", "num_ret", "num_rel", "num_rel_ret", "num_nonrel_judged_ret"], (0, inf)),
        **dict.fromkeys(["cg", "dcg", "idcg", "coverage_error"], (0, inf)),
        **dict.fromkeys(["kendall", "spearman", "mcc"], (-1, 1)),
        **dict.fromkeys(["utility", "yaap"], (-inf, inf)),
        **dict.fromkeys(["alpha_ndcg", "nerr_ia", "nnrbp"], (0, 1.582)),
        **dict.fromkeys(["p", "r", "f", "ap", "rr", "ndcg", "err", "rbp", "auc", "bpref", "hit"], (0, 1)),
    }
    assert {name: REGISTRY[name].span for name in expected} == expected


def test_lower_is_better_for_ranks_errors_and_what_is_not_known():
    lower = (
        "mr", "frp", "arp", "coverage_error", "ranking_loss", "fallout", "num_nonrel_judged_ret", "unjudged", "rbp_resid"
    )  # fmt: skip
    assert {name: REGISTRY[name].higher_is_better for name in lower} == dict.fromkeys(lower, False)
    higher = ("p", "r", "f", "ap", "rr", "ndcg", "err", "rbp", "auc", "bpref", "hit", "num_rel_ret", "judged")
    assert {name: REGISTRY[name].higher_is_better for name in higher} == dict.fromkeys(higher, True)


def test_precision_says_what_it_divides_by():
    hits = rankgold.from_labels([[1, 0]])
    norms = {
        name: rankgold.parse_measure(name)(hits).norm_is for name in ("p", "p@3", "p(norm=returned)@3", "p(norm=min)@3")
    }
    assert norms == {
        "p": "documents returned", "p@3": "k, the cutoff", "p(norm=returned)@3": "documents returned in the top k",
        "p(norm=min)@3": "min(k, R), the most that could be found",
    }  # fmt: skip


def test_f_is_the_harmonic_mean_of_precision_and_recall():
    # P@5 = 2/5, R@5 = 2/3: 2 * 2/5 * 2/3 / (2/5 + 2/3) = 1/2.
    check(rankgold.from_labels([[1, 0, 1, 0, 0]], 3), {"p@5": 2 / 5, "r@5": 2 / 3, "f@5": 1 / 2})


def test_rel_is_the_lowest_grade_that_counts_as_relevant():
    # Grades 1, 2, 0, 3; of grade 2 and better: the ranks 2 and 4, and two in all.
    check(rankgold.from_labels([[1, 2, 0, 3]]), {
        "p(rel=2)@3": 1 / 3, "r(rel=2)@3": 1 / 2, "f(rel=2)@3": 2 * 1 / (2 + 3), "hit(rel=2)@1": 0, "hit(rel=2)@2": 1,
        "rprec(rel=2)": 1 / 2, "ap(rel=2)": (1 / 2 + 2 / 4) / 2, "ar(rel=2)": (1 / 2 + 2 / 2) / 2, "rr(rel=3)": 1 / 4,
        "mr(rel=2)": (2 + 4) / 2, "frp(rel=3)": 4, "auc(rel=2)": (1 + 0) / (2 * 2), "p(rel=0.5)@2": 2 / 2,
    })  # fmt: skip


def test_rprec_is_precision_at_the_number_of_relevant_documents():
    # R = 4 with two missed: one of the first four is relevant, whatever the list's length.
    check(rankgold.from_labels([[0, 1, 0, 0, 1]], 4), {"rprec": 1 / 4})
    check(rankgold.from_labels([[1, 1]], 4), {"rprec": 2 / 4})


def test_r_precision_at_a_multiple_looks_as_far_down_as_the_multiple():
    # R = 1, so the top 200: the relevant document stands at rank 150.
    check(rankgold.from_labels([[0] * 149 + [1]]), {"rprec_mult(multiple=200)": 1 / 200, "rprec_mult(multiple=149)": 0})


def test_average_precision_divides_by_its_norm():
    # Relevant at the ranks 1, 3 of 4, R = 3: the sum is 1 + 2/3 = 5/3; at rank 2 it is 1.
    check(rankgold.from_labels([[1, 0, 1, 0]], 3), {
        "ap": 5 / 3 / 3, "ap@2": 1 / 3, "ap(norm=retrieved)": 5 / 3 / 2, "ap(norm=retrieved)@2": 1 / 1,
        "ap(norm=min)": 5 / 3 / 3, "ap(norm=min)@2": 1 / 2, "ap(norm=min)@10": 5 / 3 / 3,
        "ap(norm=k)@2": 1 / 2, "ap(norm=k)@10": 5 / 3 / 10, "ap(norm=k)": 5 / 3 / 4,
        "ap(norm=returned)@2": 1 / 2, "ap(norm=returned)@10": 5 / 3 / 4, "ap(norm=returned)": 5 / 3 / 4,
    })  # fmt: skip


def test_average_recall_sees_how_many_were_found_and_not_where():
    # 2 found of R = 4: (1/4 + 2/4) / 2 = 3/8; one found at the cutoff 1: 1/4.
    check(rankgold.from_labels([[1, 0, 0, 1]], 4), {"ar": 3 / 8, "ar@1": 1 / 4})
    check(rankgold.from_labels([[1, 1, 0, 0]], 4), {"ar": 3 / 8})


def test_graded_average_precision_gives_every_grade_its_share_of_the_readers():
    # Grades 1, 3, 0, 2. Grade 1: ranks 1, 2, 4, so 1 + 1 + 3/4 = 11/4 of 3. Grade 2: ranks 2, 4, so 1/2 + 2/4 = 1 of 2.
    # Grade 3: rank 2, so 1/2 of 1. Alike: (11/4 + 1 + 1/2) / (3 + 2 + 1) = 17/24.
    check(rankgold.from_labels([[1, 3, 0, 2]]), {
        "gap": 17 / 24, "gap(thresholds=(1, 0, 0))": 11 / 12, "gap(thresholds=(0, 1))": 1 / 2,
        "gap(thresholds=(0.2, 0.8))": (0.2 * 11 / 4 + 0.8 * 1) / (0.2 * 3 + 0.8 * 2), "gap@1": 1 / 6,
    })  # fmt: skip


def test_graded_average_precision_of_two_grades_is_average_precision():
    check(rankgold.from_labels([[0, 1, 1, 0]], 4), {"gap": (1 / 2 + 2 / 3) / 4, "ap": (1 / 2 + 2 / 3) / 4})


def test_mean_rank_leaves_out_what_was_missed_or_puts_it_after_the_last():
    # Relevant at the ranks 1 and 3 of 4, R = 4: two are missing, each at rank 4 + 1, or k + 1 with a cutoff.
    check(rankgold.from_labels([[1, 0, 1, 0]], 4), {
        "mr": (1 + 3) / 2, "mr@2": 1, "mr(miss=last)": (1 + 3 + 5 + 5) / 4, "mr(miss=last)@2": (1 + 3 + 3 + 3) / 4,
        "mr(miss=last)@10": (1 + 3 + 11 + 11) / 4,
    })  # fmt: skip


def test_first_relevant_position_of_a_query_without_one_is_undefined_k_plus_1_or_as_given():
    check(rankgold.from_labels([[0, 0, 0, 1]]), {"frp": 4, "frp@3": 3 + 1, "frp(miss=9)@3": 9, "frp(miss=9)": 4})
    check(rankgold.from_labels([[0, 0]], 1), {"frp": nan, "frp@5": 5 + 1, "frp(miss=9)": 9})
    # At rank 1 or 2, with a chance of 1/2 each.
    tied = rankgold.match({"q": {"a": 1}}, {"q": {"a": 1.0, "x": 1.0}}, policy="ties=average")
    check(tied, {"frp": (1 + 2) / 2, "frp@1": (1 + 2) / 2, "frp(miss=9)@1": (1 + 9) / 2})


def test_reciprocal_rank_and_hit_see_only_what_is_above_the_cutoff():
    check(
        rankgold.from_labels([[0, 0, 1, 1]]), {"rr": 1 / 3, "rr@2": 0, "rr@3": 1 / 3, "hit@2": 0, "hit@3": 1, "hit": 1}
    )


def test_expected_reciprocal_rank_stops_by_the_grade():
    # Grades 1, 0, 2 with the top grade 2: stops of 1/4, 0 and 3/4. ERR = 1/4 + 3/4 * 3/4 / 3 = 7/16.
    check(
        rankgold.from_labels([[1, 0, 2]]),
        {"err": 7 / 16, "err@1": 1 / 4, "err(max=2)": 7 / 16, "err(max=3)": 1 / 8 + 7 / 8 * 3 / 8 / 3},
    )
    # Probabilities 0.5 and 0.2: 0.5 + 0.5 * 0.2 / 2.
    check(rankgold.from_labels([[0.5, 0.2]]), {"err(stop=identity)": 0.55})


def test_expected_reciprocal_rank_with_a_sigmoid_stops_half_of_the_readers_at_beta():
    # alpha = 2, beta = 1: at grade 1 half of the readers stop, at grade 0 the share 1/(1 + e^2).
    low = 1 / (1 + exp(2))
    check(
        rankgold.from_labels([[1, 0]]),
        {
            "err(stop=sigmoid(2, 1))": 1 / 2 + 1 / 2 * low / 2,
            "err(stop=sigmoid)": sigmoid(1) + (1 - sigmoid(1)) * sigmoid(0) / 2,
        },
    )


def sigmoid(x):
    return 1 / (1 + exp(-x))


def test_expected_reciprocal_rank_takes_the_top_of_the_scale_from_all_judgements():
    # The top grade, 3, is in the other query: grade 1 stops (2 - 1) / 2^3 of the readers.
    check(rankgold.from_labels([[1], [3]]), {"err": (1 / 8 + 7 / 8) / 2})


def test_the_gain_of_a_grade_is_the_grade_or_2_to_its_power_or_1():
    check(
        rankgold.from_labels([[3, 0, 2, -1]]),
        {"cg": 5, "cg(gain=exp)": 7 + 3, "cg(gain=binary)": 2, "cg(gain=exp)@2": 7},
    )


@for_each(
    ("discount", "divisors"),
    [
        ("log2", [1, log2(3), 2]),
        ("log(e)", [log(2), log(3), log(4)]),
        ("log", [log(2), log(3), log(4)]),
        ("log(4)", [1 / 2, log2(3) / 2, 1]),
        ("jk", [1, 1, log2(3)]),
        ("linear", [1, 2, 3]),
        ("exponential(0.5)", [1, e**0.5, e**1]),
        ("exponential(2)", [1, e**2, e**4]),
        ("zipf(0, 1)", [1, 2, 3]),
        ("zipf(1, 0.5)", [sqrt(2), sqrt(3), sqrt(4)]),
    ],
)
def test_the_gain_at_a_rank_is_divided_by_its_discount(discount, divisors):
    # Grades 1, 2, 4 in this order; the ideal order is 4, 2, 1.
    first, second, third = divisors
    dcg, ideal = 1 / first + 2 / second + 4 / third, 4 / first + 2 / second + 1 / third
    hits = rankgold.from_labels([[1, 2, 4]])
    check(
        hits,
        {
            f"dcg(discount={discount})": dcg,
            f"idcg(discount={discount})": ideal,
            f"ndcg(discount={discount})": dcg / ideal,
        },
    )
    check(hits, {f"dcg(discount={discount})@2": 1 / first + 2 / second})


def test_ndcg_is_held_against_all_judged_the_retrieved_or_ones():
    # The list is 1, 2; a document of grade 3 was missed. DCG = 1 + 2/log2(3).
    dcg = 1 + 2 / log2(3)
    check(rankgold.from_labels([[1, 2]], ideal=[[3, 2, 1]]), {
        "ndcg": dcg / (3 + 2 / log2(3) + 1 / 2), "ndcg@2": dcg / (3 + 2 / log2(3)), "ndcg@1": 1 / 3,
        "ndcg(ideal=retrieved)": dcg / (2 + 1 / log2(3)), "ndcg(ideal=retrieved)@1": 1 / 2,
        "ndcg(ideal=ones)": dcg / (1 + 1 / log2(3)), "ndcg(ideal=ones)@3": dcg / (1 + 1 / log2(3) + 1 / 2),
        "ndcg(gain=binary)": (1 + 1 / log2(3)) / (1 + 1 / log2(3) + 1 / 2), "idcg@1": 3, "idcg(gain=exp)@1": 7,
    })  # fmt: skip


def test_auc_pairs_the_retrieved_or_all_relevant_documents():
    # Relevant at the ranks 1, 3 of 5, R = 4. Below them 3 and 2 non-relevant ones: 5 of 2 * 3 pairs, or of 4 * 3.
    check(
        rankgold.from_labels([[1, 0, 1, 0, 0]], 4),
        {"auc": 5 / 6, "auc(pairs=all)": 5 / 12, "auc@3": 1 / 2, "auc(pairs=all)@3": 1 / 4},
    )


def test_auc_without_pairs_is_undefined():
    check(rankgold.from_labels([[1, 1]]), {"auc": nan})
    check(rankgold.from_labels([[0, 0]], 1), {"auc": nan, "auc(pairs=all)": 0})
    check(rankgold.from_labels([[1, 0, 0]]), {"auc@1": nan})


def test_correlations_take_the_order_of_a_list_for_its_scores():
    # Grades 1, 3, 2 in ranked order. Differences of the ranks: 2, 1, 1. rho = 1 - 6 * 6 / (3 * 8). tau = (1 - 2) / 3.
    check(rankgold.from_labels([[1, 3, 2]]), {"spearman": -1 / 2, "kendall": -1 / 3})


def test_correlations_of_fewer_than_two_different_values_are_undefined():
    check(rankgold.from_labels([[2]]), {"spearman": nan, "kendall": nan})
    check(rankgold.from_arrays([1, 1, 1], [1, 2, 3]), {"spearman": nan, "kendall": nan})


def test_means_are_over_queries_and_leave_the_undefined_out():
    # AP: 1, 1/2, and 0 for a query without relevant documents. MR: 1, 2, and undefined.
    check(rankgold.from_labels([[1, 0], [0, 1], [0, 0]]), {"ap": (1 + 1 / 2 + 0) / 3, "mr": (1 + 2) / 2})


def test_a_list_that_is_empty_scores_0_and_where_lower_is_better_the_worst_or_nothing():
    check(
        rankgold.from_labels([[]], 2),
        {"p@3": 0, "p": 0, "ap": 0, "ndcg": 0, "auc": 0, "frp@3": 4, "mr": nan, "mr(miss=last)@3": 4},
    )


def test_a_document_below_all_others_can_be_the_only_one_judged():
    # Unjudged documents take their ranks: the one that is judged stands at rank 3.
    hits = rankgold.match({"q": {"c": 2}}, {"q": {"a": 3.0, "b": 2.0, "c": 1.0}})
    check(hits, {"rr": 1 / 3, "dcg": 2 / 2, "ndcg": 1 / 2, "p": 1 / 3, "auc": 0, "err(max=2)": 3 / 4 / 3})


def test_a_document_very_far_down_adds_nothing():
    # e^1000 is beyond the largest float, so the second relevant document adds 1/e^1000, which is 0 to any precision.
    check(rankgold.from_labels([[1, *[0] * 1999, 1]]), {"dcg(discount=exponential(0.5))": 1.0})


def test_a_very_steep_sigmoid_stops_nobody_below_beta_and_everybody_above():
    check(rankgold.from_labels([[0, 2]]), {"err(stop=sigmoid(1000, 1))": 1 / 2})


def test_gap_of_a_query_with_a_single_grade_is_its_ap_whatever_grades_others_have():
    # Grade 1 alone on a scale up to 2: the readers who start at grade 2 find nothing relevant, and do not count.
    hits = rankgold.from_labels([[1, 1], [0, 2], [0, 0, 1]])
    assert rankgold.evaluate(hits, ["gap"]).values("gap").tolist() == pytest.approx([1, 1 / 2, 1 / 3])


@pytest.mark.parametrize(("grade", "measure"), [(0.5, "gap"), (1, "gap(thresholds=(0, 1))")])
def test_graded_average_precision_of_a_query_without_a_document_relevant_to_anyone_is_a_case_for_the_policy(
    grade, measure
):
    # Relevance starts at grade 1, or at 2 for all readers: the query has no relevant document, and so scores 0.
    check(rankgold.from_labels([[grade]]), {measure: 0})


def test_a_long_list_of_equal_scores_is_averaged_in_closed_form():
    # 400 documents all tied, 100 of them relevant: each stands at each rank with chance 1/400.
    hits = rankgold.from_arrays([[1] * 100 + [0] * 300], [[0.0] * 400], policy="ties=average")
    scores = rankgold.evaluate(hits, ["p@10", "auc", "dcg", "rr"])
    assert scores["p@10"] == pytest.approx(100 / 400)
    assert scores["auc"] == pytest.approx(1 / 2)
    assert scores["dcg"] == pytest.approx(100 * sum(1 / log2(rank + 1) for rank in range(1, 401)) / 400)
    # The first relevant document is at rank j with chance C(400 - j, 99) / C(400, 100).
    assert scores["rr"] == pytest.approx(sum(comb(400 - j, 99) / comb(400, 100) / j for j in range(1, 302)))


def test_nothing_retrieved_has_no_mean_rank_even_if_what_is_missed_counts_last():
    scores = rankgold.evaluate(
        {"q": {"a": 1}, "p": {"a": 1}}, {"q": [], "p": ["x", "a"]}, ["mr(miss=last)", "mr(miss=last)@3"]
    )
    assert isnan(scores.per_query["mr(miss=last)"][0])
    assert scores["mr(miss=last)"] == 2.0
    # With a cutoff the document that was not found counts at 3 + 1.
    assert scores.per_query["mr(miss=last)@3"].to_list() == [4.0, 2.0]


def test_the_mean_of_the_highest_numbers_is_known_in_every_way():
    qrels, run = {"q": {"a": 1.7e308}, "r": {"a": 1.5e308}}, {"q": {"a": 1.0}, "r": {"a": 1.0}}
    batches = rankgold.Accumulator(["cg"])
    batches.update(qrels, run)
    for scores in (rankgold.evaluate(qrels, run, ["cg"]), batches.scores()):
        assert scores.means == {"cg": 1.6e308}
        assert scores.variances == {"cg": inf}
        assert json.loads(scores.to_json())["runs"]["run"]["means"] == {"cg": 1.6e308}


@pytest.mark.parametrize("measure", ["cg", "dcg", "idcg", "ndcg"])
def test_gains_that_add_up_to_more_than_a_number_can_hold_are_an_error(measure):
    qrels, run = {"q": {"a": 1.7e308, "b": 1.7e308}}, {"q": {"a": 2.0, "b": 1.0}}
    with pytest.raises(rankgold.MeasureError, match=r"add up to more than a number can hold, 1\.79e308"):
        rankgold.evaluate(qrels, run, [measure])


def test_the_rank_after_a_list_of_one_document_is_2():
    # One of two relevant documents is found at rank 1, the other counts at rank 2; nothing found: rank 2.
    check(rankgold.from_labels([[1]], 2), {"mr(miss=last)": (1 + 2) / 2})
    check(rankgold.from_labels([[0]], 1), {"mr(miss=last)": 2.0})


def test_a_scale_of_expected_reciprocal_rank_may_end_at_1_or_below():
    # Grade 1 stops (2 - 1) / 2 of the readers on a scale to 1.
    check(rankgold.from_labels([[1]]), {"err(max=1)": 1 / 2})
    check(rankgold.from_labels([[0.5]]), {"err(max=0.5)": (2**0.5 - 1) / 2**0.5})


def test_counts_are_added_up_over_queries_and_geometric_means_are_geometric():
    # AP 1 and 1/4: their geometric mean is 1/2. Two relevant documents of two; five documents returned.
    hits = rankgold.from_labels([[1], [0, 0, 0, 1]])
    check(hits, {"gmap": 1 / 2, "num_q": 2, "num_ret": 5, "num_rel": 2, "num_rel_ret": 2, "num_nonrel_judged_ret": 3})
    # A query with AP 0 counts as 0.00001.
    check(rankgold.from_labels([[1], [0]], n_relevant=1), {"gmap": sqrt(0.00001)})


def test_aggregates_are_the_same_in_batches():
    batches = rankgold.Accumulator(["gmap", "num_ret", "gm_bpref", "ap"])
    labels = [[1, 0], [0, 1, 0], [0, 0, 1, 1], [1, 1]]
    for grades in labels:
        batches.update(rankgold.from_labels([grades]))
    assert batches.scores().means == rankgold.evaluate(rankgold.from_labels(labels), list(batches.measures)).means


def test_interpolated_precision_rounds_recall_levels_as_either_version_of_trec_eval():
    # R = 3, found at ranks 1, 2 and 6: precision 1, 1, 1/2. Level 0.5 is 1.5 documents: 2 rounded, 2 with 0.9 added.
    # Level 0.8 is 2.4 documents: 2 rounded, 3 with 0.9 added.
    check(rankgold.from_labels([[1, 1, 0, 0, 0, 1]]), {
        "iprec": 1, "iprec(recall=0.5)": 1, "iprec(recall=0.8)": 1, "iprec(recall=0.8, rounding=up)": 1 / 2,
        "iprec(recall=1)": 1 / 2, "iprec_mean(recalls=(0.5, 1))": 3 / 4, "iprec_mean(recalls=(0.8), rounding=up)": 1 / 2,
    })  # fmt: skip


def test_rank_biased_precision_takes_grades_as_shares_of_the_highest():
    # Grades 2 and 4 at the ranks 1 and 2: with p = 1/2, 1/2 * (2/4 + 4/4 * 1/2); of a scale up to 8, half of it.
    check(rankgold.from_labels([[2, 4]]), {
        "rbp(p=0.5)": 1 / 2 * (1 + 1 / 2), "rbp(p=0.5, worth=graded)": 1 / 2 * (1 / 2 + 1 / 2),
        "rbp(p=0.5, worth=graded, max=8)": 1 / 4 * (1 / 2 + 1 / 2), "rbp(p=0.5, rel=3)": 1 / 4, "rbp(p=0.5)@1": 1 / 2,
    })  # fmt: skip


def test_measures_of_a_collection_of_known_size_count_what_is_rightly_left_out():
    # One of two relevant documents in the top 2, of 10 documents: tp 1, fp 1, fn 1, tn 7.
    check(rankgold.from_labels([[1, 0, 1]]), {
        "accuracy(documents=10)@2": 8 / 10, "fallout(documents=10)@2": 1 / 8,
        "mcc(documents=10)@2": (1 * 7 - 1 * 1) / (2 * 2 * 8 * 8) ** 0.5,
        "utility(documents=10, worth=(0, 0, 0, 1))": 10 - 3,
    })  # fmt: skip
    with pytest.raises(rankgold.MeasureError, match="documents=2 is too low: a query has 3 judged or returned ones"):
        rankgold.evaluate(rankgold.from_labels([[1, 0, 1]]), "accuracy(documents=2)")
    with pytest.raises(rankgold.MeasureError, match="worth must be four numbers"):
        rankgold.evaluate(rankgold.from_labels([[1, 0, 1]]), "utility(worth=(1, 2))")


@pytest.mark.parametrize("worth", ["(1e308, -1e308, 0, 0)", "(0, 0, 0, -1e101)"])
def test_a_utility_whose_sums_would_not_be_finite_is_an_error(worth):
    with pytest.raises(
        rankgold.MeasureError, match=r"worth must be four numbers from -1e\+100 to 1e\+100: sums of larger"
    ):
        rankgold.evaluate(rankgold.from_labels([[1, 0, 1]]), f"utility(worth={worth})")


def test_parameters_may_be_whole_numbers_beyond_64_bits():
    # Two found documents gain 1e30 each, and another one loses 1e20. With all the weight on the first
    # threshold, gap is ap: (1 + 2/3) / 2.
    hits = rankgold.from_labels([[1, 0, 1]])
    assert rankgold.evaluate(hits, "utility(worth=(1e30, -1e20, 0, 0))").means[
        "utility(worth=(1e30, -1e20, 0, 0))"
    ] == (pytest.approx(2e30 - 1e20))
    assert list(rankgold.evaluate(hits, "gap(thresholds=(1e30, 1))").means.values()) == pytest.approx([5 / 6])


@for_each(
    ("text", "canonical"),
    [
        ("rbp.95", "rbp(p=0.95)"),
        ("rbp_0.5", "rbp(p=0.5)"),
        ("rbp.0.5@10", "rbp(p=0.5)@10"),
        ("iprec_at_recall_0.10", "iprec(recall=0.1)"),
        ("IPrec@0.1", "iprec(recall=0.1)"),
        ("Rprec_mult_0.20", "rprec_mult(multiple=0.2)"),
        ("11pt_avg", "iprec_mean"),
        ("unj_10", "unjudged@10"),
        ("gm_map", "gmap"),
        ("infAP", "infap"),
    ],
)
def test_a_number_after_a_name_is_its_parameter_or_its_cutoff(text, canonical):
    assert str(rankgold.parse_measure(text)) == canonical


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("iprec@2", "recall must be at most 1, not '2'"),
        ("rbp_1.5", "p must be below 1, not '1.5'"),
        ("rbp.95(p=0.8)", "p is given twice"),
        ("iprec_0.1@0.2", "recall is given twice"),
    ],
)
def test_a_number_after_a_name_is_checked(text, message):
    with pytest.raises(rankgold.MeasureError, match=message):
        rankgold.parse_measure(text)


def test_tied_documents_of_too_many_orders_are_refused_where_there_is_no_closed_form():
    hits = rankgold.from_arrays([1, 0] * 20, [0.0] * 40, policy="ties=average")
    with pytest.raises(rankgold.MeasureError, match="bpref is averaged over the orders of tied documents one by one"):
        rankgold.evaluate(hits, "bpref")
    # With one relevant document among 40, there are 40 orders: on average half of the others stand above it.
    one = rankgold.from_arrays([1] + [0] * 39, [0.0] * 40, policy="ties=average")
    check(one, {"bpref": 1 / 40})  # it counts only if no other document stands above it


@for_each(
    ("text", "canonical"),
    [
        ("nDCG(dcg='exp-log2')@10", "ndcg(gain=exp)@10"),
        ("nDCG(dcg='log2')@10", "ndcg@10"),
        ("SDCG(dcg='log2', max_rel=4)@10", "sdcg(max=4)@10"),
        ("INST(T=2, min_rel=0, max_rel=4)", "inst(t=2, max=4)"),
        ("NERR10(p=0.8, max_rel=4)", "nerr10(p=0.8, max=4)"),
        ("P(rel=2)@5", "p(rel=2)@5"),
        ("hr@10", "hit@10"),
        ("ndcg_burges@10", "ndcg(gain=exp)@10"),
        ("relative_P_10", "p(norm=min)@10"),
        ("set_recall", "r"),
        ("SetAP", "set_map"),
        ("RetrievalMAP", "ap(norm=retrieved)"),
        ("RetrievalNormalizedDCG@10", "ndcg@10"),
    ],
)
def test_spellings_of_other_tools_are_measures_here(text, canonical):
    assert str(rankgold.parse_measure(text)) == canonical
    with pytest.raises(rankgold.MeasureError, match="dcg"):
        rankgold.parse_measure("ndcg(dcg='cubic')")


def test_compatibility_counts_a_document_where_both_rankings_have_it():
    # Grades 0, 1, 2 and a missed 2. In the ideal ranking, the 2 at rank 3 comes first, the missed 2 second, and the 1
    # third: both hits count at depth 3 alone.
    check(rankgold.from_labels([[0, 1, 2]], ideal=[[2, 2, 1]]), {
        "compat": (2 * 0.95**2 / 3) / (1 + 0.95 + 0.95**2),
        "compat(p=0.5)": (2 / 4 / 3) / (1 + 1 / 2 + 1 / 4),
        "compat(p=0.5, norm=depth)": (2 / 4 / 3) / (1 + 1 / 2 + 1 / 4),
    })  # fmt: skip
    # The ideal ranking has one document, and the list is longer: the depths 2 and 3 count in the norm of depths only.
    check(rankgold.from_labels([[0, 1, 0]]), {
        "compat(p=0.5)": (1 / 2 / 2 + 1 / 4 / 3) / (1 + 1 / 2 / 2 + 1 / 4 / 3),
        "compat(p=0.5, norm=depth)": (1 / 2 / 2 + 1 / 4 / 3) / (1 + 1 / 2 + 1 / 4),
    })  # fmt: skip
    assert str(rankgold.parse_measure("Compat(p=0.8,normalize=False)")) == "compat(p=0.8, norm=depth)"


def test_q_measure_adds_gains_to_counts():
    # Grades 1, 0, 2 and a missed 1: gained 1, 3 at the ranks 1 and 3; ideal gains 2, 3, 4. R = 3.
    check(rankgold.from_labels([[1, 0, 2]], ideal=[[2, 1, 1]]), {
        "q": ((1 + 1) / (1 + 2) + (2 + 3) / (3 + 4)) / 3, "q@1": (1 + 1) / (1 + 2) / 3,
        "q(beta=0)": (1 / 1 + 2 / 3) / 3, "q(beta=10)": ((1 + 10) / (1 + 20) + (2 + 30) / (3 + 40)) / 3,
        "q(gain=exp)": ((1 + 1) / (1 + 3) + (2 + 4) / (3 + 5)) / 3,
    })  # fmt: skip


def test_nerr_is_err_over_that_of_the_ideal_ranking():
    # Stops of 1/4 and 3/4 on a scale to 2: 1/4 + 3/4 * 3/4 / 2 = 17/32; the ideal 3/4 + 1/4 * 1/4 / 2 = 25/32.
    check(rankgold.from_labels([[1, 2]]), {
        "nerr": 17 / 25, "nerr@1": (1 / 4) / (3 / 4),
        # On a scale to 3: stops of 1/8 and 3/8.
        "nerr(max=3)": (1 / 8 + 7 / 8 * 3 / 8 / 2) / (3 / 8 + 5 / 8 * 1 / 8 / 2),
        "nerr(stop=identity)@1": 1,
    })  # fmt: skip


# One query: d has the highest score, b and c are tied, a was not retrieved, x and y were not judged.
LABELS = {"q": {"a": 1, "b": 1, "c": 0, "d": 0, "y": -1}}
LABEL_SCORES = {"q": {"d": 3.0, "x": 2.5, "y": 2.2, "b": 2.0, "c": 2.0}}


def test_measures_of_labels_count_tied_documents_as_above_and_missed_ones_as_last():
    means = rankgold.evaluate(LABELS, LABEL_SCORES, ["lrap", "coverage_error", "ranking_loss", "opa"]).means
    # b: one relevant of d, b, c. All four judged labels are needed for a. All pairs of a and b with c and d are lost.
    assert means == pytest.approx({"lrap": (1 / 3) / 2, "coverage_error": 4, "ranking_loss": 1, "opa": 0})


@pytest.mark.parametrize("ties", ["average", "ascending", "descending", "input"])
def test_measures_of_labels_take_ties_as_they_are_whatever_the_policy(ties):
    # a is relevant and tied with b: half of what is above it is relevant, two labels are needed, and the pair is lost.
    scores = rankgold.evaluate(
        {"q": {"a": 1, "b": 0}},
        {"q": {"a": 1.0, "b": 1.0}},
        ["lrap", "coverage_error", "ranking_loss", "opa"],
        policy=f"ties={ties}",
    )
    assert scores.means == {"lrap": 1 / 2, "coverage_error": 2, "ranking_loss": 1, "opa": 0}


def test_a_negative_grade_is_no_judgement_to_what_was_not_judged():
    # The list is a, x, b with the grades -1, none, 0: only b at rank 3 is judged.
    means = rankgold.evaluate(
        {"q": {"a": -1, "b": 0}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}}, ["rbp_resid(p=0.5)", "judged", "unjudged"]
    ).means
    assert means == pytest.approx({"rbp_resid(p=0.5)": 1 - 1 / 8, "judged": 1 / 3, "unjudged": 2 / 3})


def test_a_list_whose_documents_are_all_judged_has_no_residual_in_trec_eval():
    # Two judged documents: 1 - 0.5 * (1 + 0.5) = 0.25 could come below them, which trec_eval leaves out.
    measures = ["rbp_resid(p=0.5)", "trec_rbp_resid(p=0.5)"]
    judged = rankgold.evaluate({"q": {"a": 1, "b": 0}}, {"q": {"a": 2.0, "b": 1.0}}, measures).means
    assert judged == {"rbp_resid(p=0.5)": 0.25, "trec_rbp_resid(p=0.5)": 0}
    # With a document that nobody judged below them, 1 - 0.75 is what both give.
    unjudged = rankgold.evaluate({"q": {"a": 1, "b": 0}}, {"q": {"a": 3.0, "b": 2.0, "x": 1.0}}, measures).means
    assert unjudged == {"rbp_resid(p=0.5)": 0.25, "trec_rbp_resid(p=0.5)": 0.25}


def test_rbp_weighs_grades_by_the_highest_of_all_judgements_or_of_the_query():
    # The highest grade is 4, that of q1 is 2, and z has it without being found: a is worth 1/4 or 1/2.
    qrels, run = {"q1": {"a": 1, "z": 2}, "q2": {"b": 4}}, {"q1": {"a": 1.0}, "q2": {"b": 1.0}}
    measures = ["rbp(p=0.5, worth=graded)", "rbp(p=0.5, worth=relative)", "rbp(p=0.5, worth=relative, max=8)"]
    scores = rankgold.evaluate(qrels, run, measures)
    assert [scores.values(measure).tolist() for measure in measures] == [
        [1 / 8, 1 / 2],
        [1 / 4, 1 / 2],
        [1 / 16, 1 / 4],
    ]


def test_a_query_with_grades_below_rel_has_an_rbp_if_grades_count():
    # worth=graded does not look at rel: a is worth 1/2 of the highest grade, and (1 - 0.5) * 1/2 = 0.25.
    qrels, run = {"q1": {"a": 1}, "q2": {"b": 2}}, {"q1": {"a": 1.0}, "q2": {"b": 1.0}}
    scores = rankgold.evaluate(qrels, run, ["rbp(p=0.5, worth=graded)", "rbp(p=0.5)"], rel=2)
    assert scores.values("rbp(p=0.5, worth=graded)").tolist() == [0.25, 0.5]
    assert scores.values("rbp(p=0.5)").tolist() == [0, 0.5]


def test_documents_returned_are_those_with_any_judgement_and_those_without():
    # The list is a, x, b with the grades 1, none, -1.
    hits = rankgold.match({"q": {"a": 1, "b": -1}}, {"q": {"a": 3.0, "x": 2.0, "b": 1.0}})
    parts = rankgold.parse_measure("num_ret")(hits)
    assert (parts.terms.term.tolist(), parts.ranking.rank.tolist(), parts.rest.tolist()) == ([1, 1], [1, 3], [1])


def test_measures_of_labels_take_the_lowest_relevant_grade():
    # Grades 1, 2, 0: with rel=2 only the second is relevant.
    check(rankgold.from_labels([[1, 2, 0]]), {
        "lrap(rel=2)": 1 / 2, "coverage_error(rel=2)": 2, "ranking_loss(rel=2)": 1 / 2, "lrap": 1, "coverage_error": 2,
        "ranking_loss": 0, "opa": 2 / 3,
    })  # fmt: skip


def test_ordered_pairs_of_a_long_list_are_all_counted():
    # 2,500 grades from the lowest to the highest, then 0: only the pairs with the last document are in order.
    n = 2500
    check(rankgold.from_labels([[*range(1, n + 1), 0]]), {"opa": n / comb(n + 1, 2)})


def test_kendall_counts_the_pairs_of_a_long_list_with_few_grades():
    # All 1,200 * 300 pairs with different grades agree, of C(1500, 2) with different ranks.
    check(rankgold.from_labels([[1] * 1200 + [0] * 300]), {"kendall": 1200 * 300 / sqrt(1200 * 300 * comb(1500, 2))})
    check(rankgold.from_labels([[1] * 1000 + [0]]), {"kendall": 1000 / sqrt(1000 * comb(1001, 2))})


def test_average_relevance_position_weighs_ranks_by_gains():
    # Grades 2, 0, 1 and a missed 3.
    check(rankgold.from_labels([[2, 0, 1]], ideal=[[3, 2, 1]]), {
        "arp": (2 * 1 + 1 * 3) / 3, "arp(gain=exp)": (3 * 1 + 1 * 3) / 4, "arp(gain=binary)": (1 + 3) / 2,
        "arp(miss=last)": (2 * 1 + 1 * 3 + 3 * 4) / 6,
    })  # fmt: skip
    check(rankgold.from_labels([[0, 0]], ideal=[[1]]), {"arp": nan, "arp(miss=last)": 3})
    # An empty list has no last rank, and so no rank after it.
    check(rankgold.from_labels([[]], ideal=[[1]]), {"arp(miss=last)": nan})


def test_readers_who_are_not_satisfied_look_at_the_ranks_with_fixed_weights():
    # Grades 2 and 4 at the ranks 1 and 3: gains of 1/2 and 1, on a scale up to 8 of 1/4 and 1/2.
    weights = [(2 * 3 / (rank + 2 * 3 - 1)) ** 2 for rank in range(1, 1001)]
    check(rankgold.from_labels([[2, 0, 4]]), {
        "sdcg@3": (1 / 2 + 1 / 2) / (1 + 1 / log2(3) + 1 / 2), "sdcg@1": 1 / 2, "sdcg(max=8)@1": 1 / 4,
        "insq(t=3)": (1 / 2 + weights[2]) / sum(weights), "insq(t=3, max=8)": (1 / 4 + weights[2] / 2) / sum(weights),
    })  # fmt: skip


def test_readers_who_get_what_they_want_stop():
    # Gains of 1/2, 0, 1.
    check(rankgold.from_labels([[2, 0, 4]]), {
        "bpm": (1 / 2 + 1) / 3, "bpm(t=0.5)": 1 / 2, "bpm@2": (1 / 2) / 2, "bpm(t=3)@10": (3 / 2) / 10,
        "bpm(t=1.5)": (3 / 2) / 3, "bpm(t=0.5, max=8)": (1 / 4 + 1 / 2) / 3,
        "nerr8": (1 / 2 + 1 / 2) / (1 + 1 / 2 + 1 / 2), "nerr8@2": (1 / 2) / (1 + 1 / 2),
        "nerr9": (1 / 2 + 1 / 4 * 2 / 3) / (1 + 1 / 4 + 1 / 4 * 2 / 3), "nerr9@1": 1 / 2,
        "nerr10(p=0.5)": (1 / 2 + 1 / 8) / (1 + 1 / 4 + 1 / 8),
        "nerr11(t=0.5)": (1 / 2 + 1 / 8 * 4 / 9) / (1 + 1 / 8 + 1 / 8 * 4 / 9),
    })  # fmt: skip


def test_a_reader_who_adapts_wants_less_after_bad_documents():
    # Gains of 0, 0, 1, 1; 0.5 changes nothing. Each of the first two lowers what is adapted by 0.5.
    check(rankgold.from_labels([[0, 0, 1, 1]]), {
        "bpm_dynamic": 1 / 3, "bpm_dynamic(t=2, hb=0)": 2 / 4, "bpm_dynamic(t=3, patience=4, hb=0, hc=0)": 2 / 4,
        "bpm_dynamic(t=3, patience=4, hb=0)": 1 / 3, "bpm_dynamic(t=0.2, middle=0.2)": 0, "bpm_dynamic(max=2)": 1 / 2 / 3,
    })  # fmt: skip


def test_a_reader_who_adapts_stops_at_rank_10_if_nothing_changes_that():
    check(rankgold.from_labels([[0] * 9 + [1]]), {"bpm_dynamic(t=3, hb=0, hc=0)": 1 / 10})
    check(rankgold.from_labels([[0] * 10 + [1]]), {"bpm_dynamic(t=3, hb=0, hc=0)": 0})


def test_a_reader_with_a_goal_stops_sooner_when_more_is_found():
    # Goal 1: after a first document of gain 1 the chance to go on is (1/2)^2, without it (2/3)^2.
    found = 1 + sum((1 / rank) ** 2 for rank in range(2, 1001))
    missed = 1 + 4 / 9 + 4 / 9 * sum((2 / n) ** 2 for n in range(3, 1001))
    check(rankgold.from_labels([[1, 0]]), {"inst": 1 / found})
    check(rankgold.from_labels([[0, 1]]), {"inst": 4 / 9 / missed})


def test_documents_after_the_thousandth_are_not_looked_at():
    labels = [0] * 1000 + [1]
    names = ["sdcg", "insq", "inst", "bpm", "nerr8", "nerr9", "nerr10", "nerr11", "sdcg@5000"]
    check(rankgold.from_labels([labels]), dict.fromkeys(names, 0))
    check(rankgold.from_labels([labels[1:]]), {"bpm": 1 / 1000, "bpm@5000": 1 / 1000, "nerr8": 1 / 1000})


def test_partial_auc_counts_pairs_with_the_first_documents_that_are_not_relevant():
    # Relevant at the ranks 2, 3 and 6 of 6, R = 4 with one missed: 1, 1 and 3 others are above them.
    # Others = 2: (1 + 1 + 0) of 2 * 4 pairs. Others = 5: (4 + 4 + 2) of 5 * 4, though the list has only 3 others.
    check(rankgold.from_labels([[0, 1, 1, 0, 0, 1]], 4), {
        "pauc@1": 0, "pauc@2": 2 / 8, "pauc@5": 10 / 20, "pauc(others=10)": (9 + 9 + 7) / 40,
        # At most as many relevant documents count: 2 of 4, with 1 + 1 of 2 * 2 pairs; all 4 with 5.
        "pap@1": 0, "pap@2": 2 / 4, "pap@5": 10 / 20,
    })  # fmt: skip
    check(rankgold.from_labels([[1, 2, 0, 3]]), {"pauc(rel=2)@2": (1 + 0) / (2 * 2), "pap(rel=2)@1": 0})
    # The document at rank 3 wins no pair, and so has no term.
    parts = rankgold.parse_measure("pauc@1")(rankgold.from_labels([[1, 0, 1]]))
    assert (parts.terms.term.tolist(), parts.ranking.rank.tolist()) == ([1], [1])


def test_ndcg_at_relevant_documents_counts_a_missed_one_at_the_end_of_the_list():
    # Gains of 1/2 at rank 1, and of a missed document: the NDCG is 1 at rank 1, and over the whole list as below.
    whole = (1 / 2) / (1 / 2 + 1 / 2 / log2(3))
    check(rankgold.from_labels([[0.5]], ideal=[[0.5, 0.5]]), {"ndcg_rel": (1 + whole) / 2})


def test_graded_g_costs_1_at_a_rank_where_less_can_be_gained():
    # A gain of 1/2 and nothing else: it costs 1, of which 1/2 is gained.
    check(rankgold.from_labels([[0.5]]), {"g": (1 / 2) / log2(2 + 1 - 1 / 2) / (1 / 2)})


def test_average_precision_of_a_short_list_may_be_over_what_the_list_can_hold():
    # R = 3, and only two documents were returned.
    check(rankgold.from_labels([[1, 0]], 3), {"ap(norm=reachable)": 1 / 2, "ap(norm=reachable)@1": 1, "ap": 1 / 3})


def test_hits_are_counted_as_in_ranx_and_averaged_over_queries():
    # 2 and 1 relevant documents in the top 3, 2 and 2 in all: the mean is 3/2 and 2; num_rel_ret is the sum.
    hits = rankgold.from_labels([[1, 1, 0, 0], [0, 0, 1, 2]])
    scores = rankgold.evaluate(hits, ["hits@3", "hits", "hits(rel=2)", "num_rel_ret@3"])
    assert scores.means == {"hits@3": 3 / 2, "hits": 2, "hits(rel=2)": 1 / 2, "num_rel_ret@3": 3}
    # In TensorFlow Ranking, the name is a hit rate.
    assert str(parse_in_dialect("hits@3", "tensorflow_ranking")) == "hit@3"


def test_the_lowest_grades_that_there_are_do_not_overflow():
    # A single document of the lowest float as its grade: the ranking is the best one. On a scale that ends there,
    # 2^grade - 1 is 0, so nothing is relevant to nerr.
    scores = rankgold.evaluate({"q": {"a": 5e-324}}, {"q": {"a": 1.0}}, ["rndcg", "ndcg_rel", "g", "nerr", "ap"])
    assert scores.means == {"rndcg": 1, "ndcg_rel": 1, "g": 1, "nerr": 0, "ap": 0}
    assert "Pass rel= to count them, as in ap(rel=5e-324)" in scores.notes.remarks[0]
