"""Explanations: the working adds up to the score to the last bit, reads well, and says what the policy decided."""

import json
import math
import re
from dataclasses import replace
from functools import wraps
from html import unescape

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from tests.cases import for_each
from tests.collections import collections, examples, write_trec
from tests.shell import printed

# q1 ranks d2, x, d1, d3; q2 has no relevant document; q3 is not ranked.
QRELS = {"q1": {"d1": 3, "d2": 1, "d3": 2, "d9": 1}, "q2": {"d1": 0}, "q3": {"a": 1}}
RUN = {"q1": {"d2": 0.9, "x": 0.8, "d1": 0.7, "d3": 0.6}, "q2": {"d1": 1.0}}

MEASURES = [
    *(metric() for metric in rankgold.measures.all()),
    *(metric() @ 3 for metric in rankgold.measures.all() if metric.takes_cutoff),
    *map(
        rankgold.parse_measure,
        ["ap(norm=min)@2", "ndcg(gain=exp)@5", "ndcg(ideal=retrieved)", "ndcg(ideal=ones)@4", "dcg(discount=jk)",
         "err(stop=sigmoid(2, 1))", "mr(miss=last)", "mr(miss=last)@2", "frp(miss=99)", "f(beta=2)@4", "auc(pairs=all)"],
    ),
]  # fmt: skip
POLICIES = [
    "rankgold",
    "ties=average",
    "ties=input,no_relevant=undefined",
    "unjudged=condensed,no_relevant=one,undefined=zero",
]


@examples(20)
@given(collections(), st.sampled_from(POLICIES))
def test_the_working_adds_up_to_the_score_to_the_last_bit(collection, policy):
    hits = rankgold.match(*collection, policy=policy)
    scores = rankgold.evaluate(hits, MEASURES)
    for measure in MEASURES:
        for query, score in zip(hits.queries, scores.values(measure), strict=True):
            explanation = rankgold.explain(hits, measure=measure, query=query)
            assert not_added_up(explanation, score) == [], f"{measure} of query {query!r}, policy {policy}"


def not_added_up(explanation, score):
    """What of an explanation does not come to the score of its query: names, each with two numbers that differ."""
    total = explanation.steps[-1].running_sum if explanation.steps else 0.0
    if explanation.rest is not None:
        total += explanation.rest
    expected = {"value": (explanation.value, score), "sum": (explanation.sum, total)}
    if explanation.decided_by is None:
        expected["quotient"] = (total / explanation.norm if explanation.norm else math.nan, score)
    if explanation.ideal is not None:
        expected["norm"] = (explanation.norm, explanation.ideal[-1].running_sum if explanation.ideal else 0.0)
    same = {name: a == b or (math.isnan(a) and math.isnan(b)) for name, (a, b) in expected.items()}
    return [(name, *numbers) for name, numbers in expected.items() if not same[name]]


def test_average_precision_is_worked_in_full():
    # Relevant at ranks 1, 3 and 4 of 4 relevant ones: (1/1 + 2/3 + 3/4) / 4 = 29/48.
    assert (
        str(rankgold.explain(QRELS, RUN, "ap", "q1"))
        == """\
ap of query q1: 0.6042

AP = (1 / R) * sum over relevant hits of  ordinal / rank

rank  document  grade          term  running sum
   1  d2            1  1/1 = 1.0000       1.0000
   3  d1            3  2/3 = 0.6667       1.6667
   4  d3            2  3/4 = 0.7500       2.4167

sum        2.4167
norm       4 (R, the relevant documents)
value      2.4167 / 4 = 0.6042
not found  1 relevant: d9 (grade 1)"""
    )


