"""Intervals of the means of runs: as a dict, as tables, and at the shell."""

import json
import math
import pickle

import numpy as np
import pytest
from scipy import stats

import rankgold
from rankgold.data.files import sample
from tests.cases import for_each
from tests.shell import printed

FILES = [str(sample(name)) for name in ("qrels.txt", "bm25.trec", "expanded.trec")]
SCORES = rankgold.evaluate(FILES[0], FILES[1:], ["ndcg@10", "rr"])


def test_intervals_are_found_by_run_and_by_any_spelling_of_a_measure():
    low, high = SCORES["bm25"].intervals(method="t")["ndcg_cut_10"]
    values = SCORES.values("ndcg@10", "bm25")
    expected = stats.ttest_1samp(values, 0).confidence_interval(0.95)
    assert (low, high) == pytest.approx((expected.low, expected.high))
    assert SCORES.intervals(method="t")["bm25"]["ndcg@10"] == pytest.approx((low, high))
    with pytest.raises(rankgold.MeasureError, match="There is no run 'dense'"):
        SCORES.intervals()["dense"]
    assert pickle.loads(pickle.dumps(SCORES.intervals())) == SCORES.intervals()


def test_sums_and_geometric_means_have_intervals_of_their_own():
    scores = rankgold.evaluate(*FILES[:2], ["num_rel_ret", "gmap", "ap"])
    found = scores.intervals(method="t")
    relevant, precision = scores.values("num_rel_ret"), scores.values("ap")
    mean = stats.ttest_1samp(relevant, 0).confidence_interval(0.95)
    assert found["num_rel_ret"] == pytest.approx((30 * mean.low, 30 * mean.high))
    # trec_eval takes 0.00001 for what is less.
    logarithm = stats.ttest_1samp(np.log(np.maximum(precision, 1e-5)), 0).confidence_interval(0.95)
    assert found["gmap"] == pytest.approx((math.exp(logarithm.low), math.exp(logarithm.high)))


def test_a_run_has_the_interval_that_it_has_alone_also_beside_one_with_other_queries():
    other = rankgold.evaluate(
        {"q": {"d": 1}, "r": {"d": 1}, "s": {"d": 1}}, {"q": {"d": 1}, "r": {"e": 1}}, ["rr"], policy="missing=skip"
    )
    both = SCORES["bm25"].of_runs([SCORES.run_scores("bm25"), other.run_scores("run")])
    both = rankgold.Scores(both.run_list, other.measures, both.policy)
    found = both.intervals()
    assert found["bm25"]["rr"] == pytest.approx(SCORES["bm25"].intervals()["rr"])
    assert found["run"]["rr"] == pytest.approx(other.intervals()["rr"])


def test_tables_have_the_interval_beside_the_mean():
    found = SCORES.intervals()
    low, high = found["expanded"]["ndcg@10"]
    shown = f"0.7298 [{low:.4f}, {high:.4f}]"
    assert shown in repr(found)
    assert shown in found.to_html()
    assert f"0.7298 {{[}}{low:.4f}, {high:.4f}]" in found.to_latex()
    assert r"\caption{Means with 95 \% confidence intervals" in found.to_latex()
    header, *rows = (line.split(",") for line in found.to_csv().splitlines())
    assert header == ["run", "measure", "mean", "low", "high"]
    assert ["expanded", "ndcg@10", *map(str, (SCORES["ndcg@10"]["expanded"], low, high))] in rows
    assert found.frame.columns == ["run", "measure", "mean", "low", "high"]
    assert found.frame.height == 4


def test_one_query_has_no_interval():
    found = rankgold.evaluate(rankgold.from_labels([[1, 0]]), ["rr"]).intervals()
    assert all(math.isnan(end) for end in found["rr"])
    assert "1.0000 [–, –]" in repr(found)
    assert found.to_dict()["runs"]["run"]["intervals"] == {"rr": [None, None]}


