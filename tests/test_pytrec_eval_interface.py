"""The interface of pytrec_eval, with values worked by hand. `peers/` has the comparison with pytrec_eval itself."""

import math

import pytest

from rankgold.compat import pytrec_eval
from rankgold.compat.pytrec_eval import RelevanceEvaluator
from rankgold.core.errors import DataError, MeasureError

QRELS = {"q": {"a": 2, "b": 0, "c": -1, "d": 1}}
RUN = {"q": {"b": 4.0, "c": 3.0, "x": 2.0, "a": 1.0}}


def value(measure, *arguments, qrels=QRELS, run=RUN):
    return RelevanceEvaluator(qrels, {measure}, *arguments).evaluate(run)["q"][measure]


def test_a_document_is_judged_from_grade_0_on():
    # a is at rank 4 of b c x a. Without the unjudged x and c, whose grade is below 0, it is at rank 2 of b a.
    assert value("recip_rank") == 1 / 4
    assert value("recip_rank", 1, True) == 1 / 2
    # A judged query that has no judged document in this sense stays.
    assert value("recip_rank", 1, True, qrels={"q": {"a": -1}}) == 0.0
    assert value("num_ret", 1, True, qrels={"q": {"a": -1}}) == 0.0


def test_the_level_says_which_grades_are_relevant():
    assert [value("num_rel", level) for level in (1, 2, 3)] == [2, 1, 0]
    # a and d have a grade of 1 or more: a alone is found, at rank 4.
    assert value("map", 1) == (1 / 4) / 2
    assert value("map", 2) == 1 / 4


def test_measures_are_found_under_all_their_spellings():
    wanted = {"P.2,4", "P_1", "ndcg_cut_3", "ndcg", "recall.4", "num_rel_ret", "runid"}
    found = RelevanceEvaluator(QRELS, wanted).evaluate(RUN)["q"]
    # Gain 2 at rank 4; at best 2 at rank 1 and 1 at rank 2.
    ndcg = 2 / math.log2(5) / (2 + 1 / math.log2(3))
    expected = {
        "P_1": 0, "P_2": 0, "P_4": 1 / 4, "ndcg_cut_3": 0, "ndcg": pytest.approx(ndcg), "recall_4": 1 / 2,
        "num_rel_ret": 1, "runid": 0.0,
    }  # fmt: skip
    assert found == expected
    official = RelevanceEvaluator(QRELS, {"official", "P.7"}).evaluate(RUN)["q"]
    assert {"map", "P_7", "Rprec", "iprec_at_recall_0.10"} <= official.keys()
    assert "P_5" not in official, "parameters take the place of the usual ones"
    with pytest.raises(MeasureError, match="pytrec_eval has no measure 'nosuch_5'"):
        RelevanceEvaluator(QRELS, {"nosuch_5"})


def test_only_queries_with_judgements_and_scores_have_results():
    qrels = {"q": {"a": 1}, "empty": {}, "other": {"a": 1}}
    found = RelevanceEvaluator(qrels, {"map"}).evaluate({"q": {"a": 1.0}, "empty": {"a": 1.0}, "more": {"a": 1.0}})
    assert found == {"q": {"map": 1.0}}
    assert RelevanceEvaluator(qrels, {"map"}).evaluate({"more": {"a": 1.0}}) == {}


def test_rndcg_is_0_without_a_relevant_document():
    # Both grades have a gain, but only 2 is relevant at level 2.
    assert value("Rndcg", 1, qrels={"q": {"b": 1}}) > 0
    assert value("Rndcg", 2, qrels={"q": {"b": 1}}) == 0.0


def test_scores_are_compared_at_32_bits():
    # The same number in 32 bits, and of tied documents the last id comes first.
    assert value("recip_rank", qrels={"q": {"a": 1}}, run={"q": {"a": 1 + 1e-12, "b": 1.0}}) == 1 / 2
    assert value("recip_rank", qrels={"q": {"a": 1}}, run={"q": {"a": 1 + 1e-3, "b": 1.0}}) == 1.0


def test_the_number_for_all_queries_is_a_sum_a_mean_or_a_geometric_mean():
    assert pytrec_eval.compute_aggregated_measure("num_rel", [2, 3]) == 5
    assert pytrec_eval.compute_aggregated_measure("map", [0.25, 0.5]) == 0.375
    logarithms = [math.log(0.25), math.log(1.0)]
    assert pytrec_eval.compute_aggregated_measure("gm_map", logarithms) == pytest.approx(0.5)
    with pytest.raises(DataError, match="there are no values to aggregate"):
        pytrec_eval.compute_aggregated_measure("map", [])


@pytest.mark.parametrize("wrong", [None, ["d1"], {"q1": None}, {"q1": ["d1"]}])
def test_what_is_not_a_dict_of_dicts_is_an_error(wrong):
    with pytest.raises(DataError, match=r"query_relevance must be \{query: \{document: grade\}\}, and this has"):
        RelevanceEvaluator(wrong, {"map"})
    with pytest.raises(DataError, match=r"scores must be \{query: \{document: score\}\}, and this has"):
        RelevanceEvaluator({"q1": {"d1": 1}}, {"map"}).evaluate(wrong)
