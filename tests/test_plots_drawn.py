"""Every plot drawn: pictures that are not blank and as large as they should be, and the edges of the data."""

import html.parser
import json
import re
import xml.etree.ElementTree as ET

import altair as alt
import numpy as np
import pytest
import vl_convert

import rankgold
from rankgold.core.errors import PlotError
from rankgold.data.files import sample
from rankgold.present.plots import PLOTS
from rankgold.present.plots.chart_files import SCALE, render_chart
from rankgold.present.plots.theme import THEMES
from tests.cases import for_each
from tests.charts import count_of_rows, pixels, svg, tables, title

pytestmark = pytest.mark.plots

NAMES = sorted(PLOTS)
HITS = {name: rankgold.match(sample("qrels.txt"), sample(f"{name}.trec")) for name in ("bm25", "expanded")}
MARKUP = "<b>bold</b> & </script><script>alert(1)</script><img src=x onerror=alert(1)>"


def draw(name, hits, query=None, **options):
    """A plot of two runs by name, or of as many of them as it takes."""
    plot = PLOTS[name]
    if plot.max_runs == 0:
        return plot.function(**options)
    data = dict(list(hits.items())[: plot.max_runs])
    return plot.function(data, **({"query": query} if plot.is_of_one_query else {}), **options)


@for_each("theme", THEMES)
@for_each("name", NAMES)
def test_a_picture_is_not_blank_and_as_large_as_it_should_be(name, theme):
    chart = draw(name, HITS, "q20", theme=theme)
    picture = pixels(chart).astype(np.int16)
    if theme == "light":  # the other has the same size
        root = ET.fromstring(vl_convert.vegalite_to_svg(chart.to_dict()))
        expected = float(root.get("height")) * SCALE, float(root.get("width")) * SCALE
        assert picture.shape[:2] == pytest.approx(expected, abs=SCALE)
    assert 250 < picture.shape[1] / SCALE < 1000
    background = np.array([int(THEMES[theme].background[i : i + 2], 16) for i in (1, 3, 5)], np.int16)
    assert (picture[0, 0] == background).all()
    marks = (np.abs(picture - background) > 40).any(axis=2)
    assert 0.01 < marks.mean() < 0.7
    # Nothing is cut off: the rim is empty all round.
    for rim in (marks[:4], marks[-4:], marks[:, :4], marks[:, -4:]):
        assert not rim.any()
    assert len(np.unique(picture[::4].astype(int) @ (1 << 16, 1 << 8, 1))) > 20


@for_each("name", NAMES)
def test_a_chart_says_what_it_shows(name):
    content = draw(name, HITS, "q20").to_dict()
    assert content["title"]["text"]
    axes = [axis for axis in found(content, "x") + found(content, "y") if "field" in axis]
    assert any(axis.get("title") for axis in axes)
    assert found(content, "tooltip")


def found(part, key):
    """All values of a key, however deep."""
    if isinstance(part, list):
        return [value for inner in part for value in found(inner, key)]
    if not isinstance(part, dict):
        return []
    own = [part[key]] if isinstance(part.get(key), (dict, list)) else []
    return own + [value for name, inner in part.items() if name != "values" for value in found(inner, key)]


@for_each("name", NAMES)
def test_bars_start_from_zero(name):
    content = draw(name, HITS, "q20").to_dict()
    for layer in [layer for layers in found({"u": [content]}, "layer") for layer in layers]:
        if isinstance(layer, dict) and isinstance(layer.get("mark"), dict) and layer["mark"]["type"] == "bar":
            for axis in ("x", "y"):
                shown = layer["encoding"].get(axis, {})
                scale = shown.get("scale", {})
                # On an axis with bins a bar has its width, not its length.
                if shown.get("type") == "quantitative" and shown.get("bin") != "binned":
                    assert scale.get("zero", True) is not False
                    if "domain" in scale:
                        assert scale["domain"][0] <= 0 <= scale["domain"][1]


# --- the edges

