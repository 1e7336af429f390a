"""The result: how scores are found in it, what it turns into, and that names cannot break any of its forms."""

import csv
import io
import json
import math
import re
import sys
from html.parser import HTMLParser

import numpy as np
import pandas as pd
import polars as pl
import pytest
from rich.console import Console

import rankgold
from tests.cases import for_each

# q1 ranks d2, d1, d5, d3 and d1, d3 are relevant: AP = (1/2 + 2/4) / 2 = 1/2, P@2 = 1/2, first relevant at 2.
# q2 ranks d4, d9 and d4 is relevant: AP = 1, P@2 = 1/2, first relevant at 1.
QRELS = {"q1": {"d1": 2, "d2": 0, "d3": 1}, "q2": {"d4": 1}}
RUN = {"q1": {"d2": 0.9, "d1": 0.8, "d5": 0.7, "d3": 0.6}, "q2": {"d4": 1.5, "d9": 1.0}}
# q1 ranks d1, d3: AP = 1, P@2 = 1, first at 1. q2 ranks d9, d4: AP = 1/2, P@2 = 1/2, first at 2.
OTHER = {"q1": {"d1": 2, "d3": 1}, "q2": {"d9": 2, "d4": 1}}
# Nothing relevant at all: AP = 0, and there is no first relevant document.
NOTHING = {"q1": {"d2": 1}, "q2": {"d9": 1}}
EVIL = [
    "<script>alert('x')</script>", "a|b", "x_y%&", "\x1b[31mred\x07", "$\\{}#^~", "*bold* `code` [link](x)", "two\nlines"
]  # fmt: skip
ELEMENTS = {"div", "style", "table", "thead", "tbody", "tr", "th", "td", "strong", "p", "ul", "li"}


@pytest.fixture
def single():
    return rankgold.evaluate(QRELS, RUN, ["map", "P_2", "frp"])


@pytest.fixture
def many():
    return rankgold.evaluate(QRELS, {"bm25": RUN, "dense": OTHER, "none": NOTHING}, ["ap", "frp"])


def test_a_score_is_found_under_any_spelling_of_its_measure(single):
    for text in ("map", "ap", "AP", "average_precision", " ap ", rankgold.measures.ap(), "ap(rel=1)"):
        assert single[text] == 0.75
        assert text in single
    assert single["P_2"] == single["p@2"] == single["precision@2"] == 0.5
    assert single.means["ap"] == single.means["map"] == 0.75
    assert dict(single.means) == {"map": 0.75, "P_2": 0.5, "frp": 1.5}
    assert list(single.measures) == ["map", "P_2", "frp"]
    assert str(single.measures["P_2"]) == "p@2"


def test_what_was_not_evaluated_is_not_in_the_scores(single):
    for absent in ("ndcg", "p@3", "ap(rel=2)", "nosuch", "", 5, None):
        assert absent not in single
    with pytest.raises(rankgold.MeasureError, match=r"'ndcg' was not evaluated. Evaluated were map, P_2, frp"):
        single["ndcg"]
    with pytest.raises(rankgold.MeasureError, match="was not evaluated"):
        single.values("ndcg")


def test_of_several_runs_each_is_found_by_name_and_each_measure_by_run(many):
    assert many.runs == ["bm25", "dense", "none"]
    assert many["ap"] == many["map"] == {"bm25": 0.75, "dense": 0.75, "none": 0.0}
    assert many["dense"]["ap"] == many.means["dense"]["map"] == 0.75
    assert isinstance(many["dense"], rankgold.Scores)
    assert "dense" in many
    assert "sparse" not in many
    assert many.values("ap", "dense").tolist() == [1.0, 0.5]
    with pytest.raises(rankgold.MeasureError, match=r"Which run\? There are bm25, dense, none"):
        many.values("ap")


def test_values_are_copies(single):
    single.values("ap")[:] = 9.0
    assert single.values("ap").tolist() == [0.5, 1.0]


def test_the_frame_per_query_has_a_column_per_measure(single, many):
    assert single.per_query.equals(
        pl.DataFrame({"query": ["q1", "q2"], "map": [0.5, 1.0], "P_2": [0.5, 0.5], "frp": [2.0, 1.0]})
    )
    assert many.per_query.columns == ["run", "query", "ap", "frp"]
    assert many.per_query["run"].to_list() == ["bm25", "bm25", "dense", "dense", "none", "none"]
    assert many.per_query["ap"].to_list() == [0.5, 1.0, 1.0, 0.5, 0.0, 0.0]


def test_queries_keep_their_type_in_the_frame():
    scores = rankgold.evaluate({1: {10: 1}, 2: {10: 1}}, {1: {10: 1.0}, 2: {10: 1.0}}, ["ap"])
    assert scores.per_query["query"].to_list() == [1, 2]


