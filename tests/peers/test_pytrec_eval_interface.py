"""`rankgold.compat.pytrec_eval` gives what pytrec_eval gives, under the same names."""

from math import isnan

import pytest
import pytrec_eval as original

from rankgold.compat import pytrec_eval as ours
from tests.peers.collections import COLLECTIONS, collection


def test_the_same_measures_and_nicknames_are_supported():
    assert ours.supported_measures == set(original.supported_measures)
    for nickname, names in ours.supported_nicknames.items():
        assert names == set(original.supported_nicknames[nickname])


@pytest.mark.parametrize(("level", "judged_only"), [(1, False), (2, False), (1, True)])
def test_every_measure_of_every_query_is_the_same(level, judged_only):
    for seed in COLLECTIONS:
        qrels, run = collection(seed)
        arguments = qrels, original.supported_measures, level, judged_only
        expected = original.RelevanceEvaluator(*arguments).evaluate(run)
        found = ours.RelevanceEvaluator(*arguments).evaluate(run)
        assert found.keys() == expected.keys()
        for query, values in expected.items():
            # A list that is empty once unjudged documents are gone has a precision of 0/0 in pytrec_eval, and 0 here.
            known = {name: 0.0 if isnan(value) else value for name, value in values.items()}
            assert found[query] == pytest.approx(known, abs=1e-9), (seed, query)


@pytest.mark.parametrize(
    "measures", [{"map"}, {"ndcg_cut_10", "P_5"}, {"P.5,10", "ndcg_cut.3"}, {"recall_5", "recall.10"}]
)
def test_names_of_measures_are_the_same(measures):
    qrels, run = collection(1)
    expected = original.RelevanceEvaluator(qrels, measures).evaluate(run)
    assert ours.RelevanceEvaluator(qrels, measures).evaluate(run)["q1"] == pytest.approx(expected["q1"], abs=1e-9)


@pytest.mark.parametrize("measure", ["map", "gm_map", "num_rel"])
def test_numbers_of_all_queries_are_the_same(measure):
    qrels, run = collection(2)
    values = [row[measure] for row in original.RelevanceEvaluator(qrels, {measure}).evaluate(run).values()]
    expected = original.compute_aggregated_measure(measure, values)
    assert ours.compute_aggregated_measure(measure, values) == pytest.approx(expected, abs=1e-12)


def test_no_scores_are_no_results():
    assert ours.RelevanceEvaluator({"q": {"d": 1}}, {"map"}).evaluate({}) == {}


def test_without_measures_every_query_has_an_empty_result():
    qrels, run = {"q1": {"d1": 1}}, {"q1": {"d1": 0.5}}
    assert original.RelevanceEvaluator(qrels, set()).evaluate(run) == {"q1": {}}
    assert ours.RelevanceEvaluator(qrels, set()).evaluate(run) == {"q1": {}}


@pytest.mark.parametrize("wrong", [None, ["d1"], {"q1": None}, {"q1": ["d1"]}])
def test_what_is_not_a_dict_of_dicts_is_an_error(wrong):
    with pytest.raises(ValueError, match=r"query_relevance must be \{query: \{document: grade\}\}, and this has"):
        ours.RelevanceEvaluator(wrong, {"map"})
    with pytest.raises(ValueError, match=r"scores must be \{query: \{document: score\}\}, and this has"):
        ours.RelevanceEvaluator({"q1": {"d1": 1}}, {"map"}).evaluate(wrong)