EDGES = {
    "one query and one document": ({"q": {"d": 1}}, {"q": {"d": 1.0}}, {"q": {"d": 1.0}}),
    "one document that is not relevant": ({"q": {"d": 0}}, {"q": {"d": 1.0}}, {"q": {"d": 1.0}}),
    "no judged document found": ({"q": {"d": 1}}, {"q": {"x": 1.0}}, {"q": {"y": 1.0}}),
    "a query without a ranking": ({"q": {"d": 1}, "r": {"d": 1}}, {"r": {"d": 1.0}}, {"r": {"d": 1.0}}),
    "negative grades and fractions": ({"q": {"a": -2, "b": 0.5, "c": 1.25}}, {"q": {"a": 3, "b": 2, "c": 1}}, {"q": {"c": 1}}),
    "many grades": ({"q": {f"d{i}": i / 7 for i in range(20)}}, {"q": {f"d{i}": i for i in range(20)}}, {"q": {"d3": 1.0}}),
}  # fmt: skip


# One relevant document, and a query more, look like any other picture.
DRAWN_EDGES = set(EDGES) - {"one query and one document", "a query without a ranking"}


@for_each("edge", EDGES)
@for_each("name", NAMES)
def test_the_edges_of_the_data_are_draw(name, edge):
    qrels, first, second = EDGES[edge]
    hits = {"one": rankgold.match(qrels, first), "two": rankgold.match(qrels, second)}
    content = draw(name, hits, "q").to_dict()
    assert "NaN" not in json.dumps(content)
    if edge in DRAWN_EDGES:
        ET.fromstring(vl_convert.vegalite_to_svg(content))


@pytest.fixture(scope="module")
def many():
    """Two runs of 10,000 queries with 30 documents each."""
    rng = np.random.default_rng(5)
    return {
        name: rankgold.from_labels((rng.random((10_000, 30)) < share) * 1)
        for name, share in (("old", 0.1), ("new", 0.2))
    }


@for_each("name", sorted(set(NAMES) - {"bump"}))
def test_ten_thousand_queries_make_a_chart_of_few_rows(name, many):
    before = alt.data_transformers.active, dict(alt.data_transformers.options)
    chart = draw(name, many, "17")
    assert 1 <= count_of_rows(chart) <= 2000
    assert (alt.data_transformers.active, dict(alt.data_transformers.options)) == before
    if not PLOTS[name].is_of_one_query and "distribution" not in name:
        spoken = title(chart)[1:]
        assert (
            PLOTS[name].max_runs == 0 or name in ("judged", "leaderboard") or any("10,000" in line for line in spoken)
        )


def test_a_query_of_many_documents_makes_a_bump_chart_of_few():
    qrels = {"q": {f"d{i}": i % 3 for i in range(500)}}
    runs = [{"q": {f"d{i}": score(i) for i in range(500)}} for score in (float, lambda i: float(-i))]
    chart = PLOTS["bump"].function(
        {"a": rankgold.match(qrels, runs[0]), "b": rankgold.match(qrels, runs[1])}, query="q", depth=100
    )
    # 100 at the top of each run, of which the 40 best are shown, at both sides.
    assert max(map(len, tables(chart))) == 80
    assert " ".join(title(chart)[1:]) == "40 of 200 judged documents in the first 100: the best grades"


def long_ids(text):
    """Runs, queries and documents with ids of 200 characters that begin with a text."""
    ids = {name: (text + name + "x" * 200)[:200] for name in ("q1", "q2", "a", "b", "c", "old", "new")}
    qrels = {ids[q]: {ids["a"]: 2, ids["b"]: 1, ids["c"]: 0} for q in ("q1", "q2")}
    old = {ids[q]: {ids["a"]: 1, ids["b"]: 2, ids["c"]: 3} for q in ("q1", "q2")}
    new = {ids[q]: {ids["a"]: 3, ids["c"]: 2} for q in ("q1", "q2")}
    return ids, {ids["old"]: rankgold.match(qrels, old), ids["new"]: rankgold.match(qrels, new)}


@for_each("name", NAMES)
def test_long_ids_and_ids_with_markup_stay_within_the_picture_and_are_only_text(name):
    ids, hits = long_ids("<b>&amp;</b>\"'\\ \n\x00\x1b[31m")
    chart = draw(name, hits, ids["q1"])
    root = ET.fromstring(svg(chart))
    assert float(root.get("width")) < 1250
    assert not [element for element in root.iter() if element.tag.endswith("}b")]
    # The whole id is in the data, for tooltips; what the picture shows of it is short.
    if PLOTS[name].max_runs != 0 and name not in (
        "correlation",
        "stopping",
        "reciprocal-rank",
        "average-precision",
        "ndcg",
        "curve",
    ):
        held = [str(value) for table in tables(chart) for row in table for value in row.values()]
        assert any(len(value) >= 200 for value in held)
    shown = ["".join(element.itertext()) for element in root.iter() if element.tag.endswith("}text")]
    assert max(map(len, shown)) < 160