def test_a_pandas_frame_holds_the_same(single):
    expected = pd.DataFrame({"query": ["q1", "q2"], "map": [0.5, 1.0], "P_2": [0.5, 0.5], "frp": [2.0, 1.0]})
    pd.testing.assert_frame_equal(single.to_pandas(), expected, check_dtype=False)


def test_a_dict_and_json_hold_everything_with_none_for_what_is_undefined(many):
    content = many.to_dict()
    assert content["runs"]["none"] == {
        "means": {"ap": 0.0, "frp": None}, "per_query": {"q1": {"ap": 0.0, "frp": None}, "q2": {"ap": 0.0, "frp": None}}
    }  # fmt: skip
    assert content["measures"] == ["ap", "frp"]
    assert content["policy"] == rankgold.Policy().to_dict()
    assert content["notes"]["none"]["undefined"] == {"frp": 2}
    assert json.loads(many.to_json()) == content
    assert "per_query" not in many.to_dict(per_query=False)["runs"]["none"]
    assert "\n" not in many.to_json(indent=None)


def test_the_best_run_of_a_measure_may_have_the_lowest_mean_and_may_be_shared(many):
    assert many.best("ap") == {"bm25", "dense"}
    # frp: (2 + 1) / 2 for both, and undefined for none.
    assert many.best("frp") == {"bm25", "dense"}
    closer = rankgold.evaluate(QRELS, {"far": RUN, "near": {"q1": {"d1": 1}, "q2": {"d4": 1}}}, ["frp", "ap"])
    assert (closer.best("frp"), closer.best("ap")) == ({"near"}, {"far", "near"})
    assert "| near | **1.0000** | **0.7500** |" in closer.to_markdown()


def test_tables_in_markdown_latex_csv_and_text(many):
    assert many.to_markdown(digits=2) == (
        "| run | ap | frp |\n| --- | ---: | ---: |\n"
        "| bm25 | **0.75** | **1.50** |\n| dense | **0.75** | **1.50** |\n| none | 0.00 | – |"
    )
    assert many.to_latex(digits=1).splitlines()[4:7] == [
        r"bm25 & \textbf{0.8} & \textbf{1.5} \\", r"dense & \textbf{0.8} & \textbf{1.5} \\", r"none & 0.0 & -- \\"
    ]  # fmt: skip
    assert many.to_csv() == "run,ap,frp\nbm25,0.75,1.5\ndense,0.75,1.5\nnone,0.0,"
    assert str(many).splitlines()[:3] == [
        "run        ap      frp",
        "bm25   0.7500*  1.5000*",
        "dense  0.7500*  1.5000*",
    ]
    assert repr(many) == str(many)


def test_a_single_run_is_not_marked_as_the_best(single):
    assert "**" not in single.to_markdown()
    assert "textbf" not in single.to_latex()
    assert "*" not in str(single)


def test_notes_say_what_was_found_and_what_the_policy_did():
    qrels = {"q1": {"d1": 1, "bad": -2}, "q2": {"d1": 0}, "q3": {"d1": 1}}
    run = {"q1": {"d1": 1.0, "x": 1.0, "y": 0.5, "z": 0.1}, "q2": {"d1": 1.0}, "q9": {"d1": 1.0}}
    notes = rankgold.evaluate(qrels, run, ["ap", "frp"]).notes
    assert (notes.queries, notes.retrieved) == (3, 5)
    assert notes.without_ranking == ("q3",)
    assert notes.without_judgements == ("q9",)
    assert notes.without_relevant == ("q2",)
    assert notes.unjudged_share == pytest.approx(3 / 5)
    assert (notes.negative_grades, notes.tied_hits) == (1, 1)
    assert notes.undefined == {"frp": 2}
    assert notes.remarks == ()


def test_the_text_shows_the_notes():
    lines = str(
        rankgold.evaluate(
            {"q1": {"d1": 1}, "q2": {"d1": 0}, "q3": {"d1": 1}}, {"q1": {"d1": 1}, "q2": {"x": 1}}, ["ap"]
        )
    )
    assert "1 query judged but not ranked (q3): scored 0 (policy missing=zero)" in lines
    assert "1 query without a relevant document (q2): scored 0 (policy no_relevant=zero)" in lines
    assert "50.0% of 2 retrieved documents are not judged" in lines


