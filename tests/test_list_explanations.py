"""Explanations without judgements: for every measure of two rankings and of lists, the terms add up to the value."""

import json
import math
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

import rankgold
from rankgold import exposures, similarities
from rankgold.engines.request import Request
from rankgold.measures.metric import TOGETHER
from rankgold.scoring.explanation import explain_value
from rankgold.scoring.list_exposure import lists_of_runs
from tests.all_measures import measures
from tests.collections import examples
from tests.list_cases import list_case
from tests.shell import printed, refused
from tests.test_similarity import LISTS

SIMILARITIES = measures(cutoffs=(2,), metrics=similarities.all())
GROUPS = {"group_exposure": "(group=x)"}
EXPOSURES = [
    rankgold.parse_measure(f"{metric.name}{GROUPS.get(metric.name, '')}@3", exposures.EXPOSURES)
    for metric in exposures.all()
] + [
    metric(**{parameter.name: value}) @ 3
    for metric in exposures.all()
    if metric.name not in GROUPS
    for parameter in metric.parameters.values()
    for value in (*parameter.choices, *parameter.examples)
]


def same(one, other):
    return one == pytest.approx(other, abs=1e-9, nan_ok=True)


def check(explained, value):
    """The terms and the rest add up to the sum, the sum over the norm is the value, and that is the value of scores."""
    assert same(explained.value, value), explained
    if math.isnan(value):
        return
    total = math.fsum(step.term for step in explained.steps)
    assert same(total + (explained.rest or 0), explained.sum), explained
    assert same(explained.sum / explained.norm, value), explained
    if explained.steps:
        assert same(explained.steps[-1].running_sum, total), explained
    for digits in (0, 4):
        lines = explained.to_text(digits=digits).splitlines()
        assert lines[0] == f"{explained.measure} of {explained.subject}: {value:.{digits}f}"


@examples(8)
@given(LISTS, LISTS, st.sampled_from(["ties=descending", "undefined=zero,depth=3"]))
def test_the_terms_of_every_measure_of_two_rankings_add_up_to_its_value(first, second, policy):
    runs = {"q": first, "p": {"a": 1}}, {"q": second, "p": {"b": 1}}
    scores = rankgold.similarity(*runs, SIMILARITIES, policy=policy)
    number = scores.queries().index("q")
    for label, measure in scores.measures.items():
        explained = scores.explain("q", measure)
        if explained.decided_by is None:
            check(explained, scores.values(label)[number])
        else:
            assert explained.value == scores.values(label)[number] == 0
            assert "undefined=zero" in explained.to_text()
        for step in explained.steps:
            assert step.of.keys() == explained.columns.keys()


def test_the_terms_of_every_measure_of_lists_add_up_to_its_values():
    for seed in (1, 11, 42):
        run, items, train, qrels = list_case(seed)
        items[next(iter(items))]["group"] = "x"
        known = {"items": items, "train": train, "qrels": qrels}
        scores = rankgold.exposure(run, EXPOSURES, **known)
        lists, *_ = lists_of_runs(Request.of({"run": run, **known}))
        for label, measure in scores.measures.items():
            check(explain_value(lists, measure), scores[label])
            if measure.metric.aggregate is TOGETHER:
                with pytest.raises(rankgold.MeasureError, match="a value of all lists together"):
                    explain_value(lists, measure, lists.queries[0])
                continue
            for number, user in enumerate(scores.queries()):
                check(explain_value(lists, measure, user), scores.values(label)[number])


def test_a_pair_of_rankings_is_written_out():
    first, second = {"q1": ["a", "b", "c"], "q2": ["x"]}, {"q1": ["b", "a", "d"], "q2": ["x"]}
    scores = rankgold.similarity({"old": first}, {"new": second}, ["rbo", "tau_ap"])
    # A is 0, 1 and 2/3 at depths 1 to 3, and 2/3 from there on: 0.9^3 * 2/3 = 0.486.
    assert scores.explain("q1", "rbo").to_text() == (
        "rbo of query q1 in new, compared with old: 0.6300\n\n"
        "RBO = (1 - p) * sum over depths d from 1 of  p^(d - 1) * A(d)\n"
        "    with  A(d) = (documents in the first d of both) / d\n\n"
        "depth  old  new                        term  running sum\n"
        "    1  a    b    0.1 * 0.9^0 * 0/1 = 0.0000       0.0000\n"
        "    2  b    a    0.1 * 0.9^1 * 2/2 = 0.0900       0.0900\n"
        "    3  c    d    0.1 * 0.9^2 * 2/3 = 0.0540       0.1440\n\n"
        "rest   0.4860 (the depths below the lists, form=ext)\n"
        "sum    0.6300\n"
        "norm   1\n"
        "value  0.6300 / 1 = 0.6300"
    )
    explained = scores.explain("q1", "tau_ap")
    assert [tuple(step.of.values()) for step in explained.steps] == [("a", "1", "2")]
    assert (explained.value, explained.norm) == (-1, 1)
    both = scores.explain("q1", "tau_ap(reference=both)")
    assert [tuple(step.of.values()) for step in both.steps] == [("a", "1", "2", "old"), ("b", "2", "1", "new")]


def test_tied_documents_share_their_ranks_where_the_formula_knows_ties():
    first, second = {"q": {"a": 2, "b": 1, "c": 1}}, {"q": ["a", "b", "c"]}
    shared = rankgold.similarity(first, second, "kendall").explain()
    assert [tuple(step.of.values()) for step in shared.steps] == [("a", "1", "1"), ("c", "2-3", "3"), ("b", "2-3", "2")]
    ordered = rankgold.similarity(first, second, "overlap").explain()
    assert [tuple(step.of.values()) for step in ordered.steps] == [("a", "1", "1"), ("c", "2", "3"), ("b", "3", "2")]


