"""Results: every one has the same methods, and each of them gives something."""

import json
import math

import polars as pl
import pytest

import rankgold
from rankgold.core.result import Result
from rankgold.data.files import sample
from rankgold.present.outputs import outputs
from tests.cases import for_each

QRELS, RUN, OTHER = sample("qrels.txt"), sample("bm25.trec"), sample("expanded.trec")
RUNS = {"bm25": RUN, "expanded": OTHER}
METHODS = ("to_text", "to_markdown", "to_latex", "to_html", "to_csv", "to_json", "_repr_html_", "__repr__")
HOSTILE = "<script>alert(1)</script>"


def scores():
    return rankgold.evaluate(QRELS, RUNS, ["ndcg@10", "rr"])


def sliced():
    return rankgold.evaluate(QRELS, RUNS, ["rr"], by=str(sample("attributes.csv")))


def verification():
    return rankgold.verify(rankgold.evaluate(QRELS, {"bm25": RUN}, ["rr"]), QRELS, {"bm25": OTHER})


RESULTS = {
    "Agreement": lambda: rankgold.agreement({"a": {"q": {"x": 1, "y": 0}}, "b": {"q": {"x": 1, "y": 1}}}),
    "Bounds": lambda: rankgold.bounds(QRELS, RUN, ["rr"]),
    "Check": lambda: rankgold.check(QRELS, RUN, min={"rr": 0.99}),
    "Comparison": lambda: rankgold.compare(QRELS, RUNS, ["rr"], test=rankgold.Randomization(draws=50)),
    "Diagnosis": lambda: rankgold.doctor(QRELS, RUN),
    "Diff": lambda: rankgold.diff(QRELS, RUN, OTHER, "rr"),
    "Expectation": lambda: rankgold.expect(QRELS, RUN, ["dcg@10"]),
    "Explanation": lambda: rankgold.explain(QRELS, RUN, "ndcg@10", "q18"),
    "Explanation of two rankings": lambda: rankgold.similarity(RUN, OTHER, ["rbo"]).explain("q18"),
    "Explanation of lists": lambda: rankgold.exposure(RUN, ["fill@10"]).explain(),
    "Intervals": lambda: scores().intervals(draws=50),
    "LearnedWeights": lambda: rankgold.learn_weights(QRELS, RUNS, "rr"),
    "Power": lambda: rankgold.power(scores()),
    "Reconciliation": lambda: rankgold.reconcile(QRELS, RUN, "ap@5", 0.5),
    "Scores": scores,
    "Scores of two rankings": lambda: rankgold.similarity(RUN, OTHER, ["rbo"]),
    "Scores of lists": lambda: rankgold.exposure(RUN, ["fill@10"]),
    "Sheet": lambda: rankgold.pool([RUN, OTHER], k=2),
    "SliceComparison": lambda: sliced().slices.compare(test=rankgold.Randomization(draws=50)),
    "SliceScores": lambda: sliced().slices,
    "Verification": verification,
    "WhatIf": lambda: rankgold.what_if(QRELS, RUN, ["rr"], move={("q10", "cake-01"): 1}),
}

KINDS = {name.partition(" ")[0] for name in RESULTS}


def kinds(base):
    return {base} | {kind for child in base.__subclasses__() for kind in kinds(child)}


def test_every_kind_of_result_is_tried_here_and_every_public_one_is_a_result():
    made = {type(make()).__name__ for make in RESULTS.values()}
    assert made == KINDS
    inner = {kind.__name__ for kind in kinds(Result) if kind.__module__.startswith("rankgold.")}
    assert inner == made | {"Result", "QueryResult"}


@for_each("name", RESULTS)
def test_every_result_has_every_method_and_each_says_something(name):
    result = RESULTS[name]()
    assert isinstance(result, Result)
    assert isinstance(result.frame, pl.DataFrame)
    assert result.frame.height
    assert list(result.to_pandas().columns)
    assert list(json.loads(result.to_json(), parse_constant=pytest.fail)) == list(result.to_dict())
    for method in METHODS:
        assert getattr(result, method)().strip(), method
    first, *rows = result.to_csv().splitlines()
    assert first.count(",") >= 1
    assert rows
    assert r"\begin{tabular}" in result.to_latex()


@for_each("name", RESULTS)
def test_every_result_is_saved_in_every_output_by_the_ending_of_its_file(name, tmp_path):
    result = RESULTS[name]()
    for output in outputs():
        for ending in output.endings:
            file = tmp_path / f"result.{ending.upper()}"
            result.save(file)
            assert file.read_text(encoding="utf-8") == result.write(output.name) + "\n"
    with pytest.raises(
        rankgold.DataError, match=r"result\.xlsx: the name of the file must end with its format: .*\.csv"
    ):
        result.save(tmp_path / "result.xlsx")