class Reader(HTMLParser):
    """The elements of a page, and the text of its cells."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.cells = [], []
        self.feed(page)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, attrs))
        if tag in ("td", "th"):
            self.cells.append("")

    def handle_data(self, data):
        if self.tags[-1][0] in ("td", "th", "strong"):
            self.cells[-1] += data


def shown(name):
    """A name with its control characters spelled out."""
    return "".join(c if c.isprintable() else f"\\x{ord(c):02x}" for c in name)


@pytest.fixture
def evil():
    queries = {name: {"d": 1} for name in EVIL}
    return rankgold.evaluate(queries, dict.fromkeys(EVIL, queries), ["ap"])


def test_html_holds_names_as_text_and_no_element_of_theirs(evil):
    page = Reader(evil._repr_html_())
    assert {tag for tag, _ in page.tags} <= ELEMENTS
    assert page.cells[::2] == ["run", *map(shown, EVIL)]


def test_html_of_notes_is_escaped_too():
    scores = rankgold.evaluate({"q": {"d": 1}, "<img src=x>": {"d": 1}}, {"q": {"d": 1}, "<b>": {"d": 1}}, ["ap"])
    assert {tag for tag, _ in Reader(scores._repr_html_()).tags} <= ELEMENTS


def test_markdown_rows_keep_their_cells(evil):
    for per_query, cells in ((False, 2), (True, 3)):
        rows = evil.to_markdown(per_query=per_query).split("\n\n")[0].strip().splitlines()
        assert len(rows) == 2 + (len(EVIL) ** 2 if per_query else len(EVIL))
        assert {len(re.findall(r"(?<!\\)\|", row)) - 1 for row in rows} == {cells}
        assert "<script>" not in "".join(rows)
    assert r"| a\|b |" in evil.to_markdown()


def test_latex_rows_hold_no_bare_special_character(evil):
    rows = [line for line in evil.to_latex(per_query=True).splitlines() if line.endswith(r"\\")]
    assert len(rows) == 2 + len(EVIL) ** 2 + len(EVIL)
    assert {len(re.findall(r"(?<!\\)&", row)) for row in rows} == {1, 2}
    assert all(re.search(r"(?<!\\)[#%_$]", row) is None for row in rows)
    assert r"x\_y\%\& &" in evil.to_latex()
    assert r"\$\textbackslash{}\{\}\#\textasciicircum{}\textasciitilde{}" in evil.to_latex()


def test_csv_gives_names_back_as_they_were(evil):
    means, queries = evil.to_csv(raw_ids=True), evil.to_csv(per_query=True, raw_ids=True)
    assert [row[0] for row in csv.reader(io.StringIO(means, newline=""))][1:] == EVIL
    assert [row[1] for row in csv.reader(io.StringIO(queries, newline=""))][1:] == EVIL * len(EVIL)


def test_the_best_run_is_found_under_every_name_of_the_measure(many):
    # bm25 and dense both have 0.75.
    for name in ("ap", "map", "average_precision", rankgold.parse_measure("ap")):
        assert many.best(name) == {"bm25", "dense"}
    for wrong, message in (
        ("rr", "'rr' was not evaluated. Evaluated were ap, frp"),
        ("nosuch", "No measure is called"),
    ):
        with pytest.raises(rankgold.MeasureError, match=message):
            many.best(wrong)


@for_each("digits", [-1, 18, 10**9, 2.0, 2.5, True, "2", None])
def test_digits_are_a_whole_number_from_0_to_17(many, digits):
    explanation = rankgold.explain(QRELS, RUN, "ap", next(iter(QRELS)))
    for write in (many.to_markdown, many.to_latex, explanation.to_text, explanation.to_markdown, explanation.to_html):
        with pytest.raises(rankgold.MeasureError, match="digits must be a whole number from 0 to 17"):
            write(digits=digits)
        assert write(digits=np.int64(3)) == write(digits=3)


def test_json_gives_names_back_as_they_were(evil):
    assert list(json.loads(evil.to_json())["runs"]) == EVIL
    assert list(json.loads(evil.to_json())["runs"]["a|b"]["per_query"]) == EVIL


def test_text_for_terminals_holds_no_control_character(evil):
    for text in (str(evil), evil.to_markdown(), evil.to_latex()):
        assert re.search(r"[\x00-\x08\x0b-\x1f\x7f]", text) is None
    assert shown("\x1b[31mred\x07") in str(evil)
    # Two lines of a name stay in one row of the table.
    assert len(evil.to_trec_eval().splitlines()) == 2 * len(EVIL)


def test_the_mean_over_no_query_is_undefined_and_no_error():
    scores = rankgold.evaluate({"q": {"d": 0}}, {"q": {"d": 1}}, ["ap"], policy="no_relevant=skip")
    assert math.isnan(scores["ap"])
    assert scores.per_query.height == 0
    assert json.loads(scores.to_json())["runs"]["run"]["means"] == {"ap": None}


def test_rich_prints_scores_as_a_table():
    console = Console(file=io.StringIO(), width=60)
    console.print(rankgold.evaluate(rankgold.from_labels([[1, 0]]), ["p@2"]))
    assert console.file.getvalue().split() == ["run", "p@2", "run", "0.5000"]


def test_a_note_that_judgements_and_run_share_names_the_run_once():
    twice = pl.DataFrame({"query": ["q", "q"], "document": ["d", "d"]})
    qrels, run = twice.with_columns(grade=pl.Series([1, 1])), twice.with_columns(score=pl.Series([2.0, 1.0]))
    scores = rankgold.evaluate(qrels, run, ["ap"], policy="duplicates=first")
    assert [line for line in str(scores).splitlines() if "repeats" in line] == [
        "1 row that repeats a document of a query: dropped, the first kept (policy duplicates=first)"
    ]


def test_a_measure_in_place_of_a_run_is_an_error_that_names_the_runs():
    run = {"q": {"d": 1.0}}
    scores = rankgold.evaluate({"q": {"d": 1}}, {"old": run, "new": run}, ["map"])
    for by_run in (scores.means, scores.variances):
        with pytest.raises(rankgold.MeasureError, match=r"no run 'map'\. The runs are old, new\. .*\['old'\]\['map'\]"):
            by_run["map"]
    assert scores.means["new"]["map"] == 1.0


def test_the_scores_of_one_run_are_read_like_a_dict_from_measure_to_mean(single):
    assert list(single) == single.keys() == ["map", "P_2", "frp"]
    assert len(single) == 3
    assert dict(single) == {"map": 0.75, "P_2": 0.5, "frp": 1.5}
    assert all(measure in single for measure in single)
    assert {**single} == dict(single)


def test_the_scores_of_several_runs_are_read_like_a_dict_from_run_to_its_scores(many):
    assert list(many) == many.keys() == ["bm25", "dense", "none"]
    assert len(many) == 3
    assert {name: scores["ap"] for name, scores in dict(many).items()} == {"bm25": 0.75, "dense": 0.75, "none": 0.0}
    assert all(run in many for run in many)
    assert "ap" in many  # the means of all runs
    assert "nosuch" not in many


def test_a_mistyped_run_is_answered_with_the_runs_and_the_measures(many, single):
    with pytest.raises(rankgold.MeasureError) as error:
        many["bm52"]
    assert str(error.value) == (
        "There is neither a run nor a measure 'bm52'. Did you mean 'bm25'? Runs: bm25, dense, none. Measures: ap, frp."
    )
    with pytest.raises(
        rankgold.MeasureError, match=r"nor a measure 'dence'\. Did you mean 'dense'\? Runs: bm25, dense"
    ):
        many["dence"]
    with pytest.raises(
        rankgold.MeasureError, match=r"nor a measure 'ndgc'\. Did you mean 'ndcg'\? Runs: run\. Measures: map"
    ):
        single["ndgc"]
    with pytest.raises(rankgold.MeasureError, match="gain must be one of linear"):
        many["ndcg(gain=cubic)"]
    for name in ("bm52", "ap"):
        with pytest.raises(rankgold.MeasureError, match=rf"There is no run .{name}.\..* There are bm25, dense, none\."):
            many.values("ap", run=name)


def test_runs_are_sorted_by_any_measure(many):
    runs = {"bm25": RUN, "dense": OTHER, "none": NOTHING, "top": QRELS}
    scores = rankgold.evaluate(QRELS, dict(reversed(runs.items())), ["ap", "frp"])
    # ap: top 1, bm25 and dense 0.75, none 0. frp: top 1, bm25 and dense 1.5, none undefined. Equal runs keep their order.
    assert scores.runs == ["top", "none", "dense", "bm25"]
    assert scores.sorted_by("map").runs == ["top", "dense", "bm25", "none"]
    assert scores.sorted_by(rankgold.measures.frp).runs == ["top", "dense", "bm25", "none"]
    assert scores.sorted_by("ap")["ap"] == scores["ap"]
    with pytest.raises(rankgold.MeasureError, match="'rr' was not evaluated"):
        scores.sorted_by("rr")


def test_to_pandas_without_pandas_says_what_to_install(single, monkeypatch):
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(
        rankgold.MissingDependency, match="This needs pandas, which is not installed: pip install pandas"
    ):
        single.to_pandas()


@for_each("form", ["json", "csv", "markdown", "latex", "html", "trec_eval"])
@for_each("per_query", [False, True])
def test_no_text_ends_with_a_blank_line_when_it_is_printed(many, form, per_query):
    text = getattr(many, f"to_{form}")(per_query=per_query)
    assert text == text.strip("\n") != ""
    explanation = rankgold.explain(QRELS, RUN, "ap", "q1")
    for written in (explanation.to_text(), explanation.to_markdown(), explanation.to_html(), str(many)):
        assert not written.endswith("\n")