def test_ndcg_is_worked_in_full_with_its_ideal_ranking():
    # 1/log2(2) + 3/log2(4) = 2.5, over 3/log2(2) + 2/log2(3) + 1/log2(4) = 3 + 1.2619 + 0.5.
    assert (
        str(rankgold.explain(QRELS, RUN, "ndcg@3", "q1"))
        == """\
ndcg@3 of query q1: 0.5250

NDCG@k = DCG@k / IDCG@k

rank  document  grade          term  running sum
   1  d2            1  1/1 = 1.0000       1.0000
   3  d1            3  3/2 = 1.5000       2.5000

The ideal ranking:
rank  document  grade              term  running sum
   1  d1            3      3/1 = 3.0000       3.0000
   2  d3            2  2/1.585 = 1.2619       4.2619
   3  d2            1      1/2 = 0.5000       4.7619

sum        2.5000
norm       4.7619 (DCG of the ideal ranking)
value      2.5000 / 4.7619 = 0.5250
below k    1 relevant: d3 (grade 2)
not found  1 relevant: d9 (grade 1)"""
    )


def test_expected_reciprocal_rank_is_worked_in_full():
    # Stops of 1/8, 7/8 and 3/8: 1/8 + 7/8 * 7/8 / 3 + 3/8 * (7/8 * 1/8) / 4 = 0.125 + 0.2552 + 0.0103.
    assert (
        str(rankgold.explain(QRELS, RUN, "err(max=3)", "q1"))
        == """\
err(max=3) of query q1: 0.3905

ERR = sum over hits of  stop(grade) * product over the hits above of (1 - stop)  /  rank

rank  document  grade                     term  running sum
   1  d2            1       0.125*1/1 = 0.1250       0.1250
   3  d1            3   0.875*0.875/3 = 0.2552       0.3802
   4  d3            2  0.375*0.1094/4 = 0.0103       0.3905

sum        0.3905
norm       1
value      0.3905 / 1 = 0.3905
not found  1 relevant: d9 (grade 1)"""
    )


def test_what_is_missed_is_part_of_the_sum():
    # Ranks 1, 3, 4 and for the missed one the rank after the last, 5: 13 / 4.
    explanation = rankgold.explain(QRELS, RUN, "mr(miss=last)", "q1")
    assert (explanation.steps[-1].running_sum, explanation.rest, explanation.value) == (8.0, 5.0, 3.25)
    assert "missed     5 (relevant documents not retrieved" in str(explanation)


def test_tied_documents_are_shown_at_every_rank_they_can_take():
    # Three tied, two of them relevant, R = 4: each rank holds each with chance 1/3;
    # terms 1/1, 1.5/2 and 2/3, twice each: (2 + 1.5 + 4/3) / 3 / 4 = 29/72.
    explanation = rankgold.explain(QRELS, {"q1": {"d1": 1, "x": 1, "d2": 1}}, "ap", "q1", policy="ties=average")
    assert explanation.value == pytest.approx(29 / 72)
    assert [step.rank for step in explanation.steps] == [1, 1, 2, 2, 3, 3]
    assert "1.5/2 = 0.7500, chance 1/3" in str(explanation)


def test_very_many_tied_documents_share_a_line_for_each_rank(monkeypatch):
    # As above, with 2 documents to a line: (1/1 + 1.5/2 + 2/3) * 2/3 / 4 = 29/72.
    monkeypatch.setattr("rankgold.core.ties._ROWS_OF_SINGLE_DOCUMENTS", 0)
    explanation = rankgold.explain(QRELS, {"q1": {"d1": 1, "x": 1, "d2": 1}}, "ap", "q1", policy="ties=average")
    assert explanation.value == pytest.approx(29 / 72)
    assert [step.rank for step in explanation.steps] == [1, 2, 3]
    line = next(line for line in str(explanation).splitlines() if "1.5/2 = 0.7500" in line)
    assert line.split() == ["2", "one", "of", "2", "mixed", "1.5/2", "=", "0.7500,", "chance", "2/3", "1.1667"]


