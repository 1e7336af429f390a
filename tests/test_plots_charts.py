"""Charts as Altair charts: they combine, change and keep their theme; and what `plot()` of a result draws."""

import copy
import pickle
import subprocess
import sys

import altair as alt
import numpy as np
import pytest

import rankgold
from rankgold.data.files import sample
from rankgold.present.plots.inputs import runs_to_plot
from rankgold.present.plots.theme import DARK, LIGHT
from tests.charts import rows, title

pytestmark = pytest.mark.plots

HITS = {name: rankgold.match(sample("qrels.txt"), sample(f"{name}.trec")) for name in ("titles", "bm25", "expanded")}
LABELS = [[1, 0, 1], [0, 1, 0]]


def test_charts_are_altair_charts_of_the_usual_kinds():
    assert isinstance(rankgold.plots.grid(LABELS), alt.HConcatChart)
    assert isinstance(rankgold.plots.curves([1]), alt.LayerChart)
    assert isinstance(rankgold.plots.scatter(LABELS), alt.VConcatChart)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_charts_stand_side_by_side_and_keep_the_theme(theme):
    bars, lines = rankgold.plots.per_query(LABELS, theme=theme.name), rankgold.plots.curves(LABELS, theme=theme.name)
    for both in (bars | lines, bars & lines):
        content = both.to_dict()
        assert content["config"]["background"] == theme.background
        parts = content.get("hconcat") or content["vconcat"]
        assert len(parts) == 2
        assert not any("config" in part for part in parts)


def test_altair_itself_can_combine_them():
    bars, lines = rankgold.plots.per_query(LABELS), rankgold.plots.curves(LABELS)
    assert len(alt.hconcat(bars, lines).to_dict()["hconcat"]) == 2
    assert len(alt.vconcat(bars, lines).to_dict()["vconcat"]) == 2


def test_a_third_chart_joins_the_row_or_the_column_of_the_first_two():
    bars, lines = rankgold.plots.per_query(LABELS, theme="dark"), rankgold.plots.curves(LABELS)
    for content, parts in (((bars | lines | bars).to_dict(), "hconcat"), ((bars & lines & bars).to_dict(), "vconcat")):
        assert len(content[parts]) == 3
        assert content["config"]["background"] == DARK.background


def test_another_layer_can_be_put_over_a_chart():
    goal = alt.Chart(alt.Data(values=[{"goal": 0.8}])).mark_rule().encode(y="goal:Q")
    chart = rankgold.plots.curves(LABELS, theme="dark") + goal
    assert chart.to_dict()["config"]["background"] == DARK.background
    assert chart.to_dict()["layer"][-1]["mark"]["type"] == "rule"


def test_what_a_user_changes_wins_over_the_theme_and_the_rest_of_it_stays():
    chart = rankgold.plots.curves(LABELS).properties(title="Mine", width=900).configure_axis(labelFontSize=20)
    content = chart.to_dict()
    assert (content["title"], content["width"]) == ("Mine", 900)
    assert content["config"]["axis"]["labelFontSize"] == 20
    assert content["config"]["axis"]["gridColor"] == LIGHT.grid
    assert content["config"]["background"] == LIGHT.background


def test_a_chart_can_be_copied_and_is_not_changed_by_being_shown():
    chart = rankgold.plots.curves(LABELS)
    before = chart.to_dict()
    assert copy.deepcopy(chart).to_dict() == before == chart.to_dict()
    assert pickle.loads(pickle.dumps(chart)).to_dict() == before


def test_the_themes_of_altair_are_left_as_they_are():
    before = alt.theme.active
    rankgold.plots.curves(LABELS, theme="dark").to_dict()
    assert alt.theme.active == before
    assert alt.Chart(alt.Data(values=[{"a": 1}])).mark_point().to_dict()["config"] == {
        "view": {"continuousWidth": 300, "continuousHeight": 300}
    }


# --- what can be passed