def test_a_document_of_one_list_has_no_rank_in_the_other():
    explained = rankgold.similarity({"q": ["a"]}, {"q": ["b", "a"]}, "kendall(documents=all)").explain()
    assert [tuple(step.of.values()) for step in explained.steps] == [("a", "1", "2"), ("b", "–", "1")]


def test_lists_are_written_out_in_every_format():
    scores = rankgold.exposure({"u1": ["a", "<b>"]}, "popularity", train={"x": ["a", "<b>"], "y": ["a"]})
    explained = scores.explain("u1")
    rows = [("1", "a", "2", "2.0000"), ("2", "<b>", "1", "3.0000")]
    assert [re.split(r"  +", line.strip()) for line in explained.to_text().splitlines()[5:7]] == [*map(list, rows)]
    assert "| 1 | a | 2 | 2.0000 |" in explained.to_markdown()
    assert "&lt;b&gt;" in explained.to_html()
    assert "&lt;b&gt;" in explained._repr_html_()
    assert repr(explained) == explained.to_text()


def test_a_query_a_measure_and_a_run_are_named_if_there_are_several():
    run = {"q1": ["a"], "q2": ["a"]}
    scores = rankgold.similarity(run, {"x": run, "y": run}, ["rbo", "overlap"])
    for call, message in (
        (lambda: scores.explain("q1"), "Which measure"),
        (lambda: scores.explain("q1", "rbo"), "Which run"),
        (lambda: scores["x"].explain(None, "rbo"), "Which query"),
        (lambda: scores["x"].explain("q9", "rbo"), "No query is called 'q9' in both runs"),
        (lambda: scores.explain("q1", "ap", run="x"), "rankings against judgements"),
        (lambda: scores.explain("q1", "rbo", run="z"), "There is no run 'z'"),
        (lambda: rankgold.exposure(run, "entropy").explain("q1"), "a value of all lists together"),
        (lambda: rankgold.exposure(run, "personalisation").explain("q9"), "No user is called 'q9' in the run"),
        (lambda: rankgold.similarity(run, run, "overlap", policy="ties=average"), "not averaged"),
    ):
        with pytest.raises(rankgold.RankgoldError, match=message):
            call()
    assert scores["x"].explain("q1", "jaccard").value == 1
    assert scores.explain("q1", "rbo", run="y").subject == "query q1 in y"


def test_scores_explain_themselves_without_reading_their_data_again(tmp_path):
    runs = {name: tmp_path / f"{name}.trec" for name in ("old", "new")}
    runs["old"].write_text("q1 Q0 a 1 2 x\nq1 Q0 b 2 1 x\n")
    runs["new"].write_text("q1 Q0 b 1 2 x\nq1 Q0 c 2 1 x\n")
    alike, made_of = rankgold.similarity(*runs.values(), "overlap"), rankgold.exposure(runs["new"], "fill@4")
    for file in runs.values():
        file.unlink()
    # b is one of two documents, and two items fill two of four places.
    explained = alike.explain("q1")
    assert ([step.document for step in explained.steps], explained.value) == (["b"], 1 / 2)
    assert made_of.explain("q1").value == 2 / 4
    judged = rankgold.evaluate({"q1": {"a": 1}}, {"q1": {"a": 1.0}}, "rr")
    with pytest.raises(rankgold.DataError, match=r"do not keep their data. Pass it to rankgold\.explain"):
        judged.explain("q1")


def test_the_commands_print_what_python_returns(tmp_path):
    folder = printed("demo", "--path").strip()
    first, second, third = (f"{folder}/{name}.trec" for name in ("bm25", "expanded", "titles"))
    scores = rankgold.similarity(first, [second, third], ["rbo@5", "kendall"])
    expected = [scores.explain("q18", measure, run=run) for measure in scores.measures for run in scores.runs]
    call = ("similarity", first, second, third, "-m", "rbo@5,kendall", "--explain", "q18")
    assert printed(*call) == "\n".join(explained.to_text() + "\n" for explained in expected)
    page = printed(*call, "-f", "html")
    assert page.count("<!DOCTYPE html>") == 1
    for explained in expected:
        assert explained.to_html().split("<main>")[1].split("</main>")[0].strip() in page
    assert printed(*call, "-o", str(tmp_path / "out.md")) == ""
    assert (tmp_path / "out.md").read_text() == "\n".join(explained.to_markdown() + "\n" for explained in expected)
    call = ("exposure", f"{folder}/neighbours.csv", "--items", f"{folder}/dishes.csv", "-m", "ild@3", "--explain")
    scores = rankgold.exposure(call[1], "ild@3", items=call[3])
    assert printed(*call) == scores.explain().to_text() + "\n"
    assert printed(*call, "u01", "--digits", "2") == scores.explain("u01").to_text(digits=2) + "\n"
    (content,) = json.loads(printed(*call, "u01", "-f", "json"))["explanations"]
    assert content == json.loads(scores.explain("u01").to_json())
    assert content["terms"][0].keys() == {"item", "other item", "term", "running_sum"}
    assert (
        refused(*call, "-f", "csv")
        == "--explain does not support the format csv. Choose one of table, markdown, html, json."
    )
    assert refused(*call, "-q").startswith("--per-query and --explain cannot be combined")