def test_slices_stand_below_the_means_with_their_intervals():
    asked = ["evaluate", *FILES, "-m", "rr", "--ci", "--slices", str(sample("attributes.csv")), "--by", "kind"]
    low, high = SCORES.intervals()["bm25"]["rr"]
    text = printed(*asked)
    assert text.index(f"[{low:.4f}, {high:.4f}]") < text.index("Means of each slice") < text.index("how-to")
    latex = printed(*asked, "-f", "latex")
    assert latex.index(r"\caption{Means with 95 \% confidence") < latex.index(r"\caption{Means of each slice")
    content = json.loads(printed(*asked, "-f", "json"))
    assert content["runs"]["bm25"]["intervals"]["rr"] == pytest.approx([low, high])
    assert {row["slice"] for row in content["slices"]["rows"]} == {"how-to", "ingredients", "problem", "question"}


@for_each(
    ("queries", "method", "says_so"),
    [
        (24, "bootstrap", True),
        (24, "percentile", True),
        (24, "t", False),
        (25, "bootstrap", False),
        (1, "bootstrap", False),
    ],
)
def test_bootstrap_intervals_of_few_queries_say_that_they_are_too_narrow(queries, method, says_so):
    hits = rankgold.from_labels([[1, 0] if query % 2 else [0, 1] for query in range(queries)])
    text = str(rankgold.evaluate(hits, ["rr"]).intervals(method=method))
    assert (f"too narrow for {queries} queries" in text) == says_so


def test_the_shell_prints_intervals_in_every_format_that_has_room_for_them(tmp_path):
    asked = ["evaluate", *FILES, "-m", "ndcg@10,rr", "--ci"]
    content = json.loads(printed(*asked, "-f", "json", "--per-query"))
    assert content["runs"]["bm25"]["intervals"]["rr"] == pytest.approx(list(SCORES.intervals()["bm25"]["rr"]))
    assert content["interval"] == {"level": 0.95, "method": "bca"}
    assert len(content["runs"]["bm25"]["per_query"]) == 30
    assert "90 % confidence intervals of the means over queries (t)" in printed(
        *asked, "--level", "0.9", "--interval", "t"
    )
    assert printed(*asked, "-f", "csv") == SCORES.intervals().to_csv() + "\n"
    printed(*asked, "-o", str(tmp_path / "means.md"))
    assert "confidence intervals" in (tmp_path / "means.md").read_text()
    for options, message in (
        (["-f", "trec_eval"], "the format trec_eval cannot show --ci"),
        (["-f", "csv", "--per-query"], "CSV holds one table"),
        (["--bounds"], "--bounds and --ci cannot be combined"),
        (["-f", "csv", "--slices", str(sample("attributes.csv"))], "CSV holds one table"),
    ):
        with pytest.raises(rankgold.DataError, match=message):
            printed(*asked, *options)
    with pytest.raises(rankgold.ComparisonError, match="A level must be above 0"):
        printed(*asked, "--level", "95")


def test_tables_of_intervals_have_queries_only_if_they_are_wanted():
    found = SCORES.intervals()
    assert [len(table.rows) for table in found.document().tables] == [2]
    assert len(found.document(per_query=True).tables) == 2
    assert not found.document().notes
    assert "per_query" not in found.to_dict()["runs"]["bm25"]


def test_percentile_intervals_of_slices_are_those_of_their_queries_alone():
    languages = {query: "even" if number % 2 else "odd" for number, query in enumerate(SCORES.queries("bm25"))}
    sliced = rankgold.evaluate(FILES[0], FILES[1], ["rr"], by=languages).slices.intervals(method="percentile")
    for row in sliced:
        topics = [query for query, name in languages.items() if name == row.slice]
        alone = rankgold.evaluate(FILES[0], FILES[1], ["rr"], topics=topics).intervals(method="percentile")
        assert (row.low, row.high) == pytest.approx(alone["rr"])