def test_two_ids_that_look_alike_are_two_rows():
    hits = rankgold.from_labels([[1], [0]], queries=["a\x00", "a\\x00"])
    assert [row["query"] for row in tables(PLOTS["per-query"].function(hits, "rr"))[0]] == ["a\\x00", "a\\\\x00"]


# --- HTML


class Tags(html.parser.HTMLParser):
    """The tags of a page, and what they point to."""

    def __init__(self):
        super().__init__()
        self.tags, self.sources = [], []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.sources += [value for name, value in attrs if name in ("src", "href")]


def tags_of(page):
    parser = Tags()
    parser.feed(page)
    return parser


def test_html_needs_no_network():
    page = render_chart(draw("curves", HITS), "html").decode("utf-8")
    parsed = tags_of(page)
    assert parsed.sources == []
    assert "script" in parsed.tags
    assert len(page) > 300_000  # the libraries are in it


@pytest.mark.parametrize("name", ["per-query", "bump", "leaderboard", "waterfall"])
def test_an_id_cannot_end_the_script_that_it_stands_in(name):
    _, safe = long_ids("")
    ids, evil = long_ids(MARKUP)
    plain = tags_of(render_chart(draw(name, safe, next(iter(safe.values())).queries[0]), "html").decode("utf-8"))
    attacked = tags_of(render_chart(draw(name, evil, ids["q1"]), "html").decode("utf-8"))
    assert attacked.tags == plain.tags


def test_an_id_cannot_end_the_script_of_a_notebook():
    _, evil = long_ids(MARKUP)
    chart = draw("per-query", evil)
    (bundle, *_), kinds = [chart._repr_mimebundle_(None, None)], tags_of(draw("per-query", HITS).to_html()).tags
    shown = bundle[0] if isinstance(bundle, tuple) else bundle
    assert "<b>bold</b>" in shown["text/html"]
    assert tags_of(chart.to_html()).tags == kinds


@pytest.mark.parametrize(
    ("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<svg"), ("pdf", b"%PDF"), ("html", b"<!DOCTYPE html>")]
)
def test_every_format_is_what_it_says(ending, start):
    assert render_chart(draw("discount", {}), ending).startswith(start)


# --- what cannot be drawn

TIED = rankgold.match({"q": {"a": 1, "b": 0}}, {"q": {"a": 1.0, "b": 1.0}}, policy="ties=average")
FAULTS = {
    "a run for two": (lambda: rankgold.plots.difference(HITS["bm25"]), "compares two runs, not 1"),
    "two runs for one": (lambda: rankgold.plots.per_query(HITS), "shows one run, not 2: bm25, expanded"),
    "another measure than ap": (lambda: rankgold.plots.average_precision([1], "rr"), "shows ap"),
    "another measure than err": (lambda: rankgold.plots.stopping([1], "rr"), "shows err"),
    "another measure than ndcg": (lambda: rankgold.plots.ndcg([1], "rr"), "shows ndcg, dcg or cg"),
    "another measure than a correlation": (lambda: rankgold.plots.correlation([1], "rr"), "shows spearman and kendall"),
    "one measure for two": (lambda: rankgold.plots.scatter([1], "rr"), "compares two measures, such as ap and ndcg@10, not 1"),
    "three measures for two": (lambda: rankgold.plots.scatter([1], ["p@1", "rr", "ap"]), "not 3"),
    "a theme that is none": (lambda: rankgold.plots.curve([1], theme="blue"), "light, dark, not 'blue'"),
    "a depth of 0": (lambda: rankgold.plots.curve([1], depth=0), "whole number from 1"),
    "rankings from scores": (lambda: rankgold.plots.grid(rankgold.evaluate(HITS["bm25"], ["ap"])), "Scores hold none"),
    "documents without ids": (lambda: rankgold.plots.bump({"a": [1], "b": [1]}), "labels do not say which they are"),
    "ties averaged in a strip": (lambda: rankgold.plots.curve(TIED), "ties=descending"),
    "ties averaged in a bump chart": (lambda: rankgold.plots.bump({"a": TIED, "b": TIED}), "ties=descending"),
    "no query in common": (
        lambda: rankgold.plots.difference({"a": rankgold.from_labels([[1]], queries=["q"]), "b": rankgold.from_labels([[1]], queries=["r"])}, "rr"),
        "no query in common"),
    "no value in common": (lambda: rankgold.plots.scatter([[0, 0]], ["frp", "mr"]), "No query has a value of both"),
    "too many discounts": (lambda: rankgold.plots.discount([]), "from 1 to 20 discounts"),
    "a plot that is none": (lambda: HITS["bm25"].plot("pie"), "No plot is called 'pie'"),
    "a plot that is not of data": (lambda: HITS["bm25"].plot("discount"), "not of data: call rankgold.plots.discount()"),
}  # fmt: skip