def test_labels_hits_and_scores_are_taken_alone_and_by_name():
    hits = rankgold.from_labels(LABELS)
    scores = rankgold.evaluate(hits, ["rr"])
    expected = [("1", 1.0), ("2", 0.5)]
    for data in (LABELS, np.array(LABELS), hits, scores, {"mine": LABELS}, {"mine": hits}, {"mine": scores}, [hits]):
        assert rows(rankgold.plots.per_query(data, "rr"), "query", "value") == expected
    assert rows(rankgold.plots.per_query([1, 0]), "query", "value") == [("1", 1.0)]


def test_runs_keep_their_names_and_two_of_one_name_are_told_apart():
    scores = rankgold.evaluate(sample("qrels.txt"), [sample("bm25.trec"), sample("titles.trec")], ["ap"])
    assert [run.name for run in runs_to_plot(scores)] == ["bm25", "titles"]
    assert [run.name for run in runs_to_plot({"mine": scores})] == ["mine bm25", "mine titles"]
    assert [run.name for run in runs_to_plot([HITS["bm25"], HITS["bm25"]])] == ["bm25", "bm25 (2)"]


def test_scores_are_plotted_with_what_was_evaluated():
    scores = rankgold.evaluate(HITS["bm25"], ["p@5", "rr"])
    assert title(rankgold.plots.per_query(scores))[0] == "Precision@5 per query in bm25"
    with pytest.raises(rankgold.MeasureError, match="'ap' was not evaluated"):
        rankgold.plots.per_query(scores, "ap")


# --- plot() of a result


def test_hits_draw_what_says_most_about_them():
    assert title(HITS["bm25"].plot())[0].startswith("Reciprocal rank per query in bm25")
    assert title(rankgold.from_labels([[1, 0]]).plot())[0] == "Average precision: 1.0000"
    assert title(rankgold.from_labels([[3, 0]]).plot())[0] == "NDCG at k"


def test_scores_draw_what_says_most_about_them():
    three = rankgold.evaluate(sample("qrels.txt"), [sample(f"{name}.trec") for name in HITS], ["ap", "rr"])
    assert title(three.plot())[0] == "Runs by average precision"
    assert title(three["bm25"].plot())[0] == "Measures over 30 queries in bm25"
    two = rankgold.evaluate(sample("qrels.txt"), [sample("bm25.trec"), sample("expanded.trec")], ["ap"])
    assert title(two.plot())[0] == "Average precision: expanded against bm25"
    assert title(two["bm25"].plot())[0] == "Average precision per query in bm25"


def test_scores_without_queries_draw_their_means():
    totals = rankgold.Accumulator(["ap", "p@1", "p@2"], per_query=False)
    totals.update(HITS["bm25"])
    assert title(totals.scores().plot())[0] == "Runs by average precision"
    assert title(rankgold.plots.curves(totals.scores(), "p")) == ["Precision at k", "mean of 30 queries"]
    with pytest.raises(rankgold.DataError, match="the values of the queries were not kept"):
        totals.scores().plot("per-query")


def test_another_plot_is_drawn_by_its_name_with_its_options():
    chart = rankgold.plots.curve(HITS["bm25"], measure="p@5", query="q18", theme="dark")
    assert title(chart) == ["Precision at k of query q18 in bm25"]
    assert chart.to_dict()["config"]["background"] == DARK.background
    assert title(HITS["bm25"].plot("per_query"))[0].endswith("per query in bm25")


# --- without the libraries


def python(code):
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)


def test_without_altair_the_error_says_what_to_install():
    done = python("import sys; sys.modules['altair'] = None\nimport rankgold; rankgold.from_labels([[1]]).plot()")
    assert (
        "MissingDependency: This needs Altair, which is not installed: pip install altair vl-convert-python"
        in done.stderr
    )


def test_without_the_converter_the_error_says_what_to_install():
    code = "import sys; sys.modules['vl_convert'] = None\nfrom rankgold.present.plots.chart_files import render_chart\nimport rankgold; render_chart(rankgold.plots.discount(), 'png')"
    assert (
        "This needs vl-convert-python, which is not installed: pip install altair vl-convert-python"
        in python(code).stderr
    )


def test_the_list_of_plots_needs_no_library():
    done = python("import sys; sys.modules['altair'] = None\nfrom rankgold.cli.app import run; run(['plot', '--list'])")
    assert "precision-recall" in done.stdout
    assert done.stderr == ""