@for_each("measure", MEASURES, ids=str)
def test_text_markdown_and_html_hold_the_same_numbers(measure):
    explanation = rankgold.explain(QRELS, RUN, measure, "q1")
    body = [text.partition(explanation.formula)[2] for text in (explanation.to_text(), explanation.to_markdown())]
    html = re.sub(r"<[^>]*>", " ", unescape(explanation.to_html().replace("&lt;", "<")))
    body.append(html.partition(re.sub(r"<[^>]*>", " ", explanation.formula))[2] or html)
    numbers = [re.findall(r"\d+(?:\.\d+)?", text.replace("\\", "")) for text in body]
    assert numbers[0] == numbers[1]
    assert numbers[0] == numbers[2][-len(numbers[0]) :]
    assert explanation._repr_html_().partition("</style>")[2].removesuffix("</div>\n") in explanation.to_html()
    assert repr(explanation) == str(explanation)


def test_digits_are_as_many_as_asked_for():
    explanation = rankgold.explain(QRELS, RUN, "ap", "q1")
    # 29/48 = 0.604166...
    assert "0.604\n" in explanation.to_text(digits=3)
    assert "0.60416667" in explanation.to_markdown(digits=8)
    assert "0.604166666667" in explanation.to_html(digits=12)


# In each case what the formula alone would say, what the policy makes of it, and what the explanation names.
@for_each(
    ("measure", "query", "policy", "value", "words"),
    [
        ("ap", "q2", "rankgold", 0.0, "no relevant document (policy no_relevant=zero)"),
        ("ap", "q2", "no_relevant=one", 1.0, "no relevant document (policy no_relevant=one)"),
        ("p@5", "q2", "no_relevant=undefined", math.nan, "no relevant document (policy no_relevant=undefined)"),
        ("p", "q3", "rankgold", 0.0, "does not rank this query (policy missing=zero)"),
        ("frp", "q2", "undefined=zero", 0.0, "(policy undefined=zero)"),
        ("kendall", "q2", "undefined=zero", 0.0, "the formula gives 0/0 (policy undefined=zero)"),
    ],
)
def test_what_the_policy_decided_is_said(measure, query, policy, value, words):
    explanation = rankgold.explain(QRELS, RUN, measure, query, policy=policy)
    assert explanation.value == pytest.approx(value, nan_ok=True)
    assert words in explanation.decided_by
    for text in (explanation.to_text(), explanation.to_html(), explanation.to_markdown().replace("\\", "")):
        assert words in text
    shown = "undefined" if math.isnan(value) else f"{value:.4f}"
    assert str(explanation).partition("\n")[0].endswith(f": {shown}")


@pytest.mark.parametrize(("measure", "query"), [("frp", "q3"), ("kendall", "q2"), ("mr", "q3")])
def test_what_the_formula_leaves_undefined_is_not_put_down_to_a_policy_that_would_give_0(measure, query):
    explanation = rankgold.explain(QRELS, RUN, measure, query)
    assert math.isnan(explanation.value)
    assert "=zero" not in str(explanation)
    assert re.search(r"\b0 ?/ ?0\b", str(explanation))


def test_relevant_documents_that_were_not_found_are_listed_with_their_grades():
    qrels = {"q": {f"d{i}": i % 4 for i in range(12)}}  # 9 of them relevant
    explanation = rankgold.explain(qrels, {"q": {"d1": 1.0}}, "ap", "q")
    # Best first: d3, d7, d11 of grade 3; d2, d6, d10 of grade 2; d5, d9 of grade 1, and d1 was found.
    assert sorted(explanation.not_found, key=lambda pair: -pair[1])[0][1] == 3.0
    assert {document for document, _ in explanation.not_found} == {"d2", "d3", "d5", "d6", "d7", "d9", "d10", "d11"}
    assert "not found  8 relevant: " in str(explanation)
    assert " and 2 more" in str(explanation)


def test_an_unknown_query_is_an_error_that_names_the_nearest():
    with pytest.raises(rankgold.UnknownQueryError, match=r"'question-1'.*Did you mean 'question_1'\?"):
        rankgold.explain({"question_1": {"a": 1}, "other": {"a": 1}}, {"question_1": {"a": 1}}, "ap", "question-1")
    with pytest.raises(rankgold.UnknownQueryError, match=r"Which query\? There are 3: q1, q2, q3"):
        rankgold.explain(QRELS, RUN, "ap")