def test_digits_and_raw_ids_are_saved_as_they_are_written(tmp_path):
    result = rankgold.evaluate({"q": {"d": 1}}, {"=1+1": {"q": {"x": 2, "d": 1}}, "b": {"q": {"d": 1}}}, ["rr"])
    result.save(tmp_path / "s.md", digits=1)
    assert "| 0.5 |" in (tmp_path / "s.md").read_text()
    result.save(tmp_path / "s.csv", raw_ids=True)
    assert (tmp_path / "s.csv").read_text() == "run,rr\n=1+1,0.5\nb,1.0\n"


def test_an_output_that_does_not_exist_is_an_error_with_a_suggestion():
    with pytest.raises(rankgold.MeasureError, match=r"No output is called 'markdwn'\. Did you mean 'markdown'\?"):
        scores().write("markdwn")


def hostile_results():
    qrels = {HOSTILE: {HOSTILE: 1, "d": 2}, "q": {HOSTILE: 1}}
    run, other = ({query: {"x": 3, HOSTILE: first, "d": 1} for query in qrels} for first in (2, 4))
    runs = {HOSTILE: run, "b": other}
    found = rankgold.evaluate(qrels, runs, ["rr"], by={HOSTILE: HOSTILE, "q": "s"})
    yield found
    yield found.slices
    yield found.slices.compare(test=rankgold.Randomization(draws=50))
    yield found.intervals(draws=50)
    yield found.compare(test=rankgold.Randomization(draws=50))
    yield rankgold.power(found)
    yield rankgold.diff(qrels, run, other, "rr")
    yield rankgold.explain(qrels, run, "ap", HOSTILE)
    yield rankgold.similarity(run, other, ["rbo"])
    yield rankgold.similarity(run, other, ["overlap@2"]).explain(HOSTILE)
    yield rankgold.exposure(runs, ["fill@10"])
    yield rankgold.bounds(qrels, runs, ["rr"])
    yield rankgold.expect(qrels, runs, ["dcg@10"])
    yield rankgold.pool(runs)
    yield rankgold.agreement({HOSTILE: qrels, "b": qrels})
    yield rankgold.check(qrels, run, min={"rr": 0.99})
    yield rankgold.verify(rankgold.evaluate(qrels, {HOSTILE: run}, ["rr"]), qrels, {HOSTILE: other})
    yield rankgold.doctor(qrels, runs)
    yield rankgold.reconcile(qrels, run, "rr", per_query={HOSTILE: 0.5, "q": 0.5})
    yield rankgold.learn_weights(qrels, runs, "rr", folds=2)
    yield rankgold.what_if(qrels, run, ["rr"], move={(HOSTILE, HOSTILE): 1})


def test_hostile_text_is_escaped_in_notebooks_and_pages_of_every_result():
    tried = set()
    for result in hostile_results():
        tried.add(type(result).__name__)
        for text in (result._repr_html_(), result.to_html(), result.to_markdown()):
            assert "<script" not in text, type(result)
    assert tried == KINDS


def test_frames_of_results_have_the_numbers_of_the_results():
    # Ranks 2 and 3 of three documents are relevant: ap = (1/2 + 2/3) / 2 = 7/12, and rr = 1/2.
    qrels, run = {"q": {"a": 1, "b": 1}}, {"q": {"x": 3, "a": 2, "b": 1}}
    found = rankgold.evaluate(qrels, run, ["ap", "rr"])
    assert found.frame.rows() == [("run", pytest.approx(7 / 12), 0.5)]
    explained = rankgold.explain(qrels, run, "ap")
    assert explained.frame.select("rank", "document", "term").rows() == [(2, "a", 0.5), (3, "b", 2 / 3)]
    checked = rankgold.check(qrels, run, min={"rr": 0.4, "ap": 0.6})
    assert checked.frame.select("measure", "limit", "holds").rows() == [("rr", 0.4, True), ("ap", 0.6, False)]
    verified = rankgold.verify(found, qrels, {"run": {"q": {"a": 2, "x": 1}}})
    assert verified.frame.select("measure", "saved", "now").rows()[1] == ("rr", 0.5, 1.0)


def test_a_number_of_queries_that_are_needed_is_whole_or_missing():
    frame = rankgold.power([0.1, -0.2, 0.3, 0.0, 0.1, 0.2], difference=0.05).frame
    assert frame["needed"].to_list() == [96]
    assert rankgold.power([0.1, 0.1]).frame["needed"].to_list() == [None]
    assert rankgold.power([0.1, 0.1]).to_csv().endswith(",")


def test_learned_weights_are_a_table():
    qrels = {f"q{i}": {"a": 1} for i in range(4)}
    good, bad = ({query: {"a": a, "b": 1.5} for query in qrels} for a in (2, 1))
    learned = rankgold.learn_weights(qrels, {"good": good, "bad": bad}, "rr", folds=2)
    assert learned.frame.columns == ["run", "weight", "alone"]
    assert learned.frame["alone"].to_list() == [1.0, 0.5]
    assert learned.to_dict()["weights"] == learned.weights
    assert math.isclose(sum(learned.frame["weight"]), 1)