@for_each("fault", FAULTS)
def test_what_cannot_be_drawn_says_why(fault):
    call, message = FAULTS[fault]
    with pytest.raises(PlotError, match=re.escape(message)):
        call()


@for_each("data", [5, "labels", {"q": {"d": 1}}, [], {}, None])
def test_what_is_no_ranking_is_refused_with_what_is_taken(data):
    with pytest.raises(rankgold.DataError, match=r"A plot takes labels, Hits|no query to plot|nothing to plot"):
        rankgold.plots.per_query(data)


def test_a_measure_without_cutoff_has_no_curve():
    with pytest.raises(rankgold.MeasureError, match="rprec takes no cutoff"):
        rankgold.plots.curve([1, 0], "rprec")
    with pytest.raises(rankgold.MeasureError, match="evaluated at no cutoff"):
        rankgold.plots.curves(rankgold.evaluate(HITS["bm25"], ["ap"]), "p")


def test_a_query_must_be_named_where_there_are_several():
    with pytest.raises(rankgold.UnknownQueryError, match="Which query\\? There are 30"):
        rankgold.plots.curve(HITS["bm25"])
    with pytest.raises(rankgold.UnknownQueryError, match="No query is called 'q99'"):
        rankgold.plots.curve(HITS["bm25"], query="q99")


@for_each("text", ["d" * 20 + "😀" * 80, 'a<b>&"\n\t\x00\x01\u202e☃𝒳\ud7ff'])
@for_each("name", NAMES)
def test_characters_beyond_sixteen_bits_are_draw(name, text):
    qrels = {f"q{text}": {f"a{text}": 2, f"b{text}": 1}, "q2": {"a": 1}}
    runs = [{f"q{text}": {f"a{text}": 1.0, f"b{text}": order}, "q2": {"a": 1.0}} for order in (0.5, 2.0)]
    hits = {f"one{text}": rankgold.match(qrels, runs[0]), f"two{text}": rankgold.match(qrels, runs[1])}
    ET.fromstring(vl_convert.vegalite_to_svg(draw(name, hits, f"q{text}").to_dict()))


def test_a_negative_score_has_its_sign():
    # Grades 1, 2 in this order: the one pair of documents is in the wrong order, so Kendall's correlation is -1.
    chart = rankgold.plots.waterfall(rankgold.from_labels([[1, 2]]), "kendall")
    assert chart.data.values[-1]["text"] == "−1.000"
    assert chart.data.values[-1]["end"] == -1.0


# q2 has no judged document in the first run, so no mean rank there: q1 has 1 in both.
UNDEFINED = {
    "one": rankgold.match({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1}, "q2": {"x": 1}}),
    "two": rankgold.match({"q1": {"a": 1}, "q2": {"b": 1}}, {"q1": {"a": 1}, "q2": {"b": 1}}),
}


@pytest.mark.parametrize("name", ["curves", "distribution", "leaderboard"])
def test_queries_without_a_value_are_reported(name):
    options = {"measure": "mr"} if "measure" in PLOTS[name].options else {"measures": ["mr"]}
    lines = PLOTS[name].function(UNDEFINED, **options).to_dict()["title"]["subtitle"]
    assert "queries without a value are left out: up to 1 in one" in lines


def test_a_difference_reports_queries_without_a_value_and_which_way_is_better():
    content = rankgold.plots.difference(UNDEFINED, "mr").to_dict()
    assert "1 query without a value in one of the runs" in content["title"]["subtitle"]
    assert "Difference in mean rank, lower is better" in json.dumps(content)