def test_a_query_may_be_given_as_text_or_as_it_is_and_the_only_one_needs_no_name():
    qrels, run = {7: {1: 1}}, {7: {1: 0.5}}
    assert rankgold.explain(qrels, run, "ap", 7).value == rankgold.explain(qrels, run, "ap", "7").value == 1.0
    assert rankgold.explain(qrels, run, "ap").query == 7


def test_hits_are_explained_as_what_they_were_made_from():
    assert str(rankgold.explain(rankgold.match(QRELS, RUN), measure="ap", query="q1")) == str(
        rankgold.explain(QRELS, RUN, "ap", "q1")
    )
    # Labels have no ids, so there is no column of documents.
    assert "document" not in str(rankgold.explain(rankgold.from_labels([[1, 0, 1]]), measure="rr"))


def test_a_measure_whose_docstring_has_no_formula_is_explained():
    known = rankgold.parse_measure("rr").metric

    @wraps(known.function)
    def reciprocal_rank(*arguments, **choices):
        return known.function(*arguments, **choices)

    reciprocal_rank.__doc__ = "One over the rank of the first relevant document."
    measure = replace(known, function=reciprocal_rank)()
    explanation = rankgold.explain({"q1": {"d1": 1}}, {"q1": {"d2": 2.0, "d1": 1.0}}, measure=measure)
    assert explanation.formula == ""
    assert "0.5000 / 1 = 0.5000" in str(explanation)


def test_names_are_escaped():
    evil = "<script>alert(1)</script>|*_\x1b[31m"
    explanation = rankgold.explain({evil: {evil: 1, f"{evil}2": 1}}, {evil: {evil: 1.0}}, "ap", evil)
    assert "<script>" not in explanation.to_html()
    assert "&lt;script&gt;" in explanation.to_html()
    assert "<script>" not in explanation.to_markdown()
    assert r"\|\*\_" in explanation.to_markdown()
    for text in (explanation.to_text(), explanation.to_markdown(), explanation.to_html()):
        assert "\x1b" not in text
        assert "x1b" in text


def test_judgements_and_a_run_that_look_swapped_are_noted():
    qrels, run = {"q": {"a": 1, "b": 0}}, {"q": {"a": 0.93, "b": 0.2}}
    assert "the judgements and the run may be swapped" in str(rankgold.explain(run, qrels, "ap"))
    assert "swapped" not in str(rankgold.explain(qrels, run, "ap"))


def test_an_explanation_is_written_as_json(tmp_path):
    explained = rankgold.explain(QRELS, RUN, "ndcg@2", "q1")
    content = json.loads(explained.to_json())
    assert content == json.loads(json.dumps(explained.to_dict()))
    # d2 of grade 1 at rank 1; the ideal ranking begins with d1 and d3.
    assert content["terms"] == [
        {"rank": 1, "document": "d2", "grade": 1.0, "term": 1.0, "chance": 1.0, "running_sum": 1.0}
    ]
    assert [term["document"] for term in content["ideal"]] == ["d1", "d3"]
    assert content["not_found"] == [{"document": "d9", "grade": 1.0}]
    undefined = rankgold.explain(QRELS, RUN, "auc", "q3", policy="no_relevant=undefined,missing=zero")
    assert json.loads(undefined.to_json())["query"] == "q3"
    qrels, run = write_trec(tmp_path, QRELS, RUN)
    call = ("explain", str(qrels), str(run), "-m", "rr,ndcg@2", "-q", "q1", "-f", "json")
    measures = [entry["measure"] for entry in json.loads(printed(*call))["explanations"]]
    assert measures == ["rr", "ndcg@2"]
    assert printed(*call, "-o", str(tmp_path / "out.json")) == ""
    assert json.loads((tmp_path / "out.json").read_text())["explanations"][1]["value"] == content["value"]
